import type { Activity, ConversationIncluded } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import type { Crm } from '../api/crm.ts'

interface Known {
  /** Oldest first. */
  readonly rows: readonly Activity[]
  /** Of the page of older ones; null at the beginning. */
  readonly olderCursor: string | null
}

type ActivitiesPage = NonNullable<ConversationIncluded['activities']>

const unknown: Known = { rows: [], olderCursor: null }
const pageSize = 50
/** Pages for the messages that are shown at once. */
const pagesMax = 4
/** Milliseconds in which several changes of one person are read together. */
const togetherMs = 100

/** The fields of a conversation whose changes the timeline has. */
const shownFields = new Set([
  'assignedTo',
  'status',
  'snoozedUntil',
  'priority',
  'labels',
  'inboxId',
  'subject',
  'customerId',
  'mergedFrom',
  'mergedInto',
])

/** Whether the timeline says something about these changes. */
export function isInTimeline(changes: object | undefined): boolean {
  return Object.keys(changes ?? {}).some((field) => shownFields.has(field))
}

/** The changes of the conversations that were opened. */
export class Activities {
  readonly #crm: Crm
  readonly #known = new Map<string, Signal<Known>>()
  /** The conversations whose newest changes are known. */
  readonly #fresh = new Set<string>()
  /** The conversations that have changed while they were read. */
  readonly #missed = new Set<string>()
  readonly #reading = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(crm: Crm) {
    this.#crm = crm
  }

  open(conversationId: string): Signal<Known> {
    let known = this.#known.get(conversationId)
    if (known === undefined) {
      known = signal(unknown)
      this.#known.set(conversationId, known)
    }
    return known
  }

  /** Begins to read the newest changes with the conversation; undefined: they are known. The returned function takes the page. */
  begin(conversationId: string): ((page: ActivitiesPage | undefined) => void) | undefined {
    if (this.#fresh.has(conversationId)) return undefined
    this.#missed.delete(conversationId)
    return (page) => {
      if (page === undefined) return
      this.#fresh.add(conversationId)
      this.#take(conversationId, page.data, page.pagination.nextCursor)
      if (this.#missed.has(conversationId)) this.#soon(conversationId)
    }
  }

  /** Reads older pages until they reach back to this moment. */
  async cover(conversationId: string, since: string | undefined): Promise<void> {
    if (since === undefined || this.#reading.has(conversationId)) return
    const known = this.open(conversationId)
    this.#reading.add(conversationId)
    try {
      for (let page = 0; page < pagesMax; page++) {
        const { rows, olderCursor: cursor } = known.peek()
        const oldest = rows[0]
        if (cursor === null || oldest === undefined || oldest.at < since) return
        const read = await this.#read(conversationId, { limit: pageSize, cursor })
        known.value = { rows: merged(known.peek().rows, read.rows), olderCursor: read.nextCursor }
      }
    } catch {
      // The messages are there, and the next look reads on.
    } finally {
      this.#reading.delete(conversationId)
    }
  }

  /** The conversation has changed: reads what is new if it is shown, and else with the next look. */
  changed(conversationId: string, isShown: boolean): void {
    if (!this.#fresh.has(conversationId)) this.#missed.add(conversationId)
    else if (isShown) this.#soon(conversationId)
    else this.#fresh.delete(conversationId)
  }

  #soon(conversationId: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#readNew(conversationId), togetherMs)
  }

  /** Forgets every conversation but the given one, which is read again at its next look. */
  forget(exceptId: string | undefined): void {
    this.#fresh.clear()
    for (const id of this.#known.keys()) if (id !== exceptId) this.#known.delete(id)
  }

  async #readNew(conversationId: string): Promise<void> {
    try {
      const { rows, nextCursor } = await this.#read(conversationId, { limit: pageSize })
      this.#take(conversationId, rows, nextCursor)
    } catch {
      this.#fresh.delete(conversationId)
    }
  }

  async #read(conversationId: string, paging: { limit: number; cursor?: string }) {
    const page = await this.#crm.conversations.timeline(conversationId, { kind: 'activity', ...paging })
    return { rows: page.data.flatMap(({ activity }) => activity ?? []), nextCursor: page.nextCursor }
  }

  /** Takes the newest page. Where it does not reach what is known, the page is all that is shown. */
  #take(conversationId: string, page: readonly Activity[], nextCursor: string | null): void {
    const known = this.open(conversationId)
    const { rows, olderCursor } = known.peek()
    const ids = new Set(rows.map(({ _id }) => _id))
    const isJoined = page.some(({ _id }) => ids.has(_id))
    known.value = isJoined
      ? { rows: merged(rows, page), olderCursor }
      : { rows: merged([], page), olderCursor: nextCursor }
  }
}

/** Oldest first, each id once. */
function merged(known: readonly Activity[], incoming: readonly Activity[]): Activity[] {
  const byId = new Map([...known, ...incoming].map((activity) => [activity._id, activity]))
  return [...byId.values()].sort((a, b) => compare(a.at, b.at) || compare(a._id, b._id))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
