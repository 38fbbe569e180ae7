import { createServer, type Socket } from 'node:net'
import mongoose from 'mongoose'

const { BSON } = mongoose.mongo
const headerLength = 16
const messageCode = 2013
const queryCode = 2004
const replyCode = 1

/** What a MongoDB server that belongs to no replica set says of itself. */
const hello = {
  isWritablePrimary: true,
  ismaster: true,
  helloOk: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 17,
  readOnly: false,
  ok: 1,
}

function reply(request: Buffer): Buffer {
  const body = Buffer.from(BSON.serialize(hello))
  const isQuery = request.readInt32LE(12) === queryCode
  // A query is answered with flags, cursor, position and count; a message with flags and a section's kind.
  const prefix = Buffer.alloc(isQuery ? 20 : 5)
  if (isQuery) prefix.writeInt32LE(1, 16)
  const header = Buffer.alloc(headerLength)
  header.writeInt32LE(headerLength + prefix.length + body.length, 0)
  header.writeInt32LE(request.readInt32LE(4), 8)
  header.writeInt32LE(isQuery ? replyCode : messageCode, 12)
  return Buffer.concat([header, prefix, body])
}

function answer(socket: Socket): void {
  let received = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= headerLength && received.length >= received.readInt32LE(0)) {
      const length = received.readInt32LE(0)
      socket.write(reply(received.subarray(0, length)))
      received = received.subarray(length)
    }
  })
}

/** Speaks as much of MongoDB's protocol as a standalone server is asked before it is refused. */
export async function startStandaloneMongo(): Promise<{ url: string; stop(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `mongodb://127.0.0.1:${port}/crm`,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
