import { readFile, stat } from 'node:fs/promises'

const memoryBytesMax = 512 * 1024 * 1024
const watchEveryMs = 250
const pageBytes = 4_096

/** A process that reads mails. */
export interface Watched {
  process: { readonly pid?: number | undefined }
  /** The file that it writes, and how long that becomes. */
  writing?: { file: string; size: number } | undefined
}

/** The time that a process may work on one job. It runs only while somebody waits for the process. */
export class WorkLimit {
  #leftMs: number
  readonly #onOver: () => void
  #timer: NodeJS.Timeout | undefined
  #isEnded = false

  constructor(ms: number, onOver: () => void) {
    this.#leftMs = ms
    this.#onOver = onOver
  }

  async during<T>(work: Promise<T>): Promise<T> {
    // The user of a mail that was ended may go on with its files.
    if (this.#isEnded) return work
    const sinceMs = performance.now()
    this.#timer = setTimeout(this.#onOver, this.#leftMs)
    try {
      return await work
    } finally {
      clearTimeout(this.#timer)
      this.#leftMs -= performance.now() - sinceMs
    }
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
  }
}

/**
 * Reports a process that takes too much memory, or writes more than it has announced. A system without `/proc` has the limit of its
 * heap alone.
 */
export function watchUse(active: Watched, onTooMuch: () => void): () => void {
  const timer = setInterval(() => {
    void Promise.all([residentBytes(active.process.pid), surplusOf(active.writing)]).then(
      ([resident, surplus]) => {
        if (resident > memoryBytesMax || surplus > 0) onTooMuch()
      },
    )
  }, watchEveryMs)
  return () => clearInterval(timer)
}

async function surplusOf(writing: Watched['writing']): Promise<number> {
  if (writing === undefined) return 0
  const found = await stat(writing.file).catch(() => undefined)
  return (found?.size ?? 0) - writing.size
}

async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const [, resident = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')
    return Number(resident) * pageBytes
  } catch {
    return 0
  }
}
