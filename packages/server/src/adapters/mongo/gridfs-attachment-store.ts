import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import mongoose from 'mongoose'
import type { AttachmentKey, AttachmentStore } from '../../ports/attachment-store.ts'
import { openConnection } from './connection/connection.ts'
import { createGate } from './connection/gate.ts'
import { createReadFromProven } from './connection/proven-primary.ts'

const { GridFSBucket } = mongoose.mongo
/** Differs from the collection of the rows, which is called `attachments`. */
const bucketName = 'attachmentBytes'

/** JSON separates the two parts, whatever they hold. */
function fileIdOf({ tenantId, id }: AttachmentKey): string {
  return JSON.stringify([tenantId, id])
}

/**
 * Stores the bytes in GridFS, where every process of the service can read them. The document of a file is written after
 * its chunks, so an incomplete file is never read. It has its own connections, so a slow upload delays no request.
 */
export async function openGridfsAttachmentStore(url: string): Promise<AttachmentStore> {
  const connection = await openConnection(url)
  const { db } = connection
  if (db === undefined) throw new Error('the connection has no database')
  const bucket = new GridFSBucket(db, { bucketName, writeConcern: { w: 'majority' } })
  const gate = createGate()
  const readFromProven = createReadFromProven(connection)

  async function findFile(key: AttachmentKey) {
    const [found] = await readFromProven(() => bucket.find({ _id: fileIdOf(key) as never }).toArray())
    return found
  }

  async function removeFile(fileId: string): Promise<void> {
    // The bucket's own `delete` fails when only a part of the file exists.
    await db?.collection(`${bucketName}.files`).deleteOne({ _id: fileId as never })
    await db?.collection(`${bucketName}.chunks`).deleteMany({ files_id: fileId })
  }

  async function writeFile(fileId: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    await removeFile(fileId)
    const upload = bucket.openUploadStreamWithId(fileId as never, fileId)
    try {
      await pipeline(Readable.from(bytes, { objectMode: false }), upload)
    } catch (error) {
      await removeFile(fileId).catch(() => {})
      throw error
    }
  }

  async function* listFiles(): AsyncGenerator<AttachmentKey> {
    for await (const { _id } of bucket.find({}, { projection: { _id: 1 } })) {
      const [tenantId, id] = JSON.parse(String(_id)) as [string, string]
      yield { tenantId, id }
    }
  }

  return {
    write: (key, bytes) => gate.pass(() => writeFile(fileIdOf(key), bytes)),
    read: (key) =>
      gate.pass(async () => {
        const found = await findFile(key)
        return found && bucket.openDownloadStream(found._id)
      }),
    fileOf: () => undefined,
    sizeOf: (key) => gate.pass(async () => (await findFile(key))?.length),
    list: listFiles,
    // Every file of the bucket has a key.
    async *listStrays() {},
    remove: (key) => gate.pass(() => removeFile(fileIdOf(key))),
    async close() {
      await gate.close()
      await connection.close()
    },
  }
}
