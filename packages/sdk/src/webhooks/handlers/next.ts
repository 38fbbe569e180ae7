import type { OptionsFor } from './receiver-options.ts'
import { respondToWebRequest } from './respond-to-web-request.ts'

export * from './public.ts'

/**
 * The `POST` of a route handler (App Router), on the Node and the Edge runtime. It handles a web `Request`, so it
 * also serves Remix, SvelteKit, Astro, Bun, Deno and workers.
 *
 * ```ts
 * // app/api/crm/route.ts
 * export const POST = handleWebhooks({
 *   secrets: process.env.CRM_WEBHOOK_SECRET,
 *   on: { 'customer.created': async ({ data }) => welcome(data.profile.email) },
 * })
 * ```
 *
 * 200 once the handler is done, 400 for a delivery that does not verify, 500 when the handler throws (the service
 * then sends the event again). In the Pages Router use `@crmkit/sdk/webhooks/express` with
 * `export const config = { api: { bodyParser: false } }`.
 */
export function handleWebhooks(options: OptionsFor<Request>): (request: Request) => Promise<Response> {
  return (request) => respondToWebRequest(request, request, options)
}
