import type { IncomingMessage } from 'node:http'
import { Failure } from '@crmkit/core'
import { bytesReadEarlier, type MaybeParsed, readBytes } from './read-body.ts'

const bytesMax = 16 * 1024

/** Returns the fields of an HTML form's body, at most 16 KB. Throws PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE. */
export async function readUrlForm(req: IncomingMessage): Promise<URLSearchParams> {
  const [type = ''] = (req.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/x-www-form-urlencoded')
  }
  const { body } = req as MaybeParsed
  // A form parser of an app that embeds the service has read the fields already.
  if (req.readableEnded && typeof body === 'object' && body !== null && bytesReadEarlier(req) === undefined) {
    const fields = new URLSearchParams()
    for (const [name, values] of Object.entries(body)) {
      for (const value of [values].flat()) fields.append(name, String(value))
    }
    return fields
  }
  return new URLSearchParams((await readBytes(req, bytesMax)).toString('utf8'))
}
