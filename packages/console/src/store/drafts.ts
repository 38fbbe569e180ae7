import type { LiveEvent, SaveDraft, Draft as StoredDraft } from '@crmkit/sdk'
import type { Signal } from '@preact/signals'
import type { Crm } from '../api/crm.ts'
import { problemOf } from '../api/problem.ts'
import { bodyOf, type Draft, draftOf, emptyDraft, isEmpty, isSame, withBehind } from './draft.ts'
import { type DraftState, type Entry, newEntry } from './draft-entry.ts'
import { DraftNet } from './draft-net.ts'
import { isNowhere, storedOf } from './draft-refusals.ts'

type DraftEventData = Extract<LiveEvent, { event: 'draft.updated' }>['data']

/** When the service sends a draft, and whatever stops it. */
export type Plan = Pick<SaveDraft, 'sendAt' | 'sendUnlessReplied' | 'ifSeq'>

type Further = Plan & Pick<SaveDraft, 'basedOn'>

type ReleasedMessage = Pick<Draft, 'attachments'> & { readonly clientMessageId: string }

/** Gets the drafts; undefined: they could not be read. */
type EndReading = (found: readonly StoredDraft[] | undefined) => void

/** Milliseconds without a key before a draft is saved. */
const saveWaitMs = 700
const retryWaitMs = 5_000

/** A draft of an earlier process does not say it. */
function isBased(draft: StoredDraft | null | undefined): boolean {
  return (draft?.basedOn ?? null) !== null
}

/** The drafts of the opened conversations. The service keeps them, for all browsers of their author (ADR 0023). */
export class Drafts {
  readonly #crm: Crm
  readonly #myId: string
  readonly #net: DraftNet
  readonly #entries = new Map<string, Entry>()
  #shownId: string | undefined

  constructor(crm: Crm, myId: string) {
    this.#crm = crm
    this.#myId = myId
    this.#net = new DraftNet(myId)
  }

  state(conversationId: string): Signal<DraftState> {
    return this.#entry(conversationId).state
  }

  /** Reads the drafts of a conversation when they change, until the returned function is called. */
  show(conversationId: string): () => void {
    this.#shownId = conversationId
    return () => {
      if (this.#shownId === conversationId) this.#shownId = undefined
    }
  }

  /** Begins to read the drafts with the conversation; undefined: they are known. The returned function ends that. */
  begin(conversationId: string): EndReading | undefined {
    const entry = this.#entry(conversationId)
    return entry.isLoaded ? undefined : this.#begin(entry)
  }

  /** Shows a changed text at once, and saves it after a pause. */
  put(conversationId: string, draft: Draft): void {
    const entry = this.#entry(conversationId)
    this.#set(entry, { draft, stopped: null })
    entry.isDirty = true
    this.#net.put(conversationId, { draft, version: entry.version })
    this.#saveSoon(entry, saveWaitMs)
  }

  /** Changes the newest draft: what a caller has read before a wait may be an older one. */
  change(conversationId: string, change: (draft: Draft) => Draft): void {
    this.put(conversationId, change(this.#entry(conversationId).state.peek().draft))
  }

  /**
   * Puts a draft of somebody else behind the own text, and says to the service whose words they are. False: it was not reached, refused,
   * or the own draft waits.
   */
  async takeOver(source: StoredDraft): Promise<boolean> {
    const entry = this.#entry(source.conversationId)
    clearTimeout(entry.timer)
    await entry.saving
    const { draft: before, newer, held } = entry.state.peek()
    if (newer !== undefined || held !== undefined || entry.isHolding) return false
    const draft = withBehind(before, draftOf(source))
    const isTaken = this.#replace(entry, draft, { basedOn: source._id }).then(
      (saved) => {
        const now = entry.state.peek().draft
        this.#set(entry, { draft: now === before ? draft : withBehind(now, draftOf(source)), stopped: null })
        this.#saved(entry, draft, saved)
        return true
      },
      () => false,
    )
    entry.saving = isTaken.then(() => {
      entry.saving = undefined
      if (entry.isDirty) this.#saveSoon(entry, saveWaitMs)
    })
    return isTaken
  }

  /** Whether the message of the draft names somebody else as its author, which only a draft that is sent does. */
  isBasedOnOther(conversationId: string): boolean {
    return this.#entry(conversationId).isBasedOnOther
  }

  /** Of two versions the text of this window, which replaces the other one; or the other one. */
  choose(conversationId: string, choice: 'mine' | 'newer'): void {
    const entry = this.#entry(conversationId)
    const { newer, draft } = entry.state.peek()
    if (newer === undefined) return
    this.#set(entry, { newer: undefined })
    entry.version = newer.version
    entry.draftId = newer._id
    if (choice === 'newer') this.#takeOwn(entry, newer)
    else this.put(conversationId, draft)
  }

  /**
   * Ends the stored draft of a message: the message may name its files only when no draft does. Another text that the
   * service keeps, and a planned reply, stay.
   */
  async release(conversationId: string, { clientMessageId, attachments }: ReleasedMessage): Promise<void> {
    const entry = this.#entry(conversationId)
    if (entry.state.peek().held !== undefined) return
    clearTimeout(entry.timer)
    await entry.saving
    const stored = await this.#crm.drafts.get(conversationId)
    const files = new Set(attachments.map(({ _id }) => _id))
    if (stored?._id === clientMessageId || stored?.attachments.some(({ _id }) => files.has(_id))) {
      await this.#crm.drafts.discard(conversationId)
      entry.version = 0
      entry.draftId = undefined
      entry.isDirty ||= !isEmpty(entry.state.peek().draft)
    }
    if (entry.isDirty) this.#saveSoon(entry, 0)
  }

  /** Id of the stored draft: of the message, too, that comes of it. */
  idOf(conversationId: string): string | undefined {
    return this.#entry(conversationId).draftId
  }

  /** Lets the service send a text as planned, and empties the composer. Throws its refusal. */
  async hold(conversationId: string, draft: Draft, plan: Plan): Promise<StoredDraft> {
    const entry = this.#entry(conversationId)
    entry.isHolding = true
    clearTimeout(entry.timer)
    this.#set(entry, { draft: { ...emptyDraft, type: draft.type }, stopped: null })
    entry.isDirty = false
    // Until the service has it, a closed tab leaves it to the next one.
    this.#net.put(conversationId, { draft, version: entry.version })
    try {
      await entry.saving
      // With an id it is sent once, however often it is tried.
      if (entry.draftId === undefined) await this.#replace(entry, draft)
      const held = await this.#replace(entry, draft, plan)
      this.#set(entry, { held })
      return held
    } finally {
      entry.isHolding = false
      if (!entry.isDirty) this.#net.remove(conversationId)
    }
  }

  /** The held reply was sent, or is sent without its draft. */
  endHold(conversationId: string): void {
    const entry = this.#entry(conversationId)
    this.#set(entry, { held: undefined })
    entry.version = 0
    entry.draftId = undefined
    entry.isBasedOnOther = false
    if (entry.isDirty) this.#saveSoon(entry, saveWaitMs)
  }

  /** Puts the held reply back into the composer, above what was typed since. False: it was sent. */
  async takeBack(held: StoredDraft): Promise<boolean> {
    const entry = this.#entry(held.conversationId)
    const draft = draftOf(held)
    if (!(await this.#endPlan(entry, held))) {
      entry.isLoaded = false
      void this.#load(entry)
      return false
    }
    this.#set(entry, { held: undefined })
    this.#putAbove(entry, draft)
    return true
  }

  /** Keeps a held reply as an ordinary draft. False: it was sent, or changed elsewhere. */
  async #endPlan(entry: Entry, held: StoredDraft): Promise<boolean> {
    // The live event of this very save may arrive before its reply: it brings nothing new.
    entry.isHolding = true
    try {
      entry.version = held.version
      await this.#replace(entry, draftOf(held))
      return true
    } catch {
      return false
    } finally {
      entry.isHolding = false
    }
  }

  /** Puts a reply that may not leave back into the composer, with the reason. */
  async stop(held: StoredDraft, reason: string): Promise<void> {
    if (await this.takeBack(held)) this.#set(this.#entry(held.conversationId), { stopped: reason })
  }

  /** A reply that the service has stopped, or that was taken back elsewhere, stands above what was typed since. */
  #takeBeside(entry: Entry, own: StoredDraft): void {
    this.#putAbove(entry, draftOf(own))
    this.#set(entry, { stopped: own.sendError })
  }

  #putAbove(entry: Entry, draft: Draft): void {
    const { type, content, attachments } = entry.state.peek().draft
    if (content === '' && attachments.length === 0) {
      entry.isDirty = false
      this.#net.remove(entry.conversationId)
      this.#set(entry, { draft })
    } else
      this.put(entry.conversationId, {
        ...draft,
        // A note among them stays with the team.
        type: type === 'note' ? type : draft.type,
        content: [draft.content, content].filter(Boolean).join('\n\n'),
        attachments: [...draft.attachments, ...attachments],
      })
  }

  async #replace(entry: Entry, draft: Draft, further: Further = {}): Promise<StoredDraft> {
    const body = { ...bodyOf(draft), ...further, expectedVersion: entry.version }
    const saved = await this.#crm.drafts.save(entry.conversationId, body)
    entry.version = saved.version
    entry.draftId = saved._id
    entry.isBasedOnOther = isBased(saved)
    return saved
  }

  /** Takes a live event: a draft of the conversation was saved, or was deleted or sent. */
  takeEvent({ conversationId, draftId, author, version }: DraftEventData, isGone: boolean): void {
    const entry = this.#entries.get(conversationId)
    if (entry === undefined) return
    if (author._id === this.#myId) {
      // While a text waits to be saved, the save itself finds out.
      if (entry.isHolding) return
      const isHeld = entry.state.peek().held !== undefined
      if (!isHeld && (entry.isDirty || entry.saving !== undefined)) return
      const isKnown = draftId === entry.draftId && version <= entry.version
      if (isGone ? draftId !== entry.draftId : isKnown) return
    }
    entry.isLoaded = false
    if (conversationId === this.#shownId) void this.#load(entry)
  }

  /** Reads again what is shown, and the rest when it is opened. */
  refresh(): void {
    for (const entry of this.#entries.values()) {
      entry.isLoaded = false
      if (entry.conversationId === this.#shownId) void this.#load(entry)
    }
  }

  /** Reads the drafts of each conversation again at its next look. */
  forget(): void {
    for (const entry of this.#entries.values()) entry.isLoaded = false
  }

  /** Ends everything of this person in this browser; the service keeps what it has. */
  clear(): void {
    for (const { timer } of this.#entries.values()) clearTimeout(timer)
    this.#entries.clear()
    this.#net.clear()
  }

  #entry(conversationId: string): Entry {
    let entry = this.#entries.get(conversationId)
    if (entry === undefined) {
      entry = newEntry(conversationId, this.#net.get(conversationId))
      this.#entries.set(conversationId, entry)
    }
    return entry
  }

  async #load(entry: Entry): Promise<void> {
    const end = this.#begin(entry)
    try {
      end((await this.#crm.drafts.list(entry.conversationId, { limit: 100 })).data)
    } catch {
      // The conversation itself shows why it cannot be read.
      end(undefined)
    }
  }

  #begin(entry: Entry): EndReading {
    entry.isLoaded = true
    const reading = ++entry.reading
    return (found) => {
      if (entry.reading !== reading) return
      if (found !== undefined) return this.#takeAll(entry, found)
      entry.isLoaded = false
      if (entry.isDirty) this.#saveSoon(entry, retryWaitMs)
    }
  }

  #takeAll(entry: Entry, found: readonly StoredDraft[]): void {
    const others = found.filter((draft) => draft.author._id !== this.#myId && !isEmpty(draftOf(draft)))
    this.#set(entry, { others })
    if (entry.isHolding) return
    this.#takeLoaded(
      entry,
      found.find(({ author }) => author._id === this.#myId),
    )
  }

  /** Takes the own draft as it was read: one that waits, one that has stopped waiting, or an ordinary one. */
  #takeLoaded(entry: Entry, own: StoredDraft | undefined): void {
    const isHeld = own !== undefined && own.sendAt !== null
    const wasHeld = entry.state.peek().held !== undefined
    if (isHeld || wasHeld) {
      entry.version = own?.version ?? 0
      entry.draftId = own?._id
      this.#set(entry, { held: isHeld ? own : undefined })
    }
    if (isHeld && !entry.isDirty) this.#set(entry, { draft: emptyDraft })
    else if (wasHeld && !isHeld && own !== undefined) this.#takeBeside(entry, own)
    else if (entry.isDirty || entry.saving !== undefined) this.#saveSoon(entry, 0)
    else this.#takeOwn(entry, own)
  }

  #takeOwn(entry: Entry, own: StoredDraft | undefined): void {
    entry.version = own?.version ?? 0
    entry.draftId = own?._id
    entry.isBasedOnOther = isBased(own)
    entry.isDirty = false
    this.#net.remove(entry.conversationId)
    const draft = own ? draftOf(own) : { ...emptyDraft, type: entry.state.peek().draft.type }
    this.#set(entry, { draft, stopped: own?.sendError ?? null })
  }

  #set(entry: Entry, change: Partial<DraftState>): void {
    entry.state.value = { ...entry.state.peek(), ...change }
  }

  #saveSoon(entry: Entry, waitMs: number): void {
    clearTimeout(entry.timer)
    entry.timer = setTimeout(() => {
      const { newer, held } = entry.state.peek()
      const mustWait = newer !== undefined || held !== undefined || entry.isHolding
      if (!entry.isDirty || entry.saving !== undefined || mustWait) return
      entry.saving = this.#save(entry).then((nextMs) => {
        entry.saving = undefined
        if (entry.isDirty && nextMs !== undefined) this.#saveSoon(entry, nextMs)
      })
    }, waitMs)
  }

  /** Returns milliseconds until the next attempt; undefined: there is nothing to save into. */
  async #save(entry: Entry): Promise<number | undefined> {
    const { draft } = entry.state.peek()
    try {
      const saved = await this.#store(entry, draft)
      this.#saved(entry, draft, saved)
      return saveWaitMs
    } catch (error) {
      const problem = problemOf(error)
      if (isNowhere(problem) && entry.state.peek().draft === draft) return undefined
      const stored = storedOf(problem)
      if (stored === undefined) return retryWaitMs
      if (stored === null || isSame(draftOf(stored), draft)) this.#saved(entry, draft, stored)
      else this.#set(entry, { newer: stored })
      // Sent or discarded elsewhere: what was typed here is a draft of its own.
      if (stored === null) entry.isDirty = true
      return saveWaitMs
    }
  }

  async #store(entry: Entry, draft: Draft): Promise<StoredDraft | null> {
    if (isEmpty(draft)) {
      await this.#crm.drafts.discard(entry.conversationId)
      return null
    }
    return this.#replace(entry, draft)
  }

  #saved(entry: Entry, draft: Draft, stored: StoredDraft | null): void {
    entry.version = stored?.version ?? 0
    entry.draftId = stored?._id
    entry.isBasedOnOther = isBased(stored)
    const now = entry.state.peek().draft
    entry.isDirty = now !== draft
    if (entry.isDirty) this.#net.put(entry.conversationId, { draft: now, version: entry.version })
    else this.#net.remove(entry.conversationId)
  }
}
