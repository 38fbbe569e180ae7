import {
  type CrmEvent,
  type RawDelivery,
  unwrapWebhook,
  WebhookVerificationError,
} from '@crmkit/sdk/webhooks'
import { BodyTooLargeError } from './body-too-large-error.ts'
import { handlerOf } from './event-handlers.ts'
import type { OptionsFor, ReceiverOptions } from './receiver-options.ts'

/** The HTTP response to a delivery. The sender repeats a delivery after every status but 2xx. */
export interface ReceiverResponse {
  readonly status: 200 | 400 | 413 | 500 | 503
  readonly headers: Readonly<Record<string, string>>
  /** One word for a person who tests the receiver by hand; senders do not read it. */
  readonly body: string
}

/**
 * Handles one delivery from the raw bytes to the response. `read` gives the raw body and the headers, or throws the
 * problem with them. Never throws: failures are handed to `onError`.
 */
export async function receiveDelivery<Context>(
  context: Context,
  given: OptionsFor<Context>,
  read: (options: ReceiverOptions) => Promise<RawDelivery>,
): Promise<ReceiverResponse> {
  let options: ReceiverOptions | undefined
  let event: CrmEvent | undefined
  try {
    options = typeof given === 'function' ? await given(context) : given
    assertSecretsAreSet(options)
    event = await unwrapWebhook(await read(options), options)
    return await handleOnce(event, options)
  } catch (error) {
    const { status, body } = refusalOf(error, event !== undefined)
    await report({ error, event, status }, options?.onError)
    return respondWith(status, body)
  }
}

/** A mistake of the receiver, so not a 400: checked before the signature, which would be reported as a wrong one. */
function assertSecretsAreSet({ secrets }: ReceiverOptions): void {
  const list = [secrets ?? []].flat()
  if (list.length === 0 || !list.every((secret) => /^whsec_./.test(secret))) {
    throw new Error('`secrets` holds no webhook secret (whsec_…); is a variable unset?')
  }
}

/** The handler's promise is awaited before the 200: an event counts as received only after it was handled. */
async function handleOnce(event: CrmEvent, { on, replayCache }: ReceiverOptions): Promise<ReceiverResponse> {
  const handle = handlerOf(event, on)
  if (handle === undefined) return respondWith(200, 'ignored')
  if (replayCache === undefined) {
    await handle()
    return respondWith(200, 'ok')
  }
  const state = await replayCache.begin(event.id)
  if (state === 'done') return respondWith(200, 'repeated')
  // A 200 would be wrong: the running handler may still fail, and then the event would not be sent again.
  if (state === 'running') return respondWith(503, 'running')
  try {
    await handle()
  } catch (error) {
    await replayCache.fail(event.id)
    throw error
  }
  await replayCache.succeed(event.id)
  return respondWith(200, 'ok')
}

function refusalOf(error: unknown, isVerified: boolean): { status: 400 | 413 | 500; body: string } {
  if (isVerified) return { status: 500, body: 'failed' }
  if (error instanceof BodyTooLargeError) return { status: 413, body: 'too_large' }
  if (!(error instanceof WebhookVerificationError)) return { status: 500, body: 'failed' }
  // A consumed body is this program's mistake; the delivery may be valid.
  return { status: error.code === 'body_already_parsed' ? 500 : 400, body: error.code }
}

interface DeliveryFailure {
  readonly error: unknown
  readonly event: CrmEvent | undefined
  readonly status: number
}

async function report(
  failure: DeliveryFailure,
  onError: ReceiverOptions['onError'] = printFailure,
): Promise<void> {
  try {
    await onError(failure.error, failure)
  } catch (error) {
    // The response matters more than the failure of a broken reporter.
    printFailure(error, failure)
  }
}

function printFailure(
  error: unknown,
  { event, status }: { event: CrmEvent | undefined; status: number },
): void {
  const what = event === undefined ? 'refused a delivery' : `failed to handle ${event.event} ${event.id}`
  console.error(`crmkit webhook ${what}, responded with ${status}:`, error)
}

function respondWith(status: ReceiverResponse['status'], body: string): ReceiverResponse {
  const wait = status === 503 ? { 'retry-after': '1' } : {}
  return { status, headers: { 'content-type': 'text/plain', ...wait }, body }
}
