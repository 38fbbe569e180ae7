import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { createXmlParser } from '../../shared/xml-parser.ts'
import { StorageUnavailable } from '../../storage/errors.ts'

/** A place in an object store that speaks the protocol of Amazon S3, and the key that opens it. */
export interface ObjectPlace {
  /**
   * `s3://BUCKET/FOLDER`, with the query fields `endpoint` and `region` where they are not Amazon's own, and `style=host` where the
   * bucket is a part of the host.
   */
  address: string
  /** `ACCESS_KEY_ID:SECRET_ACCESS_KEY` */
  key: string
}

/** The first bytes of a file, and their checksum. */
export interface ObjectBody {
  file: string
  size: number
  /** In hexadecimal digits. */
  sha256: string
}

export interface ObjectRequest {
  /** `GET` where nothing is given. */
  method?: 'PUT' | 'POST' | 'DELETE' | 'HEAD'
  /** Of the object, with the prefix of the folder; empty: the bucket. */
  name: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Buffer | ObjectBody
}

export interface ObjectReply {
  status: number
  headers: Headers
  body: Buffer
  /** The code of an error of the store; undefined where there is none. */
  code: string | undefined
}

/** Requests to one bucket. A store that cannot be reached throws `StorageUnavailable` after the last try. */
export interface ObjectClient {
  /** Stands before the names of all objects: empty, or the folder with its slash. */
  readonly prefix: string
  /** Asks and reads the whole reply, which may be a refusal. */
  ask(request: ObjectRequest): Promise<ObjectReply>
  /** The same, where a refusal throws. */
  must(request: ObjectRequest): Promise<ObjectReply>
  /** Asks, and leaves the body of a success to the caller, who reads it to its end or cancels it. */
  open(request: ObjectRequest): Promise<Response | ObjectReply>
  /** The error that says what the store has refused. */
  refusal(reply: Pick<ObjectReply, 'status' | 'code'>): StorageUnavailable
}

/** Until the head of a reply, and between two pieces of a file that is sent. */
const headTimeoutMs = 30_000
/** Of a reply that is read as a whole, between two of its pieces. */
const idleTimeoutMs = 30_000
/** Waits before a further try, after an error of the store or of the network. */
const waitsMs = [50, 150, 450, 1_350]
const regionDefault = 'us-east-1'

/** The protocol: "Amazon S3 API Reference". */
export function openObjectClient({ address, key }: ObjectPlace): ObjectClient {
  const { host: bucket, pathname, searchParams } = new URL(address)
  const folder = pathname.replace(/^\/|\/$/g, '')
  const region = searchParams.get('region') ?? regionDefault
  // A bucket whose name has a dot fits no certificate of Amazon's, and other stores know the form with a path.
  const endpoint = new URL(searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  const base = bucketAddress(endpoint, bucket, searchParams.get('style') === 'host')
  const separator = key.indexOf(':')
  const signer = new AwsClient({
    accessKeyId: key.slice(0, separator),
    secretAccessKey: key.slice(separator + 1),
    service: 's3',
    region,
  })
  const prefix = folder === '' ? '' : `${folder}/`

  async function attempt({ method, name, query, headers, body }: ObjectRequest): Promise<Response> {
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
    // The checksum is a part of the signature: a store keeps no bytes but those that were sent.
    const { sha256, sent, size } = bodyOf(body)
    const signed = await signer.sign(`${base}/${name}${search}`, {
      method: method ?? 'GET',
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
    })
    // Not signed: a proxy before a store may change them. Without the first, a length is not that of the object.
    signed.headers.set('accept-encoding', 'identity')
    if (size !== undefined) signed.headers.set('content-length', String(size))
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), headTimeoutMs)
    if (sent instanceof Readable) sent.on('data', () => timer.refresh())
    try {
      return await fetch(signed.url, {
        method: signed.method,
        headers: signed.headers,
        redirect: 'error',
        signal: stop.signal,
        ...(sent instanceof Readable && { body: Readable.toWeb(sent), duplex: 'half' }),
        ...(sent instanceof Uint8Array && { body: sent }),
      })
    } catch (error) {
      if (sent instanceof Readable) sent.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Tries again what may pass; `take` may fail too. */
  async function retrying<Taken extends { status: number; code?: string | undefined }>(
    request: ObjectRequest,
    take: (response: Response) => Promise<Taken>,
  ): Promise<Taken> {
    for (let tries = 0; ; tries += 1) {
      const waitMs = waitsMs[tries]
      try {
        const taken = await take(await attempt(request))
        if (waitMs === undefined || !isPassing(taken)) return taken
      } catch (error) {
        if (waitMs === undefined)
          throw new StorageUnavailable(`The object store ${endpoint.origin} cannot be reached`, {
            cause: error,
          })
      }
      await delay(waitMs)
    }
  }

  const ask = (request: ObjectRequest) => retrying(request, readReply)
  const refusal = ({ status, code }: Pick<ObjectReply, 'status' | 'code'>) =>
    new StorageUnavailable(
      `The object store ${endpoint.origin} refused ${bucket}/${prefix}: ${status} ${code ?? 'no code'}`,
    )
  return {
    prefix,
    ask,
    refusal,
    async must(request) {
      const reply = await ask(request)
      if (isRefused(reply)) throw refusal(reply)
      return reply
    },
    open: (request) =>
      retrying<Response | ObjectReply>(request, async (response) =>
        response.ok ? response : readReply(response),
      ),
  }
}

/** A body as `fetch` takes it, with its length where that is not the one of bytes in memory. */
interface SentBody {
  sha256: string
  sent?: Readable | Uint8Array<ArrayBuffer>
  size?: number
}

function bodyOf(body: ObjectRequest['body']): SentBody {
  if (body !== undefined && 'file' in body) {
    const { file, size, sha256 } = body
    if (size > 0) return { sha256, sent: createReadStream(file, { end: size - 1 }), size }
  }
  const bytes = body instanceof Buffer ? body : Buffer.alloc(0)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return body === undefined ? { sha256 } : { sha256, sent: new Uint8Array(bytes) }
}

function bucketAddress(endpoint: URL, bucket: string, isInHost: boolean): string {
  const path = endpoint.pathname.replace(/\/$/, '')
  const { protocol, host } = endpoint
  return isInHost ? `${protocol}//${bucket}.${host}${path}` : `${protocol}//${host}${path}/${bucket}`
}

/** A long request may be refused after its head: then the status is a success, and the body an error. */
export function isRefused({ status, code }: Pick<ObjectReply, 'status' | 'code'>): boolean {
  return status >= 300 || code !== undefined
}

const passingCodes = ['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout']

function isPassing({ status, code }: { status: number; code?: string | undefined }): boolean {
  return status >= 500 || status === 429 || (code !== undefined && passingCodes.includes(code))
}

async function readReply(response: Response): Promise<ObjectReply> {
  const pieces: Uint8Array[] = []
  if (response.body !== null) for await (const piece of piecesOf(response.body)) pieces.push(piece)
  const body = Buffer.concat(pieces)
  const { status, headers } = response
  return { status, headers, body, code: codeOf(body) }
}

/** Only the beginning says it: bytes that hold these words are no error. */
function codeOf(body: Buffer): string | undefined {
  const head = body.subarray(0, 2_000).toString().trimStart()
  if (!/^(?:<\?xml[^>]{0,200}>\s{0,9})?<Error[ >]/.test(head)) return undefined
  return /<Code>(\w{1,64})<\/Code>/.exec(head)?.[1] ?? 'no code'
}

/** Yields the pieces of a body. Throws when the store sends none for too long; the time of a slow reader does not count. */
export async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const idle = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => idle.reject(new StorageUnavailable('The object store sends no more bytes')),
        idleTimeoutMs,
      )
      const reading = reader.read().finally(() => clearTimeout(timer))
      const { done, value } = await Promise.race([reading, idle.promise])
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

export interface StoredObject {
  name: string
  bytes: number
}

/** Lists the objects of a folder whose names come after one, in the order of the names, a page at a time. Names are without the prefix. */
export async function* listPages(
  { must, prefix }: Pick<ObjectClient, 'must' | 'prefix'>,
  after: string,
): AsyncGenerator<StoredObject[]> {
  for (let startAfter = prefix + after; ; ) {
    const query = { 'list-type': '2', prefix, 'start-after': startAfter }
    const { rows, isCut } = readRows((await must({ name: '', query })).body, 'Contents')
    yield rows.map(({ Key = '', Size }) => ({ name: Key.slice(prefix.length), bytes: Number(Size) }))
    const last = rows.at(-1)?.['Key']
    if (!isCut || last === undefined) return
    startAfter = last
  }
}

export interface XmlRow {
  Key?: string
  Size?: string
  UploadId?: string
  VersionId?: string
  Initiated?: string
}

/** Reads the elements of these names with the texts of their children, and whether the store has more of them. */
export function readRows(body: Buffer, ...names: readonly string[]): { rows: XmlRow[]; isCut: boolean } {
  const rows: XmlRow[] = []
  let row: Record<string, string> | undefined
  let text = ''
  let isCut = false
  const parser = createXmlParser({
    open(name) {
      text = ''
      if (names.includes(name)) row = {}
    },
    text: (found) => {
      text += found
    },
    close(name) {
      if (name === 'IsTruncated') isCut = text === 'true'
      if (row === undefined) return
      if (names.includes(name)) {
        rows.push(row)
        row = undefined
      } else row[name] = text
    },
  })
  parser.write(body.toString())
  parser.end()
  return { rows, isCut }
}
