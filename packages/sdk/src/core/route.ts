/** The part of an operation that a request needs. The table of all routes is generated from core. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for each parameter. */
  readonly path: string
  /** No credential is sent. */
  readonly isPublic?: boolean
  /** False for a POST whose `Idempotency-Key` the service ignores: it is retried only if it was certainly not processed. */
  readonly isRepeatable?: boolean
  /** The response is an envelope without `data`: a message, a request, or both. */
  readonly isMessage?: boolean
  /** The response is a file, and the caller reads it. */
  readonly isFile?: boolean
  /** The response is a page of rows. */
  readonly isList?: boolean
  /** The response is a page of the event log: every page has a `nextCursor`. */
  readonly isLog?: boolean
  /** The member of `data` that holds the rows, when `data` is not the rows itself. */
  readonly rows?: string
  /** The list takes `sort=createdAt`, the order in which a walk reads every row. */
  readonly canSort?: boolean
}

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number | boolean)[]

/** The input of one call. */
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
