import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Failure, type Problem, validationFailure } from '@crmkit/core'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { bytesReadEarlier } from './read-body.ts'

export interface FormFile {
  /** The texts before the file, by their name. */
  fields: Readonly<Record<string, string>>
  /** As it was sent. */
  filename: string
  /** As it was sent, in lower case, without parameters. */
  declaredType: string
  /** Fails when the file is too large or does not arrive whole. */
  bytes: AsyncIterable<Uint8Array>
}

type Parser = InstanceType<typeof Busboy>

interface Form {
  /** The field of the one file. */
  field: string
  bytesMax: number
  /** The time within which all of it must arrive, ms. */
  timeMaxMs: number
  /** Names of texts that may come before the file. */
  texts?: readonly string[]
}

/** Bytes of a form besides its file: boundaries, heads of parts, unexpected fields. */
const otherBytesMax = 64 * 1024
const limits = {
  parts: 20,
  fields: 20,
  fieldNameSize: 300,
  fieldSize: 1024,
  headerPairs: 50,
  headerSize: 8 * 1024,
}

function tooLarge(bytesMax: number): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `A file may have at most ${bytesMax / 1024 / 1024} MB`)
}

function unsupported(): Failure {
  const message = 'The body must be multipart/form-data with a boundary, not compressed'
  return new Failure('UNSUPPORTED_MEDIA_TYPE', message)
}

function notWhole(): Failure {
  return new Failure('INVALID_JSON', 'The body is not a whole multipart form')
}

function openParser(req: IncomingMessage, bytesMax: number): Parser {
  const type = req.headers['content-type'] ?? ''
  const isPlain = (req.headers['content-encoding'] ?? 'identity') === 'identity'
  if (!isPlain || !/^multipart\/form-data\s*;/i.test(type)) throw unsupported()
  try {
    return new Busboy({
      headers: { ...req.headers, 'content-type': type },
      limits: { ...limits, fileSize: bytesMax },
      // File names are made safe in one function only, ours.
      preservePath: true,
    })
  } catch {
    throw unsupported()
  }
}

async function* wholeFile(stream: BusboyFileStream, bytesMax: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk as Uint8Array
  if (stream.truncated) throw tooLarge(bytesMax)
}

const problemOf = (field: string, message: string, rule: string): Problem => ({
  field,
  message,
  rule,
  in: 'body',
})

/** Rejects when the body does not arrive: the connection ends, it is too large in all, or it takes too long. */
function watch(
  req: IncomingMessage,
  { bytesMax, timeMaxMs }: Form,
  reject: (error: Failure) => void,
): () => void {
  let length = 0
  const count = (chunk: Buffer) => {
    length += chunk.length
    if (length > bytesMax + otherBytesMax) reject(tooLarge(bytesMax))
  }
  const late = () => {
    const headers = { Connection: 'close' }
    reject(new Failure('INVALID_JSON', 'The body took too long to arrive', { headers }))
  }
  const timer = setTimeout(late, timeMaxMs)
  const gone = () => {
    if (!req.complete) reject(notWhole())
  }
  req.on('data', count).on('error', gone).on('close', gone)
  return () => {
    clearTimeout(timer)
    req.off('data', count).off('close', gone)
  }
}

/**
 * Reads a form that holds one file and nothing else, in the pace in which `take` reads the file; nothing is kept in
 * memory. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_JSON, or VALIDATION_ERROR with all that is wrong
 * with the form; then also when `take` has ended well.
 */
export async function readForm<T>(
  req: IncomingMessage,
  form: Form,
  take: (file: FormFile) => Promise<T>,
): Promise<T> {
  const { field, bytesMax, texts = [] } = form
  const fields: Record<string, string> = {}
  const parser = openParser(req, bytesMax)
  const early = bytesReadEarlier(req)
  if (req.readableEnded && early === undefined)
    throw new Error('an earlier middleware of the app has read the form: mount crmkit before it')
  const source = early === undefined ? req : Readable.from([early])
  if (Number(req.headers['content-length'] ?? 0) > bytesMax + otherBytesMax) throw tooLarge(bytesMax)
  const problems: Problem[] = []
  const broken = Promise.withResolvers<never>()
  let stream: BusboyFileStream | undefined
  let taken: Promise<T> | undefined
  parser.on('file', (name, found, filename, _encoding, declaredType) => {
    if (name === field && taken === undefined) {
      stream = found
      // Its consumer may have stopped listening: an unhandled error would end the process.
      found.on('limit', () => broken.reject(tooLarge(bytesMax))).on('error', () => {})
      taken = take({ fields, filename: filename ?? '', declaredType, bytes: wholeFile(found, bytesMax) })
      taken.catch(broken.reject)
      return
    }
    problems.push(name === field ? problemOf(field, 'must be one file', 'max') : unknownField(name))
    found.on('error', () => {}).resume()
  })
  parser.on('field', (name, value) => {
    if (texts.includes(name)) {
      if (taken === undefined) fields[name] = value
      else problems.push(problemOf(name, 'must come before the file', 'order'))
      return
    }
    problems.push(name === field ? problemOf(field, 'must be a file', 'type') : unknownField(name))
  })
  const unwatch = watch(req, form, broken.reject)
  try {
    source.pipe(parser)
    await Promise.race([parsed(parser), broken.promise])
    if (taken === undefined) problems.push(problemOf(field, 'is required', 'required'))
    if (problems.length > 0) throw validationFailure(problems)
    return await (taken as unknown as Promise<T>)
  } catch (error) {
    // The rest is discarded: a caller whose connection is cut while it sends never sees the response.
    source.unpipe(parser).resume()
    stream?.destroy(error as Error)
    await (taken as Promise<T> | undefined)?.catch(() => {})
    throw error
  } finally {
    unwatch()
  }
}

function unknownField(name: string | undefined): Problem {
  return problemOf(name ?? '', 'is not a field of this request', 'unknown_field')
}

function parsed(parser: Parser): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.on('finish', resolve).on('error', () => reject(notWhole()))
  })
}
