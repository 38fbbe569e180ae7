import { type MessagePort, parentPort } from 'node:worker_threads'
import { MailHash, type MailHashes } from './mail-hash.ts'

/* The thread that hashes large mails. It gets one step after the other, and replies to each. */

export type HashRequest =
  | { id: number; bodyStart: number }
  | { id: number; step: Uint8Array }
  | { id: number; end: true }

/** Null: the step is taken. */
export type HashReply = { id: number; hashes: MailHashes | null }

if (!parentPort) throw new Error('this file runs as a worker thread')
const port: MessagePort = parentPort
const running = new Map<number, MailHash>()

function take(request: HashRequest): MailHashes | null {
  const { id } = request
  if ('bodyStart' in request) running.set(id, new MailHash(request.bodyStart))
  else if ('step' in request) running.get(id)?.add(request.step)
  else {
    const hashes = running.get(id)?.end() ?? null
    running.delete(id)
    return hashes
  }
  return null
}

port.on('message', (request: HashRequest) => {
  port.postMessage({ id: request.id, hashes: take(request) } satisfies HashReply)
})
