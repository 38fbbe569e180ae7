import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageUnavailable } from '../../storage/errors.ts'
import { isRefused, type ObjectBody, type ObjectClient, readRows } from './object-client.ts'

/** A store takes parts from 5 MiB on, and 10,000 of them. */
const partBytes = 16 * 1024 * 1024

interface Part {
  body: ObjectBody
  isLast: boolean
}

/**
 * Writes pieces into a file of the folder, and yields it when it has `partBytes`; the last part may be shorter. The file holds one
 * part at a time. A hundred uploads at once would need gigabytes of memory otherwise, because a request names the length and the
 * checksum of its body before the first byte.
 */
export async function* inParts(
  bytes: AsyncIterable<Uint8Array>,
  folder: string,
): AsyncGenerator<Part, undefined> {
  const file = join(folder, 'part')
  let part = await PartFile.open(file)
  try {
    for await (const piece of bytes) {
      for (let start = 0; start < piece.length; ) {
        if (part.size === partBytes) {
          yield { body: await part.end(), isLast: false }
          part = await PartFile.open(file)
        }
        const some = piece.subarray(start, start + partBytes - part.size)
        await part.add(some)
        start += some.length
      }
    }
    yield { body: await part.end(), isLast: true }
  } finally {
    await part.end()
  }
}

/** An error of the temporary directory is one of the store, and not one of the sender's bytes. */
class PartFile {
  readonly #file: string
  readonly #handle: FileHandle
  readonly #hash = createHash('sha256')
  size = 0

  private constructor(file: string, handle: FileHandle) {
    this.#file = file
    this.#handle = handle
  }

  static async open(file: string): Promise<PartFile> {
    return new PartFile(file, await open(file, 'w', 0o600).catch(unwritable))
  }

  async add(piece: Uint8Array): Promise<void> {
    await this.#handle.appendFile(piece).catch(unwritable)
    this.#hash.update(piece)
    this.size += piece.length
  }

  /** May be called again. */
  async end(): Promise<ObjectBody> {
    await this.#handle.close()
    return { file: this.#file, size: this.size, sha256: this.#hash.copy().digest('hex') }
  }
}

export function unwritable(cause: unknown): never {
  throw new StorageUnavailable('The temporary directory takes no file for the object store', { cause })
}

interface Parts {
  first: ObjectBody
  parts: AsyncGenerator<Part>
}

/** Uploads an object in parts. An upload that fails is ended, so that the store keeps no part of it. */
export async function writeInParts(
  client: ObjectClient,
  name: string,
  { first, parts }: Parts,
): Promise<void> {
  const { body } = await client.must({ method: 'POST', name, query: { uploads: '' } })
  const uploadId = /<UploadId>([^<]{1,2000})<\/UploadId>/.exec(body.toString())?.[1]
  if (uploadId === undefined) throw new StorageUnavailable('The object store names no upload')
  const etags: string[] = []
  let size = 0
  const put = async (part: ObjectBody) => {
    const query = { partNumber: String(etags.length + 1), uploadId }
    const { headers } = await client.must({ method: 'PUT', name, query, body: part })
    etags.push(headers.get('etag') ?? '')
    size += part.size
  }
  try {
    await put(first)
    for await (const { body: part } of parts) await put(part)
    await complete(client, { name, uploadId, etags, size })
  } catch (error) {
    await client.ask({ method: 'DELETE', name, query: { uploadId } }).catch(() => {})
    throw error
  } finally {
    // The sender may still have more.
    await parts.return(undefined)
  }
}

interface Upload {
  name: string
  uploadId: string
  etags: readonly string[]
  size: number
}

async function complete(client: ObjectClient, { name, uploadId, etags, size }: Upload): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  )
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const reply = await client.ask({ method: 'POST', name, query: { uploadId }, body })
  if (!isRefused(reply)) return
  if (reply.code !== 'NoSuchUpload') throw client.refusal(reply)
  // The reply to a first try was lost, or somebody has removed the bytes while they arrived.
  const head = await client.ask({ method: 'HEAD', name })
  if (isRefused(head) || Number(head.headers.get('content-length')) !== size)
    throw new StorageUnavailable('the bytes were removed while they arrived')
}

/** Lists the uploads in a folder that have not ended, with the time at which each began. */
export async function listUploads({ must, prefix }: ObjectClient): Promise<{ name: string; at: string }[]> {
  const { body } = await must({ name: '', query: { uploads: '', prefix } })
  return readRows(body, 'Upload').rows.map(({ Key = '', Initiated = '' }) => ({ name: Key, at: Initiated }))
}
