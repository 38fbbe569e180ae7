/** A refusal of the server, or no connection (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly waitMs: number | undefined
  /** The team takes no messages of this visitor. */
  readonly isBlocked: boolean
  /** Another click has chosen before. */
  readonly isChosen: boolean

  constructor(
    status: number,
    message: string,
    { waitMs, isBlocked = false, isChosen = false }: Partial<ApiError> = {},
  ) {
    super(message)
    this.status = status
    this.waitMs = waitMs
    this.isBlocked = isBlocked
    this.isChosen = isChosen
  }

  /** The same request may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

/** Returns the error of a request; throws what is none. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  token?: string | undefined
  body?: unknown
  form?: FormData
  lastEventId?: string | undefined
  signal?: AbortSignal
  /** The request outlives the page. */
  keepalive?: boolean
}

/** The frame is `{base}/widget/v1/frame`. */
const api = new URL('../../api/v1/widget/', location.href).href
const timeoutMs = 30_000

/** Sends a request and returns its response when it is a success. Throws an ApiError. */
export async function send(path: string, request: ApiRequest = {}): Promise<Response> {
  const { method = 'GET', token, body, form, lastEventId, keepalive = false } = request
  const headers: Record<string, string> = {}
  if (token) headers['Authorization'] = `Bearer ${token}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (lastEventId) headers['Last-Event-ID'] = lastEventId
  let response: Response
  try {
    response = await fetch(api + path, {
      method,
      headers,
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
      signal: request.signal ?? AbortSignal.timeout(form ? timeoutMs * 10 : timeoutMs),
      keepalive,
      credentials: 'omit',
      cache: 'no-store',
    })
  } catch (error) {
    throw new ApiError(0, String(error))
  }
  if (response.ok) return response
  const refusal = await response.json().catch(() => undefined)
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  throw new ApiError(response.status, refusal?.error ?? `HTTP ${response.status}`, {
    waitMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
    isBlocked: refusal?.details?.status === 'blocked',
    isChosen: response.status === 409 && refusal?.details?.choiceId !== undefined,
  })
}

/** The body of a success. */
export async function ask<Body>(path: string, request?: ApiRequest): Promise<Body> {
  const response = await send(path, request)
  try {
    return await response.json()
  } catch (error) {
    throw new ApiError(0, String(error))
  }
}
