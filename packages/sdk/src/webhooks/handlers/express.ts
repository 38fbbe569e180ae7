import type { RawDelivery } from '@crmkit/sdk/webhooks'
import { assertSize, collectBody, consumed } from './read-raw-body.ts'
import { receiveDelivery } from './receive-delivery.ts'
import type { OptionsFor } from './receiver-options.ts'

export * from './public.ts'

/**
 * The part of a Node request that is needed; Express's requests have it. Parsers leave their result in `body` and
 * `rawBody`.
 */
export interface NodeRequestLike extends AsyncIterable<Uint8Array | string> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
  readonly rawBody?: unknown
  readonly readableEnded?: boolean
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array | string>
}

export interface NodeResponseLike {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/**
 * A handler for one route of Express, or for any Node `http` server. It reads the raw body itself, so no body
 * parser may run before it; `express.raw()`, and a `rawBody` as serverless platforms keep it, are understood.
 *
 * ```ts
 * app.post('/crm', handleWebhooks({
 *   secrets: process.env.CRM_WEBHOOK_SECRET,
 *   on: { 'customer.created': async ({ data }) => welcome(data.profile.email) },
 * }))
 * app.use(express.json()) // after it
 * ```
 *
 * 200 once the handler is done, 400 for a delivery that does not verify, 500 when the handler throws (the service
 * then sends the event again) and when something has consumed the body.
 */
export function handleWebhooks<Req extends NodeRequestLike>(
  options: OptionsFor<Req>,
): (req: Req, res: NodeResponseLike) => Promise<void> {
  return async (req, res) => {
    const { status, headers, body } = await receiveDelivery(req, options, ({ bodyBytesMax }) =>
      readDelivery(req, bodyBytesMax),
    )
    res.statusCode = status
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    // The unread rest of a long body must not be taken for the next request.
    if (status === 413) res.setHeader('connection', 'close')
    res.end(body)
  }
}

async function readDelivery(req: NodeRequestLike, bytesMax: number | undefined): Promise<RawDelivery> {
  const { headers, rawBody, body, readableEnded } = req
  const received = [rawBody, body].find(isRaw)
  if (received !== undefined) {
    assertSize(received.length, bytesMax)
    return { body: received, headers }
  }
  if (body !== undefined || readableEnded) {
    throw consumed('A body parser (express.json) ran before this handler: mount the handler before it.')
  }
  // Leaving the loop early must not destroy the socket: a refusal is to be written to it.
  const chunks = req.iterator?.({ destroyOnReturn: false }) ?? req
  return { body: await collectBody(chunks, bytesMax), headers }
}

function isRaw(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array
}
