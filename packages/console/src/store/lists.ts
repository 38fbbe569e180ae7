import type { Conversation } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import type { Crm } from '../api/crm.ts'
import type { Problem } from '../api/problem.ts'
import { problemOf } from '../api/problem.ts'
import type { Entities } from './entities.ts'
import { belongsTo, isUnknown, keyOf, type ListName, queryOf, standsBefore } from './views.ts'

/** A loaded list of conversations, in the order of its name. */
export interface ListState {
  readonly ids: readonly string[]
  readonly state: 'loading' | 'ready' | 'failed'
  readonly problem: Problem | undefined
  readonly total: number
  readonly isEstimate: boolean
  /** Of the next page; null at the end of the list. */
  readonly cursor: string | null
}

const unloaded: ListState = {
  ids: [],
  state: 'loading',
  problem: undefined,
  total: 0,
  isEstimate: false,
  cursor: null,
}

/** Of a saved view that is not known. */
const unknown: Signal<ListState> = signal(unloaded)

interface KnownList {
  readonly name: ListName
  readonly state: Signal<ListState>
  /** The page that is on its way. */
  reading: Promise<void> | undefined
}

interface ListParts {
  readonly crm: Crm
  readonly rows: Entities<Conversation>
  readonly myId: string
  take(conversation: Conversation): void
}

/** The lists of the inbox. A changed conversation moves into, within and out of every loaded list without a request. */
export class Lists {
  readonly #parts: ListParts
  readonly #lists = new Map<string, KnownList>()

  constructor(parts: ListParts) {
    this.#parts = parts
  }

  /** The signal of a list; the first call reads its first page. */
  open(name: ListName): Signal<ListState> {
    if (isUnknown(name)) return unknown
    const key = keyOf(name)
    let list = this.#lists.get(key)
    if (list === undefined) {
      list = { name, state: signal(unloaded), reading: undefined }
      this.#lists.set(key, list)
      void this.#read(list)
    }
    return list.state
  }

  /** Reads the next page, if there is one and it is not on its way. */
  more(name: ListName): void {
    const list = this.#lists.get(keyOf(name))
    if (list !== undefined && list.state.peek().cursor !== null) void this.#read(list)
  }

  /** Reads a list to its end. Its state then has all ids, or the problem. */
  async readAll(name: ListName): Promise<ListState> {
    this.open(name)
    for (;;) {
      const list = this.#lists.get(keyOf(name))
      if (list === undefined) return unloaded
      await list.reading
      const state = list.state.peek()
      if (state.cursor === null || state.state === 'failed') return state
      await this.#read(list)
    }
  }

  /** Reads a list again from its start, after an error or a gap. */
  reload(name: ListName): void {
    this.#lists.delete(keyOf(name))
    this.open(name)
  }

  /** Forgets all lists but the given one, which is read again in its place. */
  async refresh(name: ListName): Promise<void> {
    const key = keyOf(name)
    const list = this.#lists.get(key)
    this.#lists.clear()
    if (list === undefined) return
    this.#lists.set(key, list)
    list.state.value = { ...list.state.peek(), cursor: null }
    await this.#read(list)
  }

  /** Reads the rows of a list's first page again, in their places: what another window has read or marked as unread is in no event. */
  async lookAgain(name: ListName): Promise<void> {
    if (!this.#lists.has(keyOf(name))) return
    const { crm, take } = this.#parts
    const page = await crm.conversations.list(queryOf(name)).catch(() => undefined)
    for (const conversation of page?.data ?? []) take(conversation)
  }

  /** Puts a changed conversation where it belongs in every loaded list. */
  place(conversation: Conversation): void {
    for (const list of this.#lists.values()) {
      const before = list.state.peek()
      if (before.state !== 'ready') continue
      const belongs = belongsTo(list.name, conversation, this.#parts.myId)
      const wasIn = before.ids.includes(conversation._id)
      if (!belongs && !wasIn) continue
      const others = wasIn ? before.ids.filter((id) => id !== conversation._id) : before.ids
      const isIn = belongs ?? wasIn
      const ids = isIn ? this.#inserted(list.name, others, conversation, before.cursor !== null) : others
      list.state.value = { ...before, ids, total: before.total + Number(isIn) - Number(wasIn) }
    }
  }

  remove(id: string): void {
    for (const { state } of this.#lists.values()) {
      const before = state.peek()
      if (!before.ids.includes(id)) continue
      state.value = { ...before, ids: before.ids.filter((other) => other !== id), total: before.total - 1 }
    }
  }

  #inserted(
    name: ListName,
    ids: readonly string[],
    conversation: Conversation,
    hasMore: boolean,
  ): readonly string[] {
    const { rows } = this.#parts
    const { _id } = conversation
    const isBefore = standsBefore(name)
    const at = ids.findIndex((id) => {
      const other = rows.peek(id)
      return other === undefined || isBefore(conversation, other)
    })
    if (at >= 0) return [...ids.slice(0, at), _id, ...ids.slice(at)]
    // Behind the last loaded row its place is unknown until the next page is read.
    return hasMore ? ids : [...ids, _id]
  }

  #read(list: KnownList): Promise<void> {
    list.reading ??= this.#readPage(list).finally(() => {
      list.reading = undefined
    })
    return list.reading
  }

  async #readPage(list: KnownList): Promise<void> {
    const { crm, take } = this.#parts
    const { cursor } = list.state.peek()
    try {
      const page = await crm.conversations.list({
        ...queryOf(list.name),
        ...(cursor !== null && { cursor }),
      })
      for (const conversation of page.data) take(conversation)
      const before = cursor === null ? [] : list.state.peek().ids
      const ids = [...new Set([...before, ...page.data.map(({ _id }) => _id)])]
      list.state.value = {
        ids,
        state: 'ready',
        problem: undefined,
        total: page.total,
        isEstimate: page.totalIsEstimate,
        cursor: page.nextCursor,
      }
    } catch (error) {
      list.state.value = { ...list.state.peek(), state: 'failed', problem: problemOf(error) }
    }
  }
}
