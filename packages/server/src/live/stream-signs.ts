import type { Write } from '../ports/change.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { seenUser } from '../shared/seen-user.ts'
import type { TenantId } from '../storage/records.ts'
import type { LiveReader, LiveReaders } from './live-readers.ts'

/** A live stream of a user's session. */
export interface StreamOfUser extends Pick<LiveReader, 'tenantId' | 'sessionId'> {
  readonly user: { readonly _id: string }
  /** It goes on with one that broke off. */
  readonly isResumed: boolean
}

interface StreamSignsParts {
  storage: Pick<Storage, 'forTenant' | 'system'>
  clock: Clock
  log: Log
  readers: LiveReaders
}

/**
 * Writes for each user when a process last held a live stream of theirs, and whether one of these sessions is in use. Any process
 * reads it from the row; and a process that was killed leaves nobody online.
 */
export class StreamSigns {
  readonly #parts: StreamSignsParts
  /** Writes that have begun. */
  readonly #running = new Set<Promise<void>>()

  constructor(parts: StreamSignsParts) {
    this.#parts = parts
  }

  /** A stream begins. To open one is input; to go on with one is none. */
  begin({ tenantId, user, sessionId, isResumed }: StreamOfUser): Promise<void> {
    return this.#run(tenantId, async () => {
      const { storage } = this.#parts
      const found = await storage.system.findSession(sessionId)
      if (found === undefined) return
      const isIdle = Boolean(found.session.idleSince)
      if (isIdle && !isResumed) {
        const write = { op: 'patch', kind: 'sessions', id: sessionId, set: { idleSince: null } } as const
        await storage.system.commit(tenantId, { writes: [write], events: [] })
      }
      await this.#write(tenantId, new Map([[user._id, !isIdle || !isResumed]]))
    })
  }

  /** A stream has ended. */
  end({ tenantId, user }: LiveReader): Promise<void> {
    return this.#run(tenantId, () => this.#write(tenantId, new Map([[user._id, false]])))
  }

  /** Every 30 seconds: the users of all streams of this process, with one commit for each tenant. */
  async repeat(): Promise<void> {
    for (const tenantId of [...this.#parts.readers.tenants()])
      await this.#run(tenantId, async () => this.#write(tenantId, await this.#usersOf(tenantId)))
  }

  /** Resolves when nothing is being written. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Returns the users with a stream here, and whether one of their sessions here is in use. */
  async #usersOf(tenantId: TenantId): Promise<Map<string, boolean>> {
    const { readers, storage } = this.#parts
    const users = new Map<string, boolean>()
    const sessions = new Map([...readers.of(tenantId)].map(({ sessionId, user }) => [sessionId, user._id]))
    for (const [sessionId, userId] of sessions) {
      const found = users.get(userId) ? undefined : await storage.system.findSession(sessionId)
      const isUsed = found !== undefined && !found.session.idleSince
      users.set(userId, users.get(userId) || isUsed)
    }
    return users
  }

  async #write(tenantId: TenantId, users: ReadonlyMap<string, boolean>): Promise<void> {
    const store = this.#parts.storage.forTenant(tenantId)
    const now = isoTime(this.#parts.clock.nowMs())
    const rows = await Promise.all([...users.keys()].map((id) => store.users.find(id)))
    const writes: Write[] = rows.flatMap((row) => {
      if (row === undefined) return []
      return [seenUser(row, { now, hasStream: true, hasInput: users.get(row._id) === true }).write]
    })
    if (writes.length === 0) return
    const commit = (some: Write[]) => store.commit({ writes: some, events: [] })
    // One user who was deleted at this moment must not leave the others offline.
    await commit(writes).catch(() => Promise.all(writes.map((write) => commit([write]))))
  }

  /** A sign that cannot be written is no reason to end a stream: the next one comes in 30 seconds. */
  async #run(tenantId: TenantId, work: () => Promise<void>): Promise<void> {
    const running = work().catch((error: unknown) => {
      this.#parts.log.warn({ err: error, tenantId }, 'The signs of live streams could not be written')
    })
    this.#running.add(running)
    await running
    this.#running.delete(running)
  }
}
