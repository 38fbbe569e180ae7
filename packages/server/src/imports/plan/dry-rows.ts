import { normalizeEmail } from '@crmkit/core/vocabulary'
import type { Scratch } from '../../ports/scratch.ts'
import type { ContactQuery } from '../../ports/storage.ts'
import { ownAddressOf } from '../../shared/people-of-address.ts'
import type { Records } from '../../storage/kinds/registry.ts'
import type { Stored } from '../../storage/records.ts'
import { phoneTail } from '../../storage/sort-keys.ts'
import type { AddressOwner } from '../rules/match-customers.ts'
import type { ImportedKind, RowReader, WorkingSet } from './working-set.ts'

/**
 * The rows that a dry run would have written, before those of the tenant: later pages meet them as they would in the
 * real import. They are in a scratch on disk, however many there are.
 */
export class DryRows implements RowReader {
  readonly #stored: RowReader
  readonly #scratch: Scratch

  constructor(stored: RowReader, scratch: Scratch) {
    this.#stored = stored
    this.#scratch = scratch
  }

  async find<K extends ImportedKind>(kind: K, id: string): Promise<Stored<Records[K]> | undefined> {
    return this.#planned(kind, id) ?? (await this.#stored.find(kind, id))
  }

  async listByContact(query: ContactQuery): Promise<Stored<Records['customers']>[]> {
    const stored = await this.#stored.listByContact(query)
    const keys = [...query.emails.map(emailKey), ...query.phoneTails.map(phoneKey)]
    const ids = new Set(keys.flatMap((key) => this.#idsOf(key)))
    const planned = [...ids].flatMap((id) => this.#planned('customers', id) ?? [])
    return [...stored.map((row) => this.#planned('customers', row._id) ?? row), ...planned]
  }

  async listOwners(addresses: readonly string[], limit: number): Promise<AddressOwner[]> {
    const planned = addresses.flatMap((address) =>
      this.#idsOf(addressKey(address)).map((customerId) => ({ address, customerId, isFormer: false })),
    )
    return [...(await this.#stored.listOwners(addresses, limit)), ...planned]
  }

  /** Keeps what a page would have written. */
  keep(set: WorkingSet, contactsMax: number): void {
    set.eachChanged((kind, row, version) => {
      this.#scratch.set(rowKey(kind, row._id), JSON.stringify({ ...row, version: version + 1 }))
    })
    for (const { row } of set.changed('customers')) {
      const [address, tail] = [ownAddressOf(row), phoneTail(row.profile.phone)]
      if (address !== null) this.#note(emailKey(address), row._id, contactsMax)
      if (tail !== null) this.#note(phoneKey(tail), row._id, contactsMax)
    }
    for (const [id, addresses] of set.namedAddresses) {
      for (const address of addresses) this.#note(addressKey(normalizeEmail(address)), id, contactsMax)
    }
  }

  #note(key: string, id: string, idsMax: number): void {
    const ids = this.#idsOf(key)
    if (!ids.includes(id) && ids.length < idsMax) this.#scratch.set(key, JSON.stringify([...ids, id]))
  }

  close(): void {
    this.#scratch.close()
  }

  #planned<K extends ImportedKind>(kind: K, id: string): Stored<Records[K]> | undefined {
    const text = this.#scratch.get(rowKey(kind, id))
    return text === undefined ? undefined : (JSON.parse(text) as Stored<Records[K]>)
  }

  #idsOf(key: string): string[] {
    const text = this.#scratch.get(key)
    return text === undefined ? [] : (JSON.parse(text) as string[])
  }
}

function rowKey(kind: ImportedKind, id: string): string {
  return `${kind} ${id}`
}

function emailKey(email: string): string {
  return `@email ${email}`
}

function addressKey(address: string): string {
  return `@address ${address}`
}

function phoneKey(tail: string): string {
  return `@phone ${tail}`
}
