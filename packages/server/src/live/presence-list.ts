import type { PresenceState } from '@crmkit/core'
import type { PresenceEntry } from '../ports/live.ts'
import { isoTime } from '../shared/clock.ts'
import type { TenantId } from '../storage/records.ts'

/** A session without a live stream counts as present for so long after its last request. */
export const presenceKeptMs = 15_000
const conversationsPerSession = 10

interface KeptEntry extends PresenceEntry {
  endsAtMs: number
}

/** A user at a conversation. */
export interface PresentUser {
  userId: string
  state: PresenceState
  since: string
}

type Changed = (tenantId: TenantId, conversationId: string) => void

const keyOf = ({ sessionId, conversationId }: Pick<PresenceEntry, 'sessionId' | 'conversationId'>) =>
  `${sessionId} ${conversationId}`

/**
 * The open conversations of each session, of this process and as the others report them. An entry of a session that has left is
 * kept as `none` for a while, so that a late report of another process does not bring it back.
 */
export class PresenceList {
  readonly #byTenant = new Map<TenantId, Map<string, KeptEntry>>()
  readonly #onChanged: Changed

  /** `onChanged` is called for each conversation whose users, or their states, are others than before. */
  constructor(onChanged: Changed) {
    this.#onChanged = onChanged
  }

  /** Returns the entries that changed, for the other processes. */
  set(
    tenantId: TenantId,
    entry: Omit<PresenceEntry, 'since' | 'setAtMs'>,
    nowMs: number,
  ): readonly PresenceEntry[] {
    const known = this.#entries(tenantId).get(keyOf(entry))
    const hasStayed = known !== undefined && known.state !== 'none'
    const since = hasStayed ? known.since : isoTime(nowMs)
    const others = this.ofSession(tenantId, entry.sessionId).filter(
      ({ conversationId }) => conversationId !== entry.conversationId,
    )
    const left = entry.state === 'none' ? [] : others.slice(0, -(conversationsPerSession - 1))
    const changed: PresenceEntry[] = [
      ...left.map((other) => ({ ...other, state: 'none' as const, setAtMs: nowMs })),
      { ...entry, since, setAtMs: nowMs },
    ]
    this.apply(tenantId, changed, nowMs)
    return changed
  }

  /** Returns the entries of a session that is at an end, for the other processes. */
  endSession(tenantId: TenantId, sessionId: string, nowMs: number): readonly PresenceEntry[] {
    const ended = this.ofSession(tenantId, sessionId).map((entry) => {
      return { ...entry, state: 'none' as const, setAtMs: nowMs }
    })
    this.apply(tenantId, ended, nowMs)
    return ended
  }

  /** Takes over the entries of this process or of another one, and keeps them for `presenceKeptMs` more. */
  apply(tenantId: TenantId, entries: readonly PresenceEntry[], nowMs: number): void {
    this.#change(tenantId, entries, (kept) => {
      for (const { sessionId, userId, conversationId, state, since, setAtMs } of entries) {
        const entry = { sessionId, userId, conversationId, state, since, setAtMs }
        const known = kept.get(keyOf(entry))
        if (known !== undefined && known.setAtMs > setAtMs) continue
        kept.set(keyOf(entry), { ...entry, endsAtMs: nowMs + presenceKeptMs })
      }
    })
  }

  /** Removes the entries whose time is over. */
  expire(nowMs: number): void {
    for (const [tenantId, entries] of this.#byTenant) {
      const over = [...entries.values()].filter(({ endsAtMs }) => endsAtMs <= nowMs)
      if (over.length === 0) continue
      this.#change(tenantId, over, (kept) => {
        for (const entry of over) kept.delete(keyOf(entry))
      })
      if (entries.size === 0) this.#byTenant.delete(tenantId)
    }
  }

  /** Returns where a session is, the oldest first. */
  ofSession(tenantId: TenantId, sessionId: string): PresenceEntry[] {
    return [...(this.#byTenant.get(tenantId)?.values() ?? [])]
      .filter((entry) => entry.sessionId === sessionId && entry.state !== 'none')
      .sort((a, b) => a.setAtMs - b.setAtMs)
  }

  /** Returns the users at a conversation, each once, the first one first. */
  at(tenantId: TenantId, conversationId: string): PresentUser[] {
    const users = new Map<string, PresentUser>()
    for (const entry of this.#byTenant.get(tenantId)?.values() ?? []) {
      if (entry.conversationId !== conversationId || entry.state === 'none') continue
      const { userId, state, since } = entry
      const known = users.get(userId)
      users.set(userId, {
        userId,
        state: known?.state === 'replying' ? 'replying' : state,
        since: known !== undefined && known.since < since ? known.since : since,
      })
    }
    return [...users.values()].sort((a, b) => (a.since < b.since ? -1 : 1))
  }

  /** Returns the conversations with somebody there. */
  conversations(tenantId: TenantId): string[] {
    const present = [...(this.#byTenant.get(tenantId)?.values() ?? [])].filter(
      ({ state }) => state !== 'none',
    )
    return [...new Set(present.map(({ conversationId }) => conversationId))]
  }

  get isEmpty(): boolean {
    return this.#byTenant.size === 0
  }

  #entries(tenantId: TenantId): Map<string, KeptEntry> {
    const entries = this.#byTenant.get(tenantId) ?? new Map<string, KeptEntry>()
    this.#byTenant.set(tenantId, entries)
    return entries
  }

  #change(
    tenantId: TenantId,
    touched: readonly PresenceEntry[],
    change: (kept: Map<string, KeptEntry>) => void,
  ): void {
    const conversationIds = new Set(touched.map(({ conversationId }) => conversationId))
    const shown = (id: string) => JSON.stringify(this.at(tenantId, id))
    const before = new Map([...conversationIds].map((id) => [id, shown(id)]))
    change(this.#entries(tenantId))
    for (const [id, text] of before) if (shown(id) !== text) this.#onChanged(tenantId, id)
  }
}
