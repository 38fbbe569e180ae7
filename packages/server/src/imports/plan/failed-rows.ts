import type { OpenScratch, Scratch } from '../../ports/scratch.ts'
import type { TenantStore } from '../../ports/storage.ts'

const pageSize = 1_000

interface FailedRowsParts {
  store: TenantStore
  openScratch: OpenScratch
  runId: string
}

/** The rows of files from which nothing was imported, in this run and in the runs that it continues. */
export class FailedRows {
  readonly #parts: FailedRowsParts
  #scratch: Scratch | undefined
  #isLoaded = false

  constructor(parts: FailedRowsParts) {
    this.#parts = parts
  }

  /** Whether nothing was imported from a row; only after `load`. */
  has(key: string): boolean {
    return this.#texts().get(key) === 'failed'
  }

  /** Notes what became of rows, by their key. */
  note(rows: ReadonlyMap<string, boolean>): void {
    for (const [key, isFailed] of rows) {
      if (isFailed || this.has(key)) this.#texts().set(key, isFailed ? 'failed' : 'imported')
    }
  }

  /** Reads the failed rows that another process, or an earlier run, has reported. */
  async load(): Promise<void> {
    if (this.#isLoaded) return
    const { store, runId } = this.#parts
    for (let id: string | null = runId; id !== null; ) {
      await this.#loadRun(id)
      const run: { retryOf: string | null } | undefined = await store.importRuns.find(id)
      id = run?.retryOf ?? null
    }
    this.#isLoaded = true
  }

  async #loadRun(runId: string): Promise<void> {
    let cursor: string | undefined
    do {
      const paging = { page: 1, limit: pageSize, ...(cursor !== undefined && { cursor }) }
      const found = await this.#parts.store.importIssues.listRows({ runId, severity: 'error', ...paging })
      for (const { module, row } of found.rows) {
        const key = row === null ? undefined : rowKey({ module, row })
        // This process knows newer things of the row.
        if (key !== undefined && this.#texts().get(key) === undefined) this.#texts().set(key, 'failed')
      }
      cursor = found.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  #texts(): Scratch {
    this.#scratch ??= this.#parts.openScratch()
    return this.#scratch
  }

  close(): void {
    this.#scratch?.close()
  }
}

export function rowKey({ module, row }: { module: string; row: number }): string {
  return `${module} ${row}`
}
