import type { Write } from '../ports/change.ts'
import type { ContactQuery, TenantStore } from '../ports/storage.ts'
import type { Records, TenantKind } from '../storage/kinds/registry.ts'
import type { Stored } from '../storage/records.ts'

/** The kinds that an import reads and writes by their ids. */
export type ImportedKind = Extract<
  TenantKind,
  'customers' | 'conversations' | 'messages' | 'calls' | 'inboxes' | 'importLinks' | 'importUndo'
>

interface Entry {
  kind: ImportedKind
  /** The version that is stored; 0 for a row that is new. */
  version: number
  row: Records[ImportedKind] | undefined
  isChanged: boolean
}

/** Kinds in the order in which their rows are written: an owner before its children. */
const order: readonly ImportedKind[] = [
  'inboxes',
  'customers',
  'conversations',
  'messages',
  'calls',
  'importLinks',
  'importUndo',
]

/**
 * The rows of one page: each is read once, changed in memory, and written once with the page. A dry run keeps one for
 * the whole run instead of writing, so that it counts what the import would do.
 */
export class WorkingSet {
  readonly #store: TenantStore
  readonly #entries = new Map<string, Entry>()

  constructor(store: TenantStore) {
    this.#store = store
  }

  /** Reads rows that are not there yet, all of them at once. */
  async load(kind: ImportedKind, ids: readonly string[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#entries.has(keyOf(kind, id)))
    const rows = await Promise.all(missing.map((id) => this.#store[kind].find(id)))
    missing.forEach((id, index) => {
      const found = rows[index] as Stored<Records[ImportedKind]> | undefined
      this.#add(kind, id, found)
    })
  }

  #add(kind: ImportedKind, id: string, found: Stored<Records[ImportedKind]> | undefined): void {
    const key = keyOf(kind, id)
    if (this.#entries.has(key)) return
    if (found === undefined) {
      this.#entries.set(key, { kind, version: 0, row: undefined, isChanged: false })
      return
    }
    const { version, ...row } = found
    this.#entries.set(key, { kind, version, row: row as Records[ImportedKind], isChanged: false })
  }

  /** Reads the customers with these contacts, and returns all of the set. */
  async loadByContact(query: ContactQuery): Promise<Records['customers'][]> {
    const isAsked = query.emails.length + query.phoneTails.length > 0
    const found = isAsked ? await this.#store.customers.listByContact(query) : []
    for (const row of found) this.#add('customers', row._id, row)
    return [...this.#entries.values()].flatMap(({ kind, row }) =>
      kind === 'customers' && row !== undefined ? [row as Records['customers']] : [],
    )
  }

  /** Returns a row that was loaded; undefined when there is none. */
  find<K extends ImportedKind>(kind: K, id: string): Records[K] | undefined {
    return this.#entries.get(keyOf(kind, id))?.row as Records[K] | undefined
  }

  /** The version that a row has after the page. */
  versionAfter(kind: ImportedKind, id: string): number {
    const entry = this.#entries.get(keyOf(kind, id))
    return (entry?.version ?? 0) + (entry?.isChanged ? 1 : 0)
  }

  put<K extends ImportedKind>(kind: K, row: Records[K]): void {
    const key = keyOf(kind, row._id)
    const version = this.#entries.get(key)?.version ?? 0
    this.#entries.set(key, { kind, version, row: row as Records[ImportedKind], isChanged: true })
  }

  writes(): Write[] {
    const changed = [...this.#entries].filter(([, { isChanged }]) => isChanged)
    return order.flatMap((kind) =>
      changed.flatMap(([, entry]) => (entry.kind === kind ? [writeOf(entry)] : [])),
    )
  }
}

function keyOf(kind: ImportedKind, id: string): string {
  return `${kind} ${id}`
}

function writeOf({ kind, version, row }: Entry): Write {
  if (version === 0) return { op: 'insert', kind, row } as Write
  const { _id: id } = row as { _id: string }
  return { op: 'update', kind, id, expectVersion: version, set: row } as Write
}
