import {
  ApiError,
  type ApiErrorFields,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from './errors.ts'

type ApiErrorClass = new (message: string, fields: ApiErrorFields) => ApiError

const classes: Readonly<Record<number, ApiErrorClass>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  422: ValidationError,
  429: RateLimitError,
}

const hints: Readonly<Record<string, string>> = {
  AUTH_REQUIRED: 'Set apiKey, accessToken or session of the client, or sign in again.',
  API_KEY_INVALID: 'Check that the whole key was copied, and that it belongs to this server.',
  API_KEY_INACTIVE: 'The key is revoked; use another one.',
  API_KEY_EXPIRED: 'Create a new key, or rotate a key before it expires.',
  IDEMPOTENCY_KEY_REUSED: 'Another body was sent with this idempotencyKey; use one key for one call.',
  QUOTA_EXCEEDED: 'Delete something, or ask the operator of the server for a higher limit.',
  TENANT_SUSPENDED: 'Only the operator of the server can lift a suspension.',
}

/** The error for a response that is not a success. `text` is its body. */
export function apiErrorOf(response: Response, text: string): ApiError {
  const body = parseJson(text)
  const envelope = isRecord(body) ? body : {}
  const { status, headers } = response
  const code = typeof envelope['code'] === 'string' ? envelope['code'] : `HTTP_${status}`
  const requestId = headers.get('x-request-id') ?? asText(envelope['requestId'])
  const fields: ApiErrorFields = {
    status,
    code,
    details: envelope['details'],
    requestId,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    body: body ?? text,
  }
  const Class = classes[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Class(messageOf(envelope, fields), fields)
}

/** The error for a success that is not JSON, which no crmkit server sends. */
export function unreadableResponse(response: Response, text: string): ApiError {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const message = withRequestId('The response is not JSON. Does baseUrl lead to a crmkit server?', requestId)
  const { status } = response
  return new ApiError(message, {
    status,
    code: 'INVALID_RESPONSE',
    details: undefined,
    requestId,
    retryAfterMs: undefined,
    body: text,
  })
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function messageOf(
  envelope: Record<string, unknown>,
  { status, code, details, requestId }: ApiErrorFields,
): string {
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  const summary = asText(envelope['error']) ?? `The response has the status ${status}`
  const hint =
    hints[code] ??
    (isRedirect ? 'baseUrl must be the address that does not redirect.' : undefined) ??
    missingPermission(envelope)
  return withRequestId(
    [`${summary} (${code})`, describeProblems(details), hint].filter(Boolean).join('. '),
    requestId,
  )
}

function missingPermission({ required }: Record<string, unknown>): string | undefined {
  return asText(required) && `Needed: ${required}`
}

/** The service never repeats a rejected value in its problems, so they are safe to show. */
function describeProblems(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined
  const sentences = details
    .filter(isRecord)
    .map(({ field, message }) => `${field || 'the request'} ${message}`)
  return sentences.slice(0, 5).join('; ') || undefined
}

function withRequestId(message: string, requestId: string | undefined): string {
  return requestId === undefined ? message : `${message} [request ${requestId}]`
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Milliseconds of a `Retry-After` in seconds or as a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
