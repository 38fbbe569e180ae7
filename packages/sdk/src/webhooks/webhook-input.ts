import { WebhookVerificationError } from './webhook-verification-error.ts'

/** Headers in any of the forms in which frameworks hand them over. */
export type HeadersSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The part of Node's `IncomingMessage` that is needed; the requests of Express have it, too. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Node's; without it, a body that is too long costs the connection. */
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array | string>
}

/** A delivery whose raw body was stored. */
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
 * Returns the body's text; JSON is valid UTF-8, so its bytes can be restored from it. Reads no more than `bytesMax`:
 * before the verification the sender is unknown. Throws `too_large`, or `body_already_parsed` when it was read or
 * parsed before.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: another function costs the bundle more than its size allows.
export async function readBody(input: WebhookInput, bytesMax = 1024 * 1024): Promise<string> {
  // Loosely typed, because frameworks hand over different forms.
  const { body, bodyUsed, readableEnded } = input as {
    body?: unknown
    bodyUsed?: unknown
    readableEnded?: unknown
  }
  if (typeof body === 'string') return body
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  if (body instanceof Uint8Array) return decoder.decode(body)
  const chunks =
    'text' in input
      ? !bodyUsed && (input.body ?? [])
      : // On a Node request `body` is where parsers leave their result.
        !body &&
        !readableEnded &&
        Symbol.asyncIterator in input &&
        // Leaving the loop early must not destroy the socket: a refusal is to be written to it.
        (input.iterator?.({ destroyOnReturn: false }) ?? input)
  if (chunks) {
    const announced = +headerOf(input.headers, 'content-length')
    let text = ''
    let length = 0
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > bytesMax || announced > bytesMax) {
        throw new WebhookVerificationError('too_large', 'The body is too long')
      }
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  }
  throw new WebhookVerificationError(
    'body_already_parsed',
    'The raw body was read: verify before parsers, or use express.raw',
  )
}
