import { closeSync, openSync, readSync } from 'node:fs'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { MailHash, type MailHashes } from './mail-hash.ts'

/* The thread that hashes large mails: by their files, or in steps, of which it takes one after the other. It replies to each. */

export type HashRequest =
  | { id: number; bodyStart: number; file?: string }
  | { id: number; step: Uint8Array }
  | { id: number; end: true }

export interface HashReply {
  id: number
  /** Null: the step is taken. */
  hashes: MailHashes | null
  /** The code of the system that refuses the file. */
  error?: string
}

if (!parentPort) throw new Error('this file runs as a worker thread')
const port: MessagePort = parentPort
const running = new Map<number, MailHash>()
const readBytes = 256 * 1024

function hashOfFile(file: string, bodyStart: number): MailHashes {
  const hash = new MailHash(bodyStart)
  const buffer = Buffer.allocUnsafe(readBytes)
  const handle = openSync(file, 'r')
  try {
    for (let read = -1; read !== 0; ) {
      read = readSync(handle, buffer)
      hash.add(buffer.subarray(0, read))
    }
  } finally {
    closeSync(handle)
  }
  return hash.end()
}

function take(request: HashRequest): MailHashes | null {
  const { id } = request
  if ('bodyStart' in request) {
    if (request.file !== undefined) return hashOfFile(request.file, request.bodyStart)
    running.set(id, new MailHash(request.bodyStart))
  } else if ('step' in request) running.get(id)?.add(request.step)
  else {
    const hashes = running.get(id)?.end() ?? null
    running.delete(id)
    return hashes
  }
  return null
}

function replyTo(request: HashRequest): HashReply {
  const { id } = request
  try {
    return { id, hashes: take(request) }
  } catch (error) {
    return { id, hashes: null, error: (error as NodeJS.ErrnoException).code ?? String(error) }
  }
}

port.on('message', (request: HashRequest) => port.postMessage(replyTo(request)))
