import { type ChatTexts, fill } from '../shared/strings.ts'
import { ApiError, ask } from './api.ts'
import type { MessageList } from './message-list.ts'
import { backoffMs, pause } from './pause.ts'
import { IdentityNeeded, type Session } from './session.ts'
import type { Store, Unsent } from './store.ts'
import type { Attachment, Conversation, Message } from './wire.ts'

interface Options {
  store: Store
  session: Session
  list: Pick<MessageList, 'showUnsent' | 'remove'>
  texts: ChatTexts
  onSent(sent: { message: Message; conversation?: Conversation }): void
  /** The server refused the session (401) or the whole widget (403). */
  onRefusal(error: ApiError, token: string | undefined): void
}

type Outcome = 'sent' | 'stop' | { waitMs: number | undefined }

/** A conversation that was deleted or closed meanwhile: the message begins a new one. */
const lostConversation = [404, 409]

/** Sends messages one after the other until the server confirms them; they survive a reload. */
export class Outbox {
  readonly #options: Options
  #isRunning = false
  #wait = new AbortController()

  constructor(options: Options) {
    this.#options = options
  }

  add(written: Pick<Unsent, 'content' | 'attachments' | 'conversationId' | 'choice'>): void {
    const unsent: Unsent = { ...written, clientMessageId: newId(), createdAt: new Date().toISOString() }
    this.#options.store.change((saved) => {
      saved.unsent.push(unsent)
      // A click leaves what the visitor is writing.
      if (unsent.choice === undefined) delete saved.draft
    })
    this.#show(unsent, this.#options.texts.sending)
    this.run()
  }

  retry(clientMessageId: string): void {
    this.#options.store.change(({ unsent }) => {
      for (const one of unsent) if (one.clientMessageId === clientMessageId) delete one.failure
    })
    this.run()
  }

  discard(clientMessageId: string): void {
    this.#forget(clientMessageId)
    this.#options.list.remove(clientMessageId)
  }

  /** A message has come back from the server, perhaps by the stream before the reply. Returns whether it was one of these. */
  confirm({ clientMessageId }: Message): boolean {
    if (clientMessageId === null || !this.#isWaiting({ clientMessageId })) return false
    this.#forget(clientMessageId)
    return true
  }

  showAll(): void {
    const { texts, store } = this.#options
    for (const unsent of store.read().unsent)
      this.#show(unsent, unsent.failure ? fill(texts.failed, { reason: unsent.failure }) : texts.sending)
  }

  /** Sends what waits, immediately. */
  run(): void {
    this.#wait.abort()
    this.#wait = new AbortController()
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#runAll().finally(() => {
      this.#isRunning = false
    })
  }

  async #runAll(): Promise<void> {
    for (let attempt = 0; ; ) {
      const next = this.#options.store.read().unsent.find(({ failure }) => failure === undefined)
      if (!next) return
      const outcome = await this.#try(next)
      if (outcome === 'stop') return
      if (outcome === 'sent') attempt = 0
      else await pause(outcome.waitMs ?? backoffMs(attempt++), this.#wait.signal)
    }
  }

  async #try(unsent: Unsent): Promise<Outcome> {
    const { session, texts } = this.#options
    let token: string | undefined
    try {
      token = await session.ensure()
      // The visitor has logged out meanwhile, or another tab has sent it.
      if (!this.#isWaiting(unsent)) return 'sent'
      this.#show(unsent, texts.sending)
      await this.#send(unsent, token)
      return 'sent'
    } catch (error) {
      if (error instanceof IdentityNeeded) {
        this.#show(unsent, texts.signIn)
        return 'stop'
      }
      if (!(error instanceof ApiError)) throw error
      return this.#refused(unsent, error, token)
    }
  }

  #refused(unsent: Unsent, error: ApiError, token: string | undefined): Outcome {
    const { status } = error
    const { texts, store, onRefusal } = this.#options
    if (error.isPassing) {
      // The limit of new sessions: others of the same network have begun to write.
      const isCrowded = status === 429 && token === undefined && error.waitMs !== undefined
      this.#show(unsent, isCrowded ? fill(texts.crowded, { seconds: error.waitMs / 1_000 }) : texts.waiting)
      return { waitMs: error.waitMs }
    }
    if (status === 401 && token !== undefined) {
      onRefusal(error, token)
      return { waitMs: undefined }
    }
    if (status === 401 || status === 403) {
      onRefusal(error, token)
      this.#show(unsent, texts.waiting)
      return 'stop'
    }
    if (error.isChosen) {
      this.discard(unsent.clientMessageId)
      return { waitMs: 0 }
    }
    const isLost = lostConversation.includes(status) && !error.isBlocked && unsent.conversationId !== null
    store.change((saved) => {
      for (const one of saved.unsent) {
        if (one.clientMessageId !== unsent.clientMessageId) continue
        if (isLost) one.conversationId = null
        else one.failure = error.message
      }
    })
    if (!isLost)
      this.#show({ ...unsent, failure: error.message }, fill(texts.failed, { reason: error.message }))
    return { waitMs: 0 }
  }

  async #send(unsent: Unsent, token: string): Promise<void> {
    const { clientMessageId, content, attachments, conversationId, choice } = unsent
    const files = attachments.length > 0 && { attachments: attachments.map(({ _id }) => _id) }
    const post = { method: 'POST' as const, token }
    const { visitor } = this.#options.session
    if (conversationId !== null) {
      const body = { ...(choice ? { choice } : { content }), clientMessageId, ...files }
      const path = `conversations/${encodeURIComponent(conversationId)}/messages`
      const { data } = await ask<{ data: Message }>(path, { ...post, body })
      this.#sent(visitor, { message: data })
      return
    }
    const body = { message: content, clientMessageId, ...files }
    const { data } = await ask<{ data: Conversation & { message: Message } }>('conversations', {
      ...post,
      body,
    })
    // The messages that were written after this one belong to the same conversation.
    this.#options.store.change(({ unsent: others }) => {
      for (const one of others) one.conversationId ??= data._id
    })
    this.#sent(visitor, { message: data.message, conversation: data })
  }

  #sent(visitor: number, sent: Parameters<Options['onSent']>[0]): void {
    if (visitor !== this.#options.session.visitor) return
    this.confirm(sent.message)
    this.#options.onSent(sent)
  }

  #isWaiting({ clientMessageId }: Pick<Unsent, 'clientMessageId'>): boolean {
    return this.#options.store.read().unsent.some((one) => one.clientMessageId === clientMessageId)
  }

  #forget(clientMessageId: string): void {
    if (!this.#isWaiting({ clientMessageId })) return
    this.#options.store.change((saved) => {
      saved.unsent = saved.unsent.filter((one) => one.clientMessageId !== clientMessageId)
    })
  }

  #show(unsent: Unsent, state: string): void {
    this.#options.list.showUnsent(unsent, state)
  }
}

/** Uploads files one after the other. Throws ApiError. */
export async function upload(files: readonly File[], token: string): Promise<Attachment[]> {
  const attachments: Attachment[] = []
  for (const file of files) {
    const form = new FormData()
    form.append('file', file)
    const { data } = await ask<{ data: Attachment }>('attachments', { method: 'POST', token, form })
    attachments.push(data)
  }
  return attachments
}

/** `randomUUID` exists on secure pages only. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
