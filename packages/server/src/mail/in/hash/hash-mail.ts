import { Worker } from 'node:worker_threads'
import type { HashReply, HashRequest } from './hash-thread.ts'
import { MailHash, type MailHashes } from './mail-hash.ts'

/** A mail up to this size is hashed where it is: that takes less than a millisecond. */
const inlineBytesMax = 128 * 1024
const stepBytes = 256 * 1024

/**
 * Hashes a mail. `bodyStart`: where its body begins. A large one is hashed in a thread: two hashes of 25 MB and the form
 * of their lines take 200 ms, in which no request would go on.
 */
export async function hashMail(pieces: readonly Uint8Array[], bodyStart: number): Promise<MailHashes> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length > inlineBytesMax) return hashInThread(pieces, bodyStart)
  const hash = new MailHash(bodyStart)
  for (const piece of pieces) hash.add(piece)
  return hash.end()
}

interface Waiting {
  resolve(hashes: MailHashes | null): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  waiting: Map<number, Waiting>
}

let thread: Thread | undefined
let nextId = 1

async function hashInThread(pieces: readonly Uint8Array[], bodyStart: number): Promise<MailHashes> {
  // One thread for a mail, also when another one takes its place meanwhile.
  thread ??= startThread()
  const running = thread
  const id = nextId++
  await ask(running, { id, bodyStart })
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += stepBytes)
      await ask(running, { id, step: new Uint8Array(piece.subarray(at, at + stepBytes)) })
  const hashes = await ask(running, { id, end: true })
  if (hashes === null) throw new Error('The thread that hashes mails lost one')
  return hashes
}

function ask({ worker, waiting }: Thread, request: HashRequest): Promise<MailHashes | null> {
  return new Promise((resolve, reject) => {
    waiting.set(request.id, { resolve, reject })
    worker.ref()
    // The step is a copy, so that nobody else loses its bytes.
    worker.postMessage(request, 'step' in request ? [request.step.buffer as ArrayBuffer] : [])
  })
}

/** It is started for the first large mail. Its file is next to this one, as source or compiled. */
function startThread(): Thread {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./hash-thread.${extension}`, import.meta.url), { name: 'hash-thread' })
  const started: Thread = { worker, waiting: new Map() }
  function fail(error: Error): void {
    if (thread === started) thread = undefined
    for (const { reject } of started.waiting.values()) reject(error)
    started.waiting.clear()
  }
  worker.on('message', ({ id, hashes }: HashReply) => {
    const asked = started.waiting.get(id)
    started.waiting.delete(id)
    if (started.waiting.size === 0) worker.unref()
    asked?.resolve(hashes)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that hashes mails has ended')))
  return started
}
