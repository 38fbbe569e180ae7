import type { Write } from '../../ports/change.ts'
import type { ContactQuery, TenantStore } from '../../ports/storage.ts'
import { findLink } from '../../shared/given-link.ts'
import { contactOf, contactWrite } from '../../shared/last-contact.ts'
import { Pauses } from '../../shared/pauses.ts'
import type { WaitingCallers } from '../../shared/waiting-callers.ts'
import type { Records, TenantKind } from '../../storage/kinds/registry.ts'
import type { Stored } from '../../storage/records.ts'
import type { AddressOwner } from '../rules/match-customers.ts'

/** The kinds that an import reads and writes by their ids. */
export type ImportedKind = Extract<
  TenantKind,
  | 'customers'
  | 'conversations'
  | 'messages'
  | 'calls'
  | 'inboxes'
  | 'suppressedAddresses'
  | 'cannedReplies'
  | 'importLinks'
  | 'importUndo'
>

/** The rows that an import meets: those of the tenant, or for a dry run also those that it would have written. */
export interface RowReader {
  find<K extends ImportedKind>(kind: K, id: string): Promise<Stored<Records[K]> | undefined>
  listByContact(query: ContactQuery): Promise<Stored<Records['customers']>[]>
  /** Returns the customers who have one of these addresses beside their `profile.email`, or who had it. */
  listOwners(addresses: readonly string[], limit: number): Promise<AddressOwner[]>
}

type Finds = {
  readonly [K in ImportedKind]: { find(id: string): Promise<Stored<Records[K]> | undefined> }
}

export function readerOf(store: TenantStore): RowReader {
  // A link that the upgrade has not moved yet is met like one that it has.
  const finds: Finds = { ...store, importLinks: { find: (id) => findLink(store, id) } }
  return {
    find: (kind, id) => finds[kind].find(id),
    listByContact: (query) => store.customers.listByContact(query),
    listOwners: async (addresses, limit) => {
      const rows = await store.customerAddresses.listByAddress({ addresses, limit })
      return rows.map(({ address, customerId, until }) => ({ address, customerId, isFormer: until !== null }))
    },
  }
}

interface Entry<K extends ImportedKind> {
  /** The version that is stored; 0 for a row that is new. */
  version: number
  row: Records[K] | undefined
  /** The row as it is stored; undefined when it is new. */
  before: Records[K] | undefined
  isChanged: boolean
}

type Entries = { readonly [K in ImportedKind]: Map<string, Entry<K>> }

/** Kinds in the order in which their rows are written: an owner before its children. */
const order: readonly ImportedKind[] = [
  'inboxes',
  'customers',
  'conversations',
  'messages',
  'calls',
  'suppressedAddresses',
  'cannedReplies',
  'importLinks',
  'importUndo',
]

/** E-mails, and as many numbers, of one look-up. */
const contactsPerLookup = 100

/** The time after which the work on a page lets other requests go first. */
const workMs = 2

/** The rows of one page: each is read once, changed in memory, and written once with the page. */
export class WorkingSet {
  readonly pauses: Pauses
  /** The e-mails, and the phone numbers in E.164 form, that records of the page name for a customer, by the customer's id. */
  readonly namedAddresses = new Map<string, Set<string>>()
  readonly #reader: RowReader
  readonly #entries: Entries = {
    inboxes: new Map(),
    customers: new Map(),
    conversations: new Map(),
    messages: new Map(),
    calls: new Map(),
    suppressedAddresses: new Map(),
    cannedReplies: new Map(),
    importLinks: new Map(),
    importUndo: new Map(),
  }

  /** @param callers Those who go first while rows are read and planned. */
  constructor(reader: RowReader, callers?: WaitingCallers) {
    this.#reader = reader
    this.pauses = new Pauses(workMs, callers)
  }

  /** Reads rows that are not there yet, all of them at once. */
  async load<K extends ImportedKind>(kind: K, ids: readonly string[]): Promise<void> {
    const entries: Map<string, Entry<K>> = this.#entries[kind]
    const missing = [...new Set(ids)].filter((id) => !entries.has(id))
    const load = async (id: string) => {
      const found = await this.#reader.find(kind, id)
      if (found) this.#add(kind, found)
      else if (!entries.has(id))
        entries.set(id, { version: 0, row: undefined, before: undefined, isChanged: false })
    }
    const loads: Promise<void>[] = []
    for (const id of missing) {
      const loading = load(id)
      // A failure is reported below, behind the last look-up.
      loading.catch(() => {})
      loads.push(loading)
      if (this.pauses.isDue()) await this.pauses.take()
    }
    await Promise.all(loads)
  }

  #add<K extends ImportedKind>(kind: K, found: Stored<Records[K]>): void {
    const entries: Map<string, Entry<K>> = this.#entries[kind]
    if (entries.has(found._id)) return
    const { version, ...row } = found
    // A row without its version: the compiler does not see it through the type parameter.
    const stored = row as unknown as Records[K]
    entries.set(found._id, { version, row: stored, before: stored, isChanged: false })
  }

  /** Reads the customers with these contacts, and returns all of the set. */
  async loadByContact(query: ContactQuery): Promise<Records['customers'][]> {
    for (const some of inParts(query)) {
      for (const row of await this.#reader.listByContact(some)) this.#add('customers', row)
      await this.pauses.takeIfDue()
    }
    return [...this.#entries.customers.values()].flatMap(({ row }) => row ?? [])
  }

  /** Reads the customers who have one of these addresses beside their `profile.email`, or had it, and returns who and which. */
  async loadOwners(addresses: readonly string[], limit: number): Promise<AddressOwner[]> {
    const owners: AddressOwner[] = []
    for (let start = 0; start < addresses.length; start += contactsPerLookup) {
      const some = addresses.slice(start, start + contactsPerLookup)
      owners.push(...(await this.#reader.listOwners(some, limit)))
      await this.pauses.takeIfDue()
    }
    await this.load(
      'customers',
      owners.map(({ customerId }) => customerId),
    )
    return owners
  }

  nameAddresses(customerId: string, addresses: readonly string[]): void {
    const named = this.namedAddresses.get(customerId) ?? new Set()
    for (const address of addresses) named.add(address)
    if (named.size > 0) this.namedAddresses.set(customerId, named)
  }

  /** Returns a row that was loaded; undefined when there is none. */
  find<K extends ImportedKind>(kind: K, id: string): Records[K] | undefined {
    return this.#entries[kind].get(id)?.row
  }

  /** Returns a row as it is stored; undefined when it is new. */
  findStored<K extends ImportedKind>(kind: K, id: string): Records[K] | undefined {
    return this.#entries[kind].get(id)?.before
  }

  /** The version that a row has after the page. */
  versionAfter(kind: ImportedKind, id: string): number {
    const entry = this.#entries[kind].get(id)
    return (entry?.version ?? 0) + (entry?.isChanged ? 1 : 0)
  }

  /** The version that a row had before the page; 0 for one that is new. */
  versionBefore(kind: ImportedKind, id: string): number {
    return this.#entries[kind].get(id)?.version ?? 0
  }

  put<K extends ImportedKind>(kind: K, row: Records[K]): void {
    const entries: Map<string, Entry<K>> = this.#entries[kind]
    const { version = 0, before } = entries.get(row._id) ?? {}
    entries.set(row._id, { version, row, before, isChanged: true })
  }

  /** Calls back for each changed row, owners before their children. */
  eachChanged(visit: (kind: ImportedKind, row: Records[ImportedKind], version: number) => void): void {
    for (const kind of order) {
      for (const { version, row, isChanged } of this.#entries[kind].values()) {
        if (isChanged && row !== undefined) visit(kind, row, version)
      }
    }
  }

  /** Returns the changed rows of a kind, each with the row that is stored. */
  changed<K extends ImportedKind>(kind: K): { before: Records[K] | undefined; row: Records[K] }[] {
    const entries: Map<string, Entry<K>> = this.#entries[kind]
    return [...entries.values()].flatMap(({ before, row, isChanged }) =>
      isChanged && row !== undefined ? [{ before, row }] : [],
    )
  }

  /** Raises the last contact of the authors of new messages: in rows that the page writes, else by writes of their own. */
  #noteContacts(): Write[] {
    const latest = new Map<string, string>()
    for (const { before, row } of this.changed('messages')) {
      const id = contactOf(row)
      if (before !== undefined || id === undefined) continue
      if (row.createdAt > (latest.get(id) ?? '')) latest.set(id, row.createdAt)
    }
    return [...latest].flatMap(([id, at]) => {
      const entry = this.#entries.customers.get(id)
      const known = entry?.row
      if (known !== undefined && at <= (known.lastContactAt ?? '')) return []
      if (entry === undefined || known === undefined || !entry.isChanged) return [contactWrite(id, at)]
      entry.row = { ...known, lastContactAt: at }
      return []
    })
  }

  writes(): Write[] {
    const writes: Write[] = []
    const contacts = this.#noteContacts()
    this.eachChanged((kind, row, version) => writes.push(writeOf(kind, row, version)))
    return [...writes, ...contacts]
  }
}

/** Divides a look-up of many contacts, so that other requests need not wait for all of it. */
function* inParts({ emails, phoneTails, limit }: ContactQuery): Generator<ContactQuery> {
  const count = Math.max(emails.length, phoneTails.length)
  for (let start = 0; start < count; start += contactsPerLookup) {
    const end = start + contactsPerLookup
    yield { emails: emails.slice(start, end), phoneTails: phoneTails.slice(start, end), limit }
  }
}

/** The compiler does not see that the row is of the kind: both come from one entry. */
function writeOf(kind: ImportedKind, row: Records[ImportedKind], expectVersion: number): Write {
  if (expectVersion === 0) return { op: 'insert', kind, row } as Write
  return { op: 'update', kind, id: row._id, expectVersion, set: row } as Write
}
