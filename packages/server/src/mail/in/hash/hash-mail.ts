import { Worker } from 'node:worker_threads'
import type { HashReply, HashRequest } from './hash-thread.ts'
import { MailHash, type MailHashes } from './mail-hash.ts'

const stepBytes = 256 * 1024

/**
 * Hashes a small mail where it is; 128 KB take less than a millisecond. A large one is hashed in a thread: two hashes of 25 MB and
 * the form of their lines take 200 ms, in which no request would go on. `bodyStart`: where its body begins.
 */
export function hashMail(pieces: readonly Uint8Array[], bodyStart: number): MailHashes {
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

/** Hashes a mail by its file, whose bytes then pass through no memory of this thread. */
export async function hashFile(file: string, bodyStart: number): Promise<MailHashes> {
  thread ??= startThread()
  return known(await ask(thread, { id: nextId++, bodyStart, file }))
}

/** Hashes a large mail while it passes. */
export class PassingHash {
  // One thread for a mail, also when another one takes its place meanwhile.
  readonly #thread: Thread
  readonly #id = nextId++
  readonly #begun: Promise<unknown>

  constructor(bodyStart: number) {
    thread ??= startThread()
    this.#thread = thread
    this.#begun = ask(thread, { id: this.#id, bodyStart })
    // The one who passes bytes sees the failure.
    this.#begun.catch(() => {})
  }

  async *pass(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    await this.#begun
    let isWhole = false
    try {
      for await (const piece of bytes) {
        await this.#add(piece)
        yield piece
      }
      isWhole = true
    } finally {
      // The thread forgets a mail that breaks off.
      if (!isWhole) void this.end().catch(() => {})
    }
  }

  async #add(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length; at += stepBytes) {
      // A copy, so that nobody else loses its bytes.
      const step = new Uint8Array(piece.subarray(at, at + stepBytes))
      await ask(this.#thread, { id: this.#id, step })
    }
  }

  async end(): Promise<MailHashes> {
    return known(await ask(this.#thread, { id: this.#id, end: true }))
  }
}

function known(hashes: MailHashes | null): MailHashes {
  if (hashes === null) throw new Error('The thread that hashes mails lost one')
  return hashes
}

function ask({ worker, waiting }: Thread, request: HashRequest): Promise<MailHashes | null> {
  return new Promise((resolve, reject) => {
    waiting.set(request.id, { resolve, reject })
    worker.ref()
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
  worker.on('message', ({ id, hashes, error }: HashReply) => {
    const asked = started.waiting.get(id)
    started.waiting.delete(id)
    if (started.waiting.size === 0) worker.unref()
    if (error === undefined) asked?.resolve(hashes)
    else asked?.reject(Object.assign(new Error(`A mail cannot be hashed: ${error}`), { code: error }))
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that hashes mails has ended')))
  return started
}
