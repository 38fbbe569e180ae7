import type { LiveEventData, User } from '@crmkit/core'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { readAll } from '../shared/read-all.ts'
import { userOfRecord } from '../shared/user-of-record.ts'
import type { UserRecord } from '../storage/kinds/users.ts'
import type { TenantId } from '../storage/records.ts'
import { frameOf, type LiveReaders } from './live-readers.ts'

interface AvailabilityWatchParts {
  storage: Pick<Storage, 'forTenant'>
  clock: Clock
  log: Log
  readers: LiveReaders
}

/** The value that the streams of this process got last: a person who has restricted the processing of their data sees more than others. */
interface Told {
  own: User['availability']
  others: User['availability']
}

interface Watched {
  streams: number
  told: Map<string, Told>
  /** One look after the other, so that a later value never arrives before an earlier one. */
  looking: Promise<void>
}

const pageSize = 100

/**
 * Sends to the streams of this process whose availability has another value. Most of them change by time alone, and any process may
 * have the person's stream: so each process looks for itself, and at once at users of whom a commit speaks.
 */
export class AvailabilityWatch {
  readonly #parts: AvailabilityWatchParts
  readonly #watched = new Map<TenantId, Watched>()

  constructor(parts: AvailabilityWatchParts) {
    this.#parts = parts
  }

  /** A stream of the tenant begins: from now on changes are sent. Returns the function that ends that. */
  async begin(tenantId: TenantId): Promise<() => void> {
    const known = this.#watched.get(tenantId)
    const watched = known ?? { streams: 0, told: new Map(), looking: Promise.resolve() }
    watched.streams += 1
    this.#watched.set(tenantId, watched)
    await (known === undefined ? this.#lookAtAll(tenantId) : watched.looking)
    return () => {
      watched.streams -= 1
      if (watched.streams === 0) this.#watched.delete(tenantId)
    }
  }

  /** Looks at these users of a tenant. */
  note(tenantId: TenantId, userIds: readonly string[]): void {
    void this.#queue(tenantId, async (told) => {
      const store = this.#parts.storage.forTenant(tenantId)
      for (const id of userIds) {
        const user = await store.users.find(id)
        if (user === undefined) told.delete(id)
        else this.#tell(tenantId, told, user)
      }
    })
  }

  /** Looks at all users of the tenants with a stream here. */
  async repeat(): Promise<void> {
    for (const tenantId of [...this.#watched.keys()]) await this.#lookAtAll(tenantId)
  }

  #lookAtAll(tenantId: TenantId): Promise<void> {
    return this.#queue(tenantId, async (told) => {
      const { users } = this.#parts.storage.forTenant(tenantId)
      const page = { page: 1, limit: pageSize }
      for await (const user of readAll((cursor) => users.listRows({ ...page, cursor })))
        this.#tell(tenantId, told, user)
    })
  }

  #queue(tenantId: TenantId, look: (told: Map<string, Told>) => Promise<void>): Promise<void> {
    const watched = this.#watched.get(tenantId)
    if (watched === undefined) return Promise.resolve()
    watched.looking = watched.looking
      .then(() => look(watched.told))
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error, tenantId }, 'The availability of users could not be read')
      })
    return watched.looking
  }

  #tell(tenantId: TenantId, told: Map<string, Told>, user: UserRecord): void {
    const { clock, readers } = this.#parts
    const now = isoTime(clock.nowMs())
    const [own, others] = [userOfRecord(user, { now, viewerId: user._id }), userOfRecord(user, { now })]
    const before = told.get(user._id)
    told.set(user._id, { own: own.availability, others: others.availability })
    if (before === undefined) return
    for (const reader of readers.of(tenantId)) {
      const isOwn = reader.user._id === user._id
      const [shown, was] = isOwn ? [own, before.own] : [others, before.others]
      if (shown.availability === was || !reader.hears('availability.changed')) continue
      reader.send(frameOf({ event: 'availability.changed', timestamp: now, data: dataOf(shown) }))
    }
  }
}

function dataOf({ _id, availability, availabilitySince }: User): LiveEventData<'availability.changed'> {
  return { userId: _id, availability, since: availabilitySince }
}
