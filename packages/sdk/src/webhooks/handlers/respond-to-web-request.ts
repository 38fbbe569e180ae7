import { readWebBody } from './read-raw-body.ts'
import { receiveDelivery } from './receive-delivery.ts'
import type { OptionsFor } from './receiver-options.ts'

/** Handles one delivery that arrives as a web `Request`, and returns a web `Response`. */
export async function respondToWebRequest<Context>(
  request: Request,
  context: Context,
  options: OptionsFor<Context>,
): Promise<Response> {
  const { status, headers, body } = await receiveDelivery(context, options, async ({ bodyBytesMax }) => ({
    body: await readWebBody(request, bodyBytesMax),
    headers: request.headers,
  }))
  return new Response(body, { status, headers })
}
