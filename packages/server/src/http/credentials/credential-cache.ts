import type { Clock } from '../../ports/clock.ts'
import type { Committed } from '../../ports/storage.ts'
import type { CommitPart } from '../../shared/commit-listeners.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { TenantId } from '../../storage/records.ts'

const keptMs = 10_000
const unknownKeptMs = 5_000
const entriesMax = 50_000

interface Entry<T> {
  value: T | undefined
  tenantId: TenantId | undefined
  until: number
}

/** Kinds that decide whether a credential is good. */
const credentialKinds: readonly Kind[] = ['apiKeys', 'sessions', 'users', 'tenants', 'identities', 'inboxes']

/** The commits that may change a credential. */
export const credentialParts: readonly CommitPart[] = [...credentialKinds, 'widgetSessions', 'erasure']

/** An erasure ends the widget sessions of its customer. A message of a visitor writes to its session, and a sign that a user is there
 * patches their row and their session: neither changes a right. */
function changesCredential({ op, kind }: Committed['change']['writes'][number]): boolean {
  if (kind === 'customers') return op === 'erase'
  if (kind === 'widgetSessions') return op === 'remove'
  if (kind === 'users' || kind === 'sessions') return op !== 'patch'
  return credentialKinds.includes(kind)
}

/** Returns the tenant whose credentials a commit may have changed: null for any tenant, undefined for none. */
export function credentialsChangedBy({ tenantId, change }: Committed): TenantId | null | undefined {
  const kinds = change.writes.filter(changesCredential).map(({ kind }) => kind)
  if (kinds.length === 0) return undefined
  // An identity belongs to several tenants.
  return kinds.includes('identities') ? null : tenantId
}

/**
 * Caches the meaning of a credential for ten seconds, so that a request needs no read for it. A commit of this
 * process acts on the next request; a commit of another process acts as soon as its notice arrives, and without a
 * notice within those ten seconds.
 */
export class CredentialCache<T extends { tenantId: TenantId }> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #clock: Clock
  readonly #load: (key: string) => Promise<T | undefined>
  #generation = 0
  /** The reads that began in this turn of the event loop: all streams of a session ask in the same one. */
  readonly #loading = new Map<string, Promise<T | undefined>>()
  /** Requests whose credential was known, and those that had to load it. */
  hits = 0
  misses = 0

  constructor(clock: Clock, load: (key: string) => Promise<T | undefined>) {
    this.#clock = clock
    this.#load = load
  }

  /** Synchronous when the value is cached: no promise is made on the hot path. */
  get(key: string): T | undefined | Promise<T | undefined> {
    const entry = this.#entries.get(key)
    const leftMs = (entry?.until ?? 0) - this.#clock.nowMs()
    // An age above the limit here means that the clock was set back.
    if (entry !== undefined && leftMs > 0 && leftMs <= keptMs) {
      this.hits += 1
      return entry.value
    }
    this.misses += 1
    const known = this.#loading.get(key)
    if (known !== undefined) return known
    const loading = this.#reload(key)
    if (this.#loading.size === 0) setImmediate(() => this.#loading.clear())
    this.#loading.set(key, loading)
    return loading
  }

  async #reload(key: string): Promise<T | undefined> {
    const generation = this.#generation
    // The time before the read: a value from a storage that hangs is already old when it arrives.
    const readAtMs = this.#clock.nowMs()
    const value = await this.#load(key)
    this.#loading.delete(key)
    // A commit during the read may have made its result stale; then it serves this request only.
    if (generation === this.#generation) {
      if (this.#entries.size >= entriesMax) this.#entries.clear()
      const until = readAtMs + (value === undefined ? unknownKeptMs : keptMs)
      this.#entries.set(key, { value, tenantId: value?.tenantId, until })
    }
    return value
  }

  /** Forgets what credentials of this tenant mean; null: of every tenant. */
  forget(tenantId: TenantId | null): void {
    this.#generation += 1
    // A read that has begun may not see the change.
    this.#loading.clear()
    if (tenantId === null) this.#entries.clear()
    for (const [key, entry] of this.#entries) {
      if (entry.tenantId === tenantId || entry.tenantId === undefined) this.#entries.delete(key)
    }
  }
}
