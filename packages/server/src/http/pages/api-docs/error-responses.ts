import { type AnyOperation, type ErrorCode, errorStatus } from '@crmkit/core'
import { z } from 'zod'

const codes = Object.keys(errorStatus) as ErrorCode[]

const whenByCode: Record<ErrorCode, string> = {
  INVALID_JSON: 'the body is no JSON',
  UNSUPPORTED_VERSION: '`X-API-Version` names a version that does not exist',
  AUTH_REQUIRED: 'no credential, or one that is malformed or has ended',
  API_KEY_INVALID: 'the API key is unknown, or a test key in production',
  API_KEY_INACTIVE: 'the API key was deactivated',
  API_KEY_EXPIRED: 'the API key has expired',
  TENANT_SUSPENDED: 'the tenant is suspended',
  PERMISSION_DENIED: 'the permission is missing, the role too low, or the address not on the list of the key',
  NOT_FOUND: 'unknown id, malformed id and the id of another tenant: one answer for all three',
  METHOD_NOT_ALLOWED: 'the path is known, the method is not; see `Allow`',
  CONFLICT: 'a value that must be unique is taken, or a limit on how many there may be is reached',
  IDEMPOTENCY_IN_PROGRESS: 'the same `Idempotency-Key` is still being worked on; see `Retry-After`',
  INVALID_STATE: 'the state rules refuse it; `details` says what is allowed',
  PAYLOAD_TOO_LARGE: 'the body is too large',
  UNSUPPORTED_MEDIA_TYPE: 'the body has another content type than this operation takes',
  VALIDATION_ERROR: 'values are wrong; `details` names every one of them',
  IDEMPOTENCY_KEY_REUSED: 'the `Idempotency-Key` was used with another body',
  RATE_LIMIT_EXCEEDED: 'too many requests; one at `resetAt` succeeds',
  INTERNAL_ERROR: 'something went wrong on our side',
  SERVICE_UNAVAILABLE: 'nothing can be stored or read just now; try again after `Retry-After`',
}

const problem = z
  .object({
    field: z.string().meta({ description: 'Path of the value, such as `retryPolicy.maxRetries`' }),
    message: z.string(),
    rule: z.string(),
    in: z.enum(['body', 'query', 'path', 'header']),
  })
  .meta({ id: 'Problem' })

function errorSchema(status: number): z.ZodType {
  const ofStatus = codes.filter((code) => errorStatus[code] === status)
  return z
    .looseObject({
      success: z.literal(false),
      error: z.string().meta({ description: 'A sentence for a person' }),
      code: z.enum(ofStatus as [ErrorCode, ...ErrorCode[]]),
      requestId: z.string(),
      ...(status === 422 && { details: z.array(problem).optional() }),
      ...(status === 429 && { limit: z.int(), resetAt: z.string() }),
    })
    .meta({ id: `Error${status}` })
}

const schemas = new Map<number, z.ZodType>()

/** One schema a status, named `Error404`: its codes, when each is answered, and the fields that go with it. */
export function errorResponse(status: number) {
  const schema = schemas.get(status) ?? errorSchema(status)
  schemas.set(status, schema)
  const lines = codes
    .filter((code) => errorStatus[code] === status)
    .map((code) => `- \`${code}\`: ${whenByCode[code]}`)
  return { description: lines.join('\n'), content: { 'application/json': { schema } } }
}

/** Every status that an operation can answer with instead of its own. */
export function errorStatusesOf({ auth, method, request }: AnyOperation & { request?: object }): number[] {
  const has = (part: string) => request !== undefined && part in request
  const isPublicPost = auth.kind === 'none' && method === 'POST'
  const statuses = [
    400,
    ...(auth.kind !== 'none' || isPublicPost ? [401, 403] : []),
    ...(has('params') ? [404] : []),
    ...(method === 'GET' ? [] : [409, 413, 415]),
    ...(has('body') || has('query') || method === 'POST' ? [422] : []),
    429,
    500,
    503,
  ]
  return statuses
}
