import type { OptionsFor } from './receiver-options.ts'
import { respondToWebRequest } from './respond-to-web-request.ts'

export * from './public.ts'

/** The part of Hono's `Context` that is needed. */
export interface HonoContext {
  readonly req: { readonly raw: Request }
}

/**
 * A handler for one route. Options that depend on the request (a worker's secret is in `c.env`) are a function.
 *
 * ```ts
 * app.post('/crm', handleWebhooks((c: Context<{ Bindings: Env }>) => ({
 *   secrets: c.env.CRM_WEBHOOK_SECRET,
 *   on: { 'customer.created': async ({ data }) => welcome(data.profile.email) },
 * })))
 * ```
 *
 * 200 once the handler is done, 400 for a delivery that does not verify, 500 when the handler throws (the service
 * then sends the event again).
 */
export function handleWebhooks<Context extends HonoContext>(
  options: OptionsFor<Context>,
): (context: Context) => Promise<Response> {
  return (context) => respondToWebRequest(context.req.raw, context, options)
}
