import { hash } from 'node:crypto'
import type { IdentityNote } from '../../features/system-handler.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SystemStore } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import type { AuditEntry } from '../../storage/kinds/audit-log.ts'
import type { TenantId } from '../../storage/records.ts'
import { PeriodicWriter } from './periodic-writer.ts'

/** Notes of one user within it are one entry with a count. */
const windowMs = 15 * 60_000
/** Entries that cannot be written for so long are dropped before they fill the memory. */
const unwrittenMax = 10_000

type CountedEntry = AuditEntry & { count: number }

interface Counted {
  note: Omit<IdentityNote, 'identityIds'>
  identityId: string
  windowIndex: number
  firstAtMs: number
  count: number
}

interface Parts {
  clock: Clock
  onError(error: unknown): void
}

type System = Pick<SystemStore, 'across' | 'commit'>

/**
 * Writes notes about identities into the audit log of every tenant that they belong to: in memory, and every second into
 * the storage, so that nobody waits for it, and a thousand failed sign-ins are one entry and not a thousand writes. A storage that fails half-way through the tenants of an
 * identity may count twice in the first of them; a process that is killed loses a second.
 */
export class IdentityAuditRecorder extends PeriodicWriter {
  readonly #system: System
  readonly #parts: Parts
  #counted = new Map<string, Counted>()

  constructor(system: System, parts: Parts) {
    super()
    this.#system = system
    this.#parts = parts
  }

  note({ identityIds, ...note }: IdentityNote): void {
    const nowMs = this.#parts.clock.nowMs()
    const windowIndex = Math.floor(nowMs / windowMs)
    for (const identityId of identityIds)
      this.#add({ note, identityId, windowIndex, firstAtMs: nowMs, count: 1 })
  }

  #add(more: Counted): void {
    const key = JSON.stringify([more.note, more.identityId, more.windowIndex])
    const counted = this.#counted.get(key)
    if (counted) counted.count += more.count
    else if (this.#counted.size < unwrittenMax) this.#counted.set(key, more)
  }

  protected override async write(): Promise<void> {
    const counted = this.#counted
    this.#counted = new Map()
    for (const one of counted.values()) {
      try {
        await this.#writeOne(one)
      } catch (error) {
        this.#parts.onError(error)
        this.#add(one)
      }
    }
  }

  async #writeOne({ note, identityId, windowIndex, firstAtMs, count }: Counted): Promise<void> {
    const { action, byOwner, exceptUserId } = note
    for (const { tenantId, row: user } of await this.#system.across.memberships.of(identityId)) {
      if (user._id === exceptUserId) continue
      const row: CountedEntry = {
        _id: entryId(action, user._id, windowIndex),
        tenantId,
        at: isoTime(firstAtMs),
        actor: byOwner ? { type: 'user', _id: user._id } : { type: 'system', _id: null },
        action,
        target: { type: 'user', _id: user._id },
        reason: null,
        changed: [],
        count,
        requestId: null,
      }
      await this.#addEntry(tenantId, row)
    }
  }

  /** Another process may write the same entry at this moment. */
  async #addEntry(tenantId: TenantId, row: CountedEntry): Promise<void> {
    const patch = { op: 'patch', kind: 'auditLog', id: row._id, increment: { count: row.count } } as const
    const addCount = () => this.#system.commit(tenantId, { writes: [patch], events: [] })
    const insert = () =>
      this.#system.commit(tenantId, { writes: [{ op: 'insert', kind: 'auditLog', row }], events: [] })
    try {
      await addCount()
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error
      await insert().catch((failed: unknown) => {
        if (!(failed instanceof UniqueConflict)) throw failed
        return addCount()
      })
    }
  }
}

const idLength = 26

/** The same in every process. */
function entryId(action: string, userId: string, windowIndex: number): string {
  const digest = hash('sha256', JSON.stringify([action, userId, windowIndex]))
  return `aud_${digest.slice(0, idLength).toUpperCase()}`
}
