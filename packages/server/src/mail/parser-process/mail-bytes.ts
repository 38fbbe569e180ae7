import { setImmediate as nextTurn } from 'node:timers/promises'
import { notePassed } from '../../shared/passed-bytes.ts'

const blockBytes = 64 * 1024
/** Most mails fit into one block. */
const firstBlockBytes = 8 * 1024
/** Chunks from this size on stay as they are; a chunk of a socket has at most 64 KB. */
const largeChunkBytes = 8 * 1024
/** One or two chunks in each turn of the event loop. */
const turnBytes = 64 * 1024

/** Gathers all chunks of a mail, as `MailBytes` does. */
export async function gatherBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const bytes = new MailBytes()
  for await (const chunk of chunks) await bytes.add(chunk)
  return bytes.take()
}

/**
 * Returns the pieces of a mail while it arrives, in shares of `shareBytes` at least; the last one has fewer, or none. Nothing but the
 * present share is kept.
 */
export async function* inShares(
  chunks: AsyncIterable<Uint8Array>,
  shareBytes: number,
): AsyncGenerator<Uint8Array[], void> {
  let share = new MailBytes()
  for await (const chunk of chunks) {
    await share.add(chunk)
    if (share.length < shareBytes) continue
    notePassed(share.length)
    yield share.take()
    share = new MailBytes()
  }
  yield share.take()
}

/**
 * Gathers the bytes of a mail in a few pieces. The sender decides about the chunks in which a mail arrives, and millions of a
 * few bytes each would need more than a gigabyte.
 */
export class MailBytes {
  readonly #pieces: Uint8Array[] = []
  #block = Buffer.alloc(0)
  #used = 0
  #turnBytes = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Adds bytes, and lets others have the event loop after each share of it: a sender on the same machine never pauses. */
  async add(chunk: Uint8Array): Promise<void> {
    // A view of a much larger buffer would keep all of it.
    const isLarge = chunk.length >= largeChunkBytes && chunk.buffer.byteLength <= 2 * chunk.length
    if (isLarge) this.#keep(chunk)
    else this.#copy(chunk)
    this.#length += chunk.length
    this.#turnBytes += chunk.length
    if (this.#turnBytes < turnBytes) return
    this.#turnBytes = 0
    await nextTurn()
  }

  #keep(chunk: Uint8Array): void {
    this.#endPiece()
    this.#pieces.push(chunk)
  }

  #copy(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#used === this.#block.length) this.#beginBlock(chunk.length - at)
      const step = chunk.subarray(at, at + this.#block.length - this.#used)
      this.#block.set(step, this.#used)
      this.#used += step.length
      at += step.length
    }
  }

  #beginBlock(wanted: number): void {
    this.#endPiece()
    const bytes = this.#length === 0 ? Math.max(firstBlockBytes, wanted) : blockBytes
    this.#block = Buffer.allocUnsafeSlow(Math.min(bytes, blockBytes))
  }

  /** The rest of the block takes the next bytes. */
  #endPiece(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used))
    this.#block = this.#block.subarray(this.#used)
    this.#used = 0
  }

  /** Returns everything that was added. Nothing can be added after it. */
  take(): Uint8Array[] {
    this.#endPiece()
    return this.#pieces
  }
}
