/** Options of one call. Each replaces the client's own. */
export interface CallOptions {
  /** Ends the call, its waits and the reading of its response with an `AbortedError`. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one attempt, from connecting to the last byte of the response. Default: 30,000. */
  readonly timeout?: number | undefined
  /** Milliseconds for the whole call: all attempts and the waits between them. Default: no bound. */
  readonly deadline?: number | undefined
  /** Retries after the first attempt. 0 is exactly one request. Default: 2. */
  readonly maxRetries?: number | undefined
  /** Further headers of this call. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Makes a POST happen at most once within 24 hours, also over several calls. Default: a fresh key for
   * each call, the same on all its attempts. At most 255 visible ASCII characters.
   */
  readonly idempotencyKey?: string | undefined
}

/** Options of a reply to a conversation. */
export interface ReplyOptions extends CallOptions {
  /**
   * `seq` of the conversation as its reader saw it. When a colleague or a key has written a reply or a note since, the call
   * throws a `ConflictError`, whose `details` say who, and nothing is sent. Default: no check.
   */
  readonly ifSeq?: number | undefined
  /** Sends in any case, also with `ifSeq`, and to a conversation of a package that is not handed over. */
  readonly force?: boolean | undefined
}

export interface UploadOptions extends CallOptions {
  /** Name of the file. Default: the name of a `File`, and `blob` for anything else. */
  readonly filename?: string | undefined
}

/** The response of an operation without data. */
export interface MessageReply {
  success: true
  /** Confirmation for people. */
  message: string
}
