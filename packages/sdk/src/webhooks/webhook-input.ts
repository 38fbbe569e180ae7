import { WebhookVerificationError } from './webhook-verification-error.ts'

/** Headers in any of the forms in which frameworks hand them over. */
export type HeadersSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The part of Node's `IncomingMessage` that is needed; the requests of Express have it, too. */
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

/** A header, empty when it is missing; one that came several times is joined by blanks, as `webhook-signature` joins its signatures. */
export function headerOf(headers: HeadersSource, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return [value].flat().join(' ').trim()
}

/**
 * The body's text; JSON is valid UTF-8, so its bytes can be had back from it. Throws `body_already_parsed` when
 * the body was read or parsed before.
 */
export async function readBody(input: WebhookInput): Promise<string> {
  // Loosely typed, because what frameworks hand over is.
  const { body, bodyUsed, readableEnded } = input as {
    body?: unknown
    bodyUsed?: unknown
    readableEnded?: unknown
  }
  if (typeof body === 'string') return body
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  if (body instanceof Uint8Array) return decoder.decode(body)
  if (!bodyUsed && 'text' in input) return input.text()
  // On a Node request `body` is where parsers leave their result.
  if (body === undefined && !readableEnded && Symbol.asyncIterator in input) {
    let text = ''
    for await (const chunk of input)
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    return text + decoder.decode()
  }
  throw new WebhookVerificationError(
    'body_already_parsed',
    'The raw body is gone: verify before any body parser, or keep the bytes (express.raw)',
  )
}
