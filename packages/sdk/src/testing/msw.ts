// Import the entry point and not its file: a second copy would have its own counter and repeat ids.
import { callOf, type FakeReplies, fakeRoutes, respondToOperation } from '@crmkit/sdk/testing'
import { HttpResponse, http, type RequestHandler } from 'msw'

export interface CrmHandlersOptions {
  /** The `baseUrl` of the clients under test. */
  readonly baseUrl: string
  /** Replies of single operations; all others return a sample. */
  readonly replies?: FakeReplies | undefined
}

/**
 * One msw handler for each operation of the service.
 *
 * ```ts
 * const server = setupServer(...crmHandlers({
 *   baseUrl: 'https://crm.test',
 *   replies: { 'customers.get': ({ params }) => makeCustomerDetails({ _id: params.id }) },
 * }))
 * ```
 */
export function crmHandlers({ baseUrl, replies = {} }: CrmHandlersOptions): RequestHandler[] {
  return fakeRoutes.map(({ id, method, path }) => {
    // bounded: a setting of the caller's own test.
    const url = baseUrl.replace(/\/+$/, '') + path.replace(/\{(\w+)\}/g, ':$1')
    return http[mswMethods[method]](url, async ({ request, params }) => {
      const call = await callOf(request, params as Record<string, string>)
      const { status, headers, body } = await respondToOperation(id, call, replies)
      return new HttpResponse(body, { status, headers })
    })
  })
}

const mswMethods = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const
