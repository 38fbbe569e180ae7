import { type AnyOperation, type ErrorCode, errorMeanings, errorStatus, tenant } from '@crmkit/core'
import { z } from 'zod'

const codes = Object.keys(errorStatus) as ErrorCode[]

const problem = z
  .object({
    field: z.string().describe('Path of the value, such as `retryPolicy.maxRetries`.'),
    message: z.string().describe('Explanation for people.'),
    rule: z.string().describe('Name of the violated rule, for programs. It does not change.'),
    in: z.enum(['body', 'query', 'path', 'header']).describe('Part of the request that holds the value.'),
  })
  .meta({ id: 'Problem', description: 'One refused value. It never contains the value itself.' })

const exceededQuota = z
  .object({
    name: z.string().describe('Name of the quota, as in `usage` of the tenant.'),
    limit: z.int().describe('Limit of the tenant.'),
    used: z.int().describe('Present use.'),
  })
  .meta({ id: 'ExceededQuota', description: 'A quota that a request would exceed.' })

function errorSchema(status: number): z.ZodType {
  const ofStatus = codes.filter((code) => errorStatus[code] === status)
  return z
    .looseObject({
      success: z.literal(false).describe('Always false.'),
      error: z.string().describe('Explanation for people.'),
      code: z
        .enum(ofStatus as [ErrorCode, ...ErrorCode[]])
        .describe('Error code for programs. It does not change.'),
      requestId: z.string().describe('Id of the request, the same as in `X-Request-Id`.'),
      ...(status === 403 && {
        details: exceededQuota.optional().describe('The limit that is reached, with `QUOTA_EXCEEDED`.'),
      }),
      ...(status === 422 && {
        details: z.array(problem).optional().describe('Every refused value.'),
        tenants: z
          .array(tenant.pick({ _id: true, name: true }))
          .optional()
          .describe('Tenants of a person who signs in without naming one of several.'),
      }),
      ...(status === 429 && {
        limit: z.int().describe('Requests that the window allows.'),
        resetAt: z.string().describe('Time from which a request succeeds.'),
      }),
    })
    .meta({ id: `Error${status}`, description: `A refusal with status ${status}.` })
}

/** Short: the document refers to them 1,500 times. */
const responseName = (status: number) => `${status}`

export function errorReference(status: number): { $ref: `#/components/responses/${string}` } {
  return { $ref: `#/components/responses/${responseName(status)}` }
}

/** One response for each status, which all operations share: its codes with their meanings, and its fields. */
export function errorResponses(operations: readonly AnyOperation[]): Record<string, object> {
  const statuses = new Set(operations.flatMap(errorStatusesOf))
  return Object.fromEntries(
    [...statuses].sort().map((status) => [responseName(status), errorResponse(status)]),
  )
}

function errorResponse(status: number): object {
  const lines = codes
    .filter((code) => errorStatus[code] === status)
    .map((code) => `- \`${code}\`: ${errorMeanings[code]}`)
  return { description: lines.join('\n'), content: { 'application/json': { schema: errorSchema(status) } } }
}

/** Every status that an operation can return instead of its own. */
export function errorStatusesOf(operation: AnyOperation & { request?: object }): number[] {
  const { auth, method, request } = operation
  const has = (part: string) => request !== undefined && part in request
  const isWidget = auth.kind === 'none' && auth.pages === 'widget'
  const isPublicPost = auth.kind === 'none' && method === 'POST'
  const statuses = [
    400,
    ...(auth.kind !== 'none' || isPublicPost || isWidget ? [401, 403] : []),
    ...(has('params') || isWidget ? [404] : []),
    ...(method !== 'GET' || 'mayConflict' in operation ? [409] : []),
    ...('mayBeGone' in operation ? [410] : []),
    ...(method === 'GET' ? [] : [413, 415]),
    ...(has('body') || has('query') || method === 'POST' ? [422] : []),
    429,
    500,
    503,
  ]
  return statuses
}
