import type { IncomingMessage } from 'node:http'
import { Failure, forbiddenKeys, type Problem, validationFailure } from '@crmkit/core'

const bytesMax = 1024 * 1024
/** A request without a credential holds a few short texts. */
const publicBytesMax = 16 * 1024
const depthMax = 32
/** Keys and items of a whole body: each may become a problem to report, and costs more than its bytes. */
const valuesMax = 10_000

/** An earlier middleware of an app that embeds the service may have read the body already. */
export type MaybeParsed = IncomingMessage & { body?: unknown }

/** Returns the bytes that an earlier middleware has read and left unparsed; undefined where they are still to be read. */
export function bytesReadEarlier(req: IncomingMessage): Buffer | undefined {
  const { body } = req as MaybeParsed
  if (!req.readableEnded) return undefined
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return typeof body === 'string' ? Buffer.from(body) : undefined
}

function tooLarge(limit: number): Failure {
  const size = limit === bytesMax ? '1 MB' : '16 KB'
  return new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${size}`)
}

/**
 * The JSON object of a request. An empty body is an empty object, so that what is missing is named field
 * by field. `isPublic` bounds it to 16 KB: nobody has shown a credential. Throws INVALID_JSON, PAYLOAD_TOO_LARGE,
 * UNSUPPORTED_MEDIA_TYPE or VALIDATION_ERROR.
 */
export async function readBody(req: IncomingMessage, isPublic: boolean): Promise<Record<string, unknown>> {
  const { body } = req as MaybeParsed
  const isObject = body !== undefined && bytesReadEarlier(req) === undefined
  if (isObject && req.readableEnded) {
    assertJsonType(req)
    return assertBody(body)
  }
  if (req.headers['content-length'] === '0') return {}
  const hasBody =
    req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined
  if (!hasBody) return {}
  assertJsonType(req)
  const bytes = await readBytes(req, isPublic ? publicBytesMax : bytesMax)
  return bytes.length === 0 ? {} : assertBody(parseJson(bytes))
}

function assertJsonType(req: IncomingMessage): void {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  // A middleware that has read the body has decompressed it too.
  const encoding = req.readableEnded ? 'identity' : (req.headers['content-encoding'] ?? 'identity')
  if (type.trim() !== 'application/json' || !isUtf8 || encoding !== 'identity') {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8, not compressed')
  }
}

/** Reads a whole body. Throws PAYLOAD_TOO_LARGE beyond the limit. */
export async function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  const early = bytesReadEarlier(req)
  if ((early?.length ?? Number(req.headers['content-length'] ?? 0)) > limit) throw tooLarge(limit)
  if (early !== undefined) return early
  if (req.readableEnded)
    throw new Error('an earlier middleware of the app has read the body and kept nothing of it')
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  req.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= limit) chunks.push(chunk)
    else {
      // The rest is discarded: a caller whose connection is cut while it sends never sees the response.
      chunks.length = 0
      reject(tooLarge(limit))
    }
  })
  req.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
  req.on('error', reject)
  req.on('close', () => {
    // An error object for each body that did arrive would cost a tenth of its request.
    if (!req.complete) reject(new Failure('INVALID_JSON', 'The body ended early'))
  })
  return promise
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw new Failure('INVALID_JSON', 'The body is not valid JSON')
  }
}

function assertBody(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw validationFailure([{ field: '', message: 'must be a JSON object', rule: 'type', in: 'body' }])
  }
  const problem = findShapeProblem(value, { path: '', depth: 1, counted: { values: 0 } })
  if (problem) throw validationFailure([problem])
  return value as Record<string, unknown>
}

interface Position {
  path: string
  depth: number
  counted: { values: number }
}

const tooManyValues: Problem = {
  field: '',
  message: `must not hold more than ${valuesMax} values`,
  rule: 'max',
  in: 'body',
}

/**
 * Finds the problems that no schema sees: nesting beyond the limit, more values than any request needs, and keys that
 * schemas drop silently because they would reach a prototype.
 */
function findShapeProblem(value: object, { path, depth, counted }: Position): Problem | undefined {
  if (depth > depthMax) {
    return { field: path, message: `must not be nested deeper than ${depthMax}`, rule: 'depth', in: 'body' }
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    counted.values += 1
    if (counted.values > valuesMax) return tooManyValues
    const innerPath = path === '' ? key : `${path}.${key}`
    if (forbiddenKeys.has(key)) {
      return {
        field: innerPath,
        message: 'is not a name that a field may have',
        rule: 'forbidden_key',
        in: 'body',
      }
    }
    if (typeof inner === 'object' && inner !== null) {
      const problem = findShapeProblem(inner, { path: innerPath, depth: depth + 1, counted })
      if (problem) return problem
    }
  }
  return undefined
}
