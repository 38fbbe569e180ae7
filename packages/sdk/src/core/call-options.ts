/** What one call may set for itself. Each option wins over the client's. */
export interface CallOptions {
  /** Ends the call, its waits and the reading of its answer with an `AbortedError`. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one attempt, from connecting to the last byte of the answer. Default: 30,000. */
  readonly timeout?: number | undefined
  /** Milliseconds for the whole call: all attempts and the waits between them. Default: no bound. */
  readonly deadline?: number | undefined
  /** How many attempts may follow the first one. 0 is exactly one request. Default: 2. */
  readonly maxRetries?: number | undefined
  /** Further headers of this call. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Makes a POST happen at most once within 24 hours, also over several calls. Default: a fresh key for
   * each call, the same on all its attempts. At most 255 visible ASCII characters.
   */
  readonly idempotencyKey?: string | undefined
}

export interface UploadOptions extends CallOptions {
  /** What the file is called. Default: the name of a `File`; anything else is called `blob`. */
  readonly filename?: string | undefined
}

/** What the service answers when there is no data to show. */
export interface MessageReply {
  success: true
  /** A sentence for a person. */
  message: string
}
