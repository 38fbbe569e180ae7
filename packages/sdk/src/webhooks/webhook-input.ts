import { WebhookVerificationError } from './webhook-verification-error.ts'

/** Headers in any of the forms in which frameworks hand them over. */
export type HeadersSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The part of Node's `IncomingMessage` that is needed; Express and Fastify requests have it, too. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A delivery whose raw body has been kept. */
export interface RawDelivery {
  /** The body exactly as it arrived. */
  readonly body: string | Uint8Array
  readonly headers: HeadersSource
}

export type WebhookInput = Request | NodeRequest | RawDelivery

const parsedBefore =
  'The raw body is gone: something has read or parsed it before. Verify before any body parser, or keep the raw ' +
  'bytes (express.raw({ type: "application/json" }), request.text()); JSON that is written again has other bytes.'

function alreadyParsed(): WebhookVerificationError {
  return new WebhookVerificationError('body_already_parsed', parsedBefore)
}

/** Reads a header; a header that came several times is joined as HTTP does. */
export function headerOf(headers: HeadersSource, name: string): string | undefined {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? undefined
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== name) continue
    if (typeof value === 'string') return value
    if (Array.isArray(value)) return value.join(name === 'webhook-signature' ? ' ' : ', ')
  }
  return undefined
}

export function isRawDelivery(input: WebhookInput): input is RawDelivery {
  return 'body' in input && (typeof input.body === 'string' || input.body instanceof Uint8Array)
}

/** The raw body and the headers. Throws `body_already_parsed` when the bytes cannot be had any more. */
export async function readDelivery(input: WebhookInput): Promise<RawDelivery> {
  if (isRawDelivery(input)) return input
  if (isWebRequest(input)) {
    if (input.bodyUsed) throw alreadyParsed()
    return { body: new Uint8Array(await input.arrayBuffer()), headers: input.headers }
  }
  if (Symbol.asyncIterator in input) {
    // `body` is where parsers leave their result; a stream that was read to its end would give no bytes.
    if (isGiven(input, 'body') || isRead(input)) throw alreadyParsed()
    return { body: await bytesOf(input), headers: input.headers }
  }
  throw alreadyParsed()
}

function isWebRequest(input: WebhookInput): input is Request {
  return 'arrayBuffer' in input && typeof input.arrayBuffer === 'function'
}

function isGiven(input: object, name: string): boolean {
  return name in input && Reflect.get(input, name) !== undefined
}

function isRead(stream: object): boolean {
  return ['readableEnded', 'readableDidRead', 'destroyed'].some((name) => Reflect.get(stream, name) === true)
}

async function bytesOf(stream: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
