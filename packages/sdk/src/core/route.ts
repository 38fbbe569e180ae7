/** What a request needs to know of its operation. The table of all routes is generated from the contract. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for each parameter. */
  readonly path: string
  /** No credential is sent. */
  readonly isPublic?: boolean
  /** False for a POST whose `Idempotency-Key` the service ignores: it is repeated only when it surely was not worked on. */
  readonly isRepeatable?: boolean
  /** The answer is `{success, message}` without data. */
  readonly isMessage?: boolean
  /** The answer is a file, which is left to the caller to read. */
  readonly isFile?: boolean
  /** The answer is a page of rows. */
  readonly isList?: boolean
  /** The answer is a page of the event log: every page tells where to go on. */
  readonly isLog?: boolean
  /** Where a list's rows are in `data`, when `data` is not the rows itself. */
  readonly rows?: string
  /** The list takes `sort=createdAt`, the order in which a walk misses no row. */
  readonly canSort?: boolean
}

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number | boolean)[]

/** What a caller hands over for one call. */
export interface CallInput {
  /** Values of the path's parameters, in the path's order. */
  readonly params?: readonly string[]
  /** Null and undefined are left out, arrays are repeated. */
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as the one field `file` of a form. */
  readonly file?: Blob | ReadableStream<Uint8Array>
}
