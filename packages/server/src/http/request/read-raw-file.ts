import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Failure } from '@crmkit/core'
import { bytesReadEarlier } from './read-body.ts'
import type { FormFile } from './read-form.ts'

interface RawFile {
  bytesMax: number
  /** The time within which all of it must arrive, ms. */
  timeMaxMs: number
}

const endedEarly = () => new Failure('INVALID_JSON', 'The body ended early')

export function isForm(req: IncomingMessage): boolean {
  return /^multipart\/form-data\s*;/i.test(req.headers['content-type'] ?? '')
}

/**
 * Reads a body that is the file itself, in the pace in which `take` reads it. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or
 * INVALID_JSON.
 */
export async function readRawFile<T>(
  req: IncomingMessage,
  { bytesMax, timeMaxMs }: RawFile,
  take: (file: FormFile) => Promise<T>,
): Promise<T> {
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed')
  const tooLarge = () =>
    new Failure('PAYLOAD_TOO_LARGE', `A file may have at most ${bytesMax / 1024 / 1024} MB`)
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  const early = bytesReadEarlier(req)
  const source = early === undefined ? req : Readable.from([early])
  const late = new Failure('INVALID_JSON', 'The body took too long to arrive', {
    headers: { Connection: 'close' },
  })
  let isLate = false
  async function* counted(): AsyncGenerator<Uint8Array> {
    let length = 0
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      length += (chunk as Uint8Array).length
      if (length > bytesMax) throw tooLarge()
      yield chunk as Uint8Array
    }
    if (early === undefined && !req.complete) throw endedEarly()
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* counted()
    } catch (error) {
      throw error instanceof Failure ? error : isLate ? late : endedEarly()
    }
  }
  const timer = setTimeout(() => {
    isLate = true
    source.destroy()
  }, timeMaxMs)
  const declaredType = (req.headers['content-type'] ?? '').toLowerCase().split(';')[0]?.trim() ?? ''
  try {
    return await take({ fields: {}, filename: '', declaredType, bytes: whole() })
  } catch (error) {
    // The rest is discarded: a caller whose connection is cut while it sends never sees the response.
    source.resume()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
