import type { SourceConnection, SourceModule, SourcePage, SourceRecord } from '../../src/ports/connector.ts'

type Given = Partial<Omit<SourceRecord, 'fields'>> &
  Pick<SourceRecord, 'module' | 'id'> & { fields?: SourceRecord['fields'] }

/** A source in memory: an implementation of the port, whose records a test changes between two pages. */
export class MemorySource {
  readonly #records = new Map<string, SourceRecord>()
  readonly #deleted: { module: SourceModule; id: string; deletedAt: string }[] = []
  readonly #pageSize: number
  #clockMs = Date.parse('2026-01-01T00:00:00.000Z')
  /** Called before each page is read; it may throw a `SourceFailure`. */
  beforePage: (module: SourceModule) => void | Promise<void> = () => {}
  /** Called before the deleted records of a module are read, as `beforePage`. */
  beforeDeleted: (module: SourceModule) => void = () => {}
  pagesRead = 0

  constructor({ pageSize = 200 }: { pageSize?: number } = {}) {
    this.#pageSize = pageSize
  }

  #now(): string {
    this.#clockMs += 1000
    return new Date(this.#clockMs).toISOString()
  }

  get now(): string {
    return new Date(this.#clockMs).toISOString()
  }

  put(given: Given): void {
    const key = `${given.module} ${given.id}`
    const before = this.#records.get(key)
    const modifiedAt = this.#now()
    this.#records.set(key, {
      row: null,
      url: null,
      person: null,
      parent: null,
      customFields: {},
      warnings: [],
      ...before,
      ...given,
      fields: { ...before?.fields, ...given.fields },
      createdAt: given.createdAt ?? before?.createdAt ?? modifiedAt,
      modifiedAt: given.modifiedAt ?? modifiedAt,
    })
  }

  remove(module: SourceModule, id: string): void {
    if (this.#records.delete(`${module} ${id}`)) this.#deleted.push({ module, id, deletedAt: this.#now() })
  }

  records(module: SourceModule): SourceRecord[] {
    const all = [...this.#records.values()].filter((record) => record.module === module)
    return all.sort((a, b) => keyOf(a).localeCompare(keyOf(b)))
  }

  open = (): SourceConnection => ({
    identify: async () => ({ id: 'acc', name: null, email: null, country: null, timeZone: null }),
    describe: async () => [],
    count: async (module) => this.records(module).length,
    pages: (module, { window, from }) => this.#pages(module, { window, from }),
    byIds: async (module, ids) => this.records(module).filter(({ id }) => ids.includes(id)),
    deleted: async function* (this: MemorySource, module: SourceModule, since: string) {
      this.beforeDeleted(module)
      const found = this.#deleted.filter((one) => one.module === module && one.deletedAt >= since)
      if (found.length > 0) yield found
    }.bind(this),
    close: async () => {},
  })

  /** Pages by the last record's moment, as a real source is read: a record that changes meanwhile moves to the end. */
  async *#pages(
    module: SourceModule,
    {
      window,
      from,
    }: {
      window: { since: string | null; before: string | null }
      from: Readonly<Record<string, unknown>> | null
    },
  ): AsyncGenerator<SourcePage> {
    let after = typeof from?.['after'] === 'string' ? from['after'] : ''
    for (;;) {
      await this.beforePage(module)
      const { since, before } = window
      const left = this.records(module).filter(
        (record) =>
          keyOf(record) > after &&
          (since === null || (record.modifiedAt ?? '') >= since) &&
          (before === null || (record.modifiedAt ?? '') < before),
      )
      const records = left.slice(0, this.#pageSize)
      const last = records.at(-1)
      if (last) after = keyOf(last)
      const next = left.length > this.#pageSize ? { after } : null
      this.pagesRead += 1
      yield { records, next, sourceTime: this.now }
      if (next === null) return
    }
  }
}

function keyOf({ modifiedAt, id }: SourceRecord): string {
  return `${modifiedAt} ${id}`
}
