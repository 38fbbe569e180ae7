import type { IncomingMessage } from 'node:http'
import { Failure, forbiddenKeys, type Problem, validationFailure } from '@crmkit/core'

const bytesMax = 1024 * 1024
const depthMax = 32

/** An earlier middleware of an app that embeds the service may have read the body already. */
type MaybeParsed = IncomingMessage & { body?: unknown }

const tooLarge = () => new Failure('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MB')

/**
 * The JSON object of a request. An empty body is an empty object, so that what is missing is named field
 * by field. Throws INVALID_JSON, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or VALIDATION_ERROR.
 */
export async function readBody(req: IncomingMessage): Promise<Record<string, unknown>> {
  const parsed = (req as MaybeParsed).body
  if (parsed !== undefined && req.readableEnded) return assertBody(parsed)
  if (req.headers['content-length'] === '0') return {}
  const hasBody =
    req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined
  if (!hasBody) return {}
  assertJsonType(req)
  const bytes = await readBytes(req)
  return bytes.length === 0 ? {} : assertBody(parseJson(bytes))
}

function assertJsonType(req: IncomingMessage): void {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  const encoding = req.headers['content-encoding'] ?? 'identity'
  if (type.trim() !== 'application/json' || !isUtf8 || encoding !== 'identity') {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8, not compressed')
  }
}

async function readBytes(req: IncomingMessage): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  req.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= bytesMax) chunks.push(chunk)
    else {
      // What still comes is thrown away: a caller whose connection is cut while it sends never sees the answer.
      chunks.length = 0
      reject(tooLarge())
    }
  })
  req.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
  req.on('error', reject)
  req.on('close', () => reject(new Failure('INVALID_JSON', 'The body ended early')))
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
  const problem = findShapeProblem(value, '', 1)
  if (problem) throw validationFailure([problem])
  return value as Record<string, unknown>
}

/**
 * What no schema can see: nesting beyond the limit, and keys that schemas drop in silence because they
 * would reach a prototype.
 */
function findShapeProblem(value: object, path: string, depth: number): Problem | undefined {
  if (depth > depthMax) {
    return { field: path, message: `must not be nested deeper than ${depthMax}`, rule: 'depth', in: 'body' }
  }
  for (const [key, inner] of Object.entries(value)) {
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
      const problem = findShapeProblem(inner, innerPath, depth + 1)
      if (problem) return problem
    }
  }
  return undefined
}
