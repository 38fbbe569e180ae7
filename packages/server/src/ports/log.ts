/** The log of the service. A pino logger is one; tests use a silent one. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The fields by which an operator finds a request in the log. None of them holds what a caller wrote. */
export interface RequestFields {
  /** As in the response's `X-Request-Id`. */
  requestId: string
  method: string
  /** The template of the path, such as `/api/v1/customers/{id}`; `unknown` for a path that no operation has. */
  path: string
  /** Absent before a credential is accepted. */
  tenantId?: string
  /** The id of the API key or of the signed-in user. */
  credentialId?: string
}

export interface FinishedRequest extends RequestFields {
  status: number
  /** From the request's head to its reply; for a download or a stream to its end. */
  ms: number
}

/** Writes one line for each request. */
export interface RequestLog {
  note(request: FinishedRequest): void
  /** Writes the lines that wait in memory. */
  flush(): void
}
