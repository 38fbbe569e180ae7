import { StorageUnavailable } from '../../storage/errors.ts'
import { isRefused, type ObjectClient, readRows } from './object-client.ts'

/** An upload holds about twice as much in memory. A store takes parts from 5 MiB on, and 10,000 of them. */
const partBytes = 8 * 1024 * 1024

interface Part {
  bytes: Buffer
  isLast: boolean
}

/** Collects pieces to parts of `partBytes`; the last may be shorter. */
export async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Part, undefined> {
  let pieces: Uint8Array[] = []
  let length = 0
  const take = () => {
    const part = Buffer.concat(pieces, length)
    pieces = []
    length = 0
    return part
  }
  for await (const piece of bytes) {
    for (let start = 0; start < piece.length; ) {
      if (length === partBytes) yield { bytes: take(), isLast: false }
      const some = piece.subarray(start, start + partBytes - length)
      pieces.push(some)
      length += some.length
      start += some.length
    }
  }
  yield { bytes: take(), isLast: true }
}

interface Parts {
  first: Buffer
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
  const put = async (part: Buffer) => {
    const query = { partNumber: String(etags.length + 1), uploadId }
    const { headers } = await client.must({ method: 'PUT', name, query, body: part })
    etags.push(headers.get('etag') ?? '')
    size += part.length
  }
  try {
    await put(first)
    for await (const { bytes } of parts) await put(bytes)
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
