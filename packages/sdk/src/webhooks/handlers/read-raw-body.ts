import { WebhookVerificationError } from '@crmkit/sdk/webhooks'
import { BodyTooLargeError } from './body-too-large-error.ts'

const defaultBytesMax = 4 * 1024 * 1024

/** Collects a body, and stops reading when it becomes too long: before the verification its sender is unknown. */
export async function collectBody(
  chunks: AsyncIterable<Uint8Array | string>,
  bytesMax = defaultBytesMax,
): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
    length += bytes.length
    assertSize(length, bytesMax)
    parts.push(bytes)
  }
  const body = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    body.set(part, offset)
    offset += part.length
  }
  return body
}

/** Returns the raw body of a web `Request` that was not read. */
export async function readWebBody(request: Request, bytesMax?: number): Promise<Uint8Array> {
  if (request.bodyUsed)
    throw consumed('Something has read the request before: no middleware may read its body.')
  if (request.body === null) return new Uint8Array()
  return collectBody(chunksOf(request.body), bytesMax)
}

// Not every runtime can iterate over a web stream.
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Stops the sender as well when the reading ended early.
    await reader.cancel().catch(() => {})
  }
}

export function assertSize(length: number, bytesMax = defaultBytesMax): void {
  if (length > bytesMax) throw new BodyTooLargeError(`The body has more than ${bytesMax} bytes`)
}

export function consumed(cause: string): WebhookVerificationError {
  return new WebhookVerificationError('body_already_parsed', `The raw body was read before. ${cause}`)
}
