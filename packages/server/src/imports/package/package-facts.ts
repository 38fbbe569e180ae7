import { normalizeEmail } from '@crmkit/core'
import type { PackageRecord } from '@crmkit/core/package'
import type { Scratch } from '../../ports/scratch.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { readAll } from '../../shared/read-all.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { PackageSource } from './package-source.ts'

export type PackageAgent = Pick<PackageRecord<'agents'>, 'id' | 'name' | 'email'> & {
  /** The user here who has its e-mail address; null: nobody. */
  userId: string | null
}
export type PackageAttachment = PackageRecord<'attachments'>

const pageSize = 200

/** The records of a package that others name: agents in memory, organisations and files in the scratch. */
export class PackageFacts {
  readonly #users = new Map<string, string>()
  readonly #agents = new Map<string, PackageAgent>()
  readonly #scratch: Scratch

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  /** Reads them all, at each beginning of a run. */
  async load(store: TenantStore, source: PackageSource): Promise<void> {
    const users = readAll<UserRecord>((cursor) => store.users.listRows({ page: 1, limit: pageSize, cursor }))
    for await (const { _id, email } of users) this.#users.set(normalizeEmail(email), _id)
    for await (const line of source.lines('agents')) {
      if (!('record' in line)) continue
      const { id, name, email } = line.record
      this.#agents.set(id, { id, name, email, userId: this.userOf(email) })
    }
    for await (const line of source.lines('organisations')) {
      if ('record' in line) this.#scratch.set(`organisation ${line.record.id}`, line.record.name)
    }
    for await (const line of source.lines('attachments')) {
      if ('record' in line) this.#scratch.set(`attachment ${line.record.id}`, JSON.stringify(line.record))
    }
  }

  userOf(email: string | null | undefined): string | null {
    return email ? (this.#users.get(normalizeEmail(email)) ?? null) : null
  }

  agent(id: string | null | undefined): PackageAgent | undefined {
    return id ? this.#agents.get(id) : undefined
  }

  organisation(id: string): string | undefined {
    return this.#scratch.get(`organisation ${id}`)
  }

  attachment(id: string): PackageAttachment | undefined {
    const text = this.#scratch.get(`attachment ${id}`)
    return text === undefined ? undefined : (JSON.parse(text) as PackageAttachment)
  }

  /** Notes the record whose files these are. */
  use(ids: readonly string[], by: { module: string; id: string }): void {
    for (const id of ids) this.#scratch.set(`use ${id}`, JSON.stringify(by))
  }

  userOfAttachment(id: string): { module: string; id: string } | undefined {
    const text = this.#scratch.get(`use ${id}`)
    return text === undefined ? undefined : (JSON.parse(text) as { module: string; id: string })
  }

  close(): void {
    this.#scratch.close()
  }
}
