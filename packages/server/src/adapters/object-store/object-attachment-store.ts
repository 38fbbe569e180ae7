import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import type { AttachmentKey, AttachmentStore } from '../../ports/attachment-store.ts'
import { bytesName, bytesNameOf, plainId } from '../../shared/bytes-name.ts'
import { makeWorkFolder } from '../../shared/work-folders.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import {
  isRefused,
  listPages,
  type ObjectClient,
  type ObjectPlace,
  openObjectClient,
  piecesOf,
  readRows,
} from './object-client.ts'
import { inParts, unwritable, writeInParts } from './object-parts.ts'

/** Further requests for the rest of one object, each after a connection that broke. */
const resumesMax = 5

/**
 * Stores the bytes as objects `<tenant>/<id>` of a folder, where every process of the service can read them. An object appears when
 * its last byte is there. Larger ones are uploads in parts, which the store drops when they fail.
 */
export function openObjectAttachmentStore(place: ObjectPlace): AttachmentStore {
  const client = openObjectClient(place)
  const { prefix } = client
  const nameOf = ({ tenantId, id }: AttachmentKey) => `${prefix}${bytesNameOf(tenantId)}/${bytesNameOf(id)}`

  return {
    async write(key, bytes) {
      const name = nameOf(key)
      const folder = await makeWorkFolder(tmpdir(), 'upload').catch(unwritable)
      try {
        const parts = inParts(bytes, folder)
        const { value: first } = await parts.next()
        if (first?.isLast) await client.must({ method: 'PUT', name, body: first.body })
        else if (first) await writeInParts(client, name, { first: first.body, parts })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async read(key) {
      const opened = await openObject(client, { name: nameOf(key) })
      return opened && Readable.from(resumed(client, nameOf(key), opened), { objectMode: false })
    },
    fileOf: () => undefined,
    sizeOf: (key) => sizeOfObject(client, nameOf(key)),
    async *list() {
      for await (const page of listPages(client, ''))
        for (const { name } of page) {
          const [tenantId = '', id = '', ...rest] = name.split('/')
          if (plainId.test(tenantId) && plainId.test(id) && rest.length === 0) yield { tenantId, id }
        }
    },
    async *listStrays() {
      for await (const page of listPages(client, ''))
        for (const { name } of page) {
          const words = name.split('/')
          if (words.length !== 2 || !words.every((word) => bytesName.test(word))) yield name
        }
    },
    remove: (key) => removeObject(client, nameOf(key)),
    close: async () => {},
  }
}

/** Returns undefined when there is no such object; a bucket that is missing throws. */
async function openObject(
  client: ObjectClient,
  { name, headers }: { name: string; headers?: Record<string, string> },
): Promise<Response | undefined> {
  const found = await client.open({ name, ...(headers && { headers }) })
  if (found instanceof Response) return found
  if (found.code === 'NoSuchKey') return undefined
  throw client.refusal(found)
}

/** Yields the bytes of an object, and asks for the rest of them when the connection breaks. */
async function* resumed(client: ObjectClient, name: string, opened: Response): AsyncGenerator<Uint8Array> {
  // An object that was replaced meanwhile is another one: the bytes of two would be mixed.
  const ifMatch = { 'if-match': opened.headers.get('etag') ?? '' }
  const length = Number(opened.headers.get('content-length'))
  let response: Response | undefined = opened
  let read = 0
  let cause: unknown
  for (let resumes = 0; response !== undefined && resumes <= resumesMax; resumes += 1) {
    try {
      for await (const piece of piecesOf(response.body as ReadableStream<Uint8Array>)) {
        read += piece.length
        yield piece
      }
    } catch (error) {
      cause = error
    }
    if (read >= length) return
    response = await openObject(client, { name, headers: { range: `bytes=${read}-`, ...ifMatch } })
  }
  await response?.body?.cancel()
  throw new StorageUnavailable('The object store breaks off before the last byte', { cause })
}

/** A reply to `HEAD` has no body, so what is missing, object or bucket, is asked once more. */
async function sizeOfObject(client: ObjectClient, name: string): Promise<number | undefined> {
  const reply = await client.ask({ method: 'HEAD', name })
  if (!isRefused(reply)) return Number(reply.headers.get('content-length'))
  if (reply.status !== 404) throw client.refusal(reply)
  const opened = await openObject(client, { name })
  await opened?.body?.cancel()
  return opened && Number(opened.headers.get('content-length'))
}

/** Deletes an object with every version of it that a bucket keeps, and the parts of uploads. Throws when it is still there afterwards. */
async function removeObject(client: ObjectClient, name: string): Promise<void> {
  const { headers } = await client.must({ method: 'DELETE', name })
  if (headers.has('x-amz-version-id') || headers.has('x-amz-delete-marker'))
    await removeVersions(client, name)
  await abortUploads(client, name)
  if ((await sizeOfObject(client, name)) !== undefined)
    throw new StorageUnavailable(`The object store still has ${name} after it has deleted it`)
}

/** A bucket with versions keeps the bytes behind a marker until each version is deleted by its id. */
async function removeVersions(client: ObjectClient, name: string): Promise<void> {
  for (;;) {
    const query = { versions: '', prefix: name }
    const { rows, isCut } = readRows((await client.must({ name: '', query })).body, 'Version', 'DeleteMarker')
    const own = rows.filter(({ Key }) => Key === name)
    for (const { VersionId: versionId = '' } of own)
      await client.must({ method: 'DELETE', name, query: { versionId } })
    if (!isCut || own.length === 0) return
  }
}

async function abortUploads(client: ObjectClient, name: string): Promise<void> {
  const { body } = await client.must({ name: '', query: { uploads: '', prefix: name } })
  for (const { Key, UploadId: uploadId = '' } of readRows(body, 'Upload').rows) {
    if (Key !== name) continue
    const reply = await client.ask({ method: 'DELETE', name, query: { uploadId } })
    if (isRefused(reply) && reply.code !== 'NoSuchUpload') throw client.refusal(reply)
  }
}
