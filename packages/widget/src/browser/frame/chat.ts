import type { ToFrame, ToPage, WidgetConfig } from '../shared/protocol.ts'
import { bubbleEnglish, type ChatTexts, chatEnglish, fill, type GivenTexts } from '../shared/strings.ts'
import { ApiError, asApiError, ask, send } from './api.ts'
import { EmailQuestion } from './ask-email.ts'
import { Bell } from './bell.ts'
import { Conversations } from './conversations.ts'
import { Outbox, upload } from './outbox.ts'
import { backoffMs, pause } from './pause.ts'
import { IdentityNeeded, Session } from './session.ts'
import { Store, type Unsent } from './store.ts'
import { Stream } from './stream.ts'
import { TranscriptButton } from './transcript.ts'
import { View } from './view.ts'
import type { Attachment, Conversation, Message, WidgetEvent } from './wire.ts'

interface Options {
  key: string
  /** Of the page that holds the frame. */
  origin: string
  config: WidgetConfig
  language: string
  direction: string
  texts: GivenTexts
  hasSound: boolean
  tell(message: ToPage): void
}

interface Page<Item> {
  data: Item[]
  pagination: { nextCursor: string | null }
}

const conversationsMax = 50
const historySize = 50

/** The conversation of one visitor: joins the session, the stream, the outbox and the view. */
export class Chat {
  readonly #options: Options
  readonly #store: Store
  readonly #session: Session
  readonly #view: View
  readonly #email: EmailQuestion
  readonly #transcript: TranscriptButton
  readonly #outbox: Outbox
  readonly #stream: Stream
  readonly #texts: ChatTexts
  readonly #bell = new Bell()
  readonly #conversations = new Conversations()
  #earlier: string | null = null
  #isOpen = false
  /** Counts the sessions whose thread is shown: a list that belongs to an earlier one is dropped. */
  #thread = 0
  #identifications = 0
  #knownToken: string | undefined

  constructor(options: Options) {
    const { key, origin, config, language, direction } = options
    this.#options = options
    this.#texts = { ...bubbleEnglish, ...chatEnglish, ...options.texts }
    this.#bell.isOn = options.hasSound
    this.#store = new Store(key)
    this.#session = new Session({
      key,
      origin,
      store: this.#store,
      isIdentityRequired: config.identityRequired,
    })
    this.#knownToken = this.#session.token
    this.#email = new EmailQuestion({
      texts: this.#texts,
      session: this.#session,
      store: this.#store,
      isAsked: config.askEmail,
      onNotice: (text) => this.#view.notice(text),
    })
    this.#transcript = new TranscriptButton({
      texts: this.#texts,
      session: this.#session,
      onNotice: (text, isBad) => this.#view.notice(text, isBad),
    })
    this.#email.onKnown = () => this.#transcript.show(this.#conversations.current, this.#email.address)
    const extras = { header: this.#transcript.element, aboveComposer: this.#email.element }
    this.#view = new View({
      config,
      texts: this.#texts,
      language,
      direction,
      extras,
      actions: this.#actions(),
    })
    this.#outbox = new Outbox({
      store: this.#store,
      session: this.#session,
      list: {
        showUnsent: (unsent, state) => this.#showUnsent(unsent, state),
        remove: (id) => this.#view.list.remove(id),
      },
      texts: this.#texts,
      onSent: (sent) => this.#sent(sent),
      onRefusal: (error, token) => this.#refused(error, token),
    })
    this.#stream = new Stream({
      token: () => this.#session.token,
      onGap: () => this.#load(),
      onEvent: (event) => this.#take(event),
      onRefusal: (error, token) => {
        this.#refused(error, token)
        // Another tab has made a new session meanwhile.
        if (error.status === 401) this.#stream.update()
      },
      isUsed: () => this.#bell.isUsed,
    })
    this.#store.onChange(() => this.#followOtherTab())
    document.addEventListener('visibilitychange', () => this.#read())
    this.#view.composer.setText(this.#store.read().draft ?? '')
    this.#outbox.showAll()
    if (this.#store.read().unsent.length > 0) this.#outbox.run()
    this.#stream.update()
  }

  receive(message: ToFrame): void {
    if ('page' in message) this.#session.page = message.page
    if (message.type === 'open') this.#open()
    else if (message.type === 'close') this.#isOpen = false
    else if (message.type === 'sound') this.#bell.isOn = message.hasSound
    else if (message.type === 'identify') void this.#identify(message.userToken)
    else if (message.type === 'shutdown') this.#forget()
  }

  #actions(): ConstructorParameters<typeof View>[0]['actions'] {
    return {
      onClose: () => this.#options.tell({ type: 'close' }),
      onInput: (draft) => this.#input(draft),
      onSend: (content, files) => this.#send(content, files),
      onEarlier: () => void this.#loadEarlier(),
      onRetry: (id) => this.#outbox.retry(id),
      onDiscard: (id) => this.#outbox.discard(id),
      onDownload: (attachment) => void this.#download(attachment),
      onReply: (reply) => this.#outbox.add(reply),
      onRead: (attachment) => this.#readFile(attachment),
      onThread: () => this.#read(),
      onChoose: (id) => this.#choose(id),
      onNew: () => this.#choose(undefined),
      onRate: (rating) => this.#rate(rating),
    }
  }

  #open(): void {
    this.#isOpen = true
    this.#view.list.pictures.show()
    this.#view.focus()
    this.#read()
    this.#showUnread()
  }

  #lastTypingMs = 0

  #input(draft: string): void {
    this.#view.notice('')
    this.#store.change((saved) => {
      saved.draft = draft
    })
    const now = Date.now()
    const isTyping = draft !== ''
    const { currentId } = this.#conversations
    if (!currentId || (isTyping && now - this.#lastTypingMs < 5_000)) return
    this.#lastTypingMs = isTyping ? now : 0
    void this.#quietly(`conversations/${currentId}/typing`, { isTyping })
  }

  async #send(content: string, files: readonly File[]): Promise<boolean> {
    this.#view.notice('')
    // The visitor need not wait for the page's sign-in; the page moves the conversation when it identifies them.
    this.#session.isIdentityAwaited = false
    const visitor = this.#session.visitor
    try {
      const attachments = files.length > 0 ? await upload(files, await this.#session.ensure()) : []
      if (visitor !== this.#session.visitor) return true
      this.#lastTypingMs = 0
      const { isBeginning, currentId } = this.#conversations
      const conversationId = isBeginning ? null : (currentId ?? null)
      this.#outbox.add({ content, attachments, conversationId })
      return true
    } catch (error) {
      if (error instanceof IdentityNeeded) this.#view.notice(this.#texts.signIn)
      else if (error instanceof ApiError) {
        this.#refused(error, this.#knownToken)
        this.#view.notice(fill(this.#texts.failed, { reason: error.message }))
      } else throw error
      return false
    }
  }

  #sent({ message, conversation }: { message: Message; conversation?: Conversation }): void {
    this.#followToken()
    if (conversation) {
      // The visitor may have gone on to another one.
      if (this.#conversations.isBeginning) this.#follow(conversation._id)
      this.#conversations.add(conversation)
      this.#showConversation()
    }
    if (message.conversationId === this.#conversations.currentId) this.#view.list.add(message)
    else this.#view.list.remove(message.clientMessageId ?? message._id)
  }

  #take({ event, data }: WidgetEvent): void {
    if (event === 'typing') {
      const { conversationId, isTyping } = data as { conversationId: string; isTyping: boolean }
      if (conversationId === this.#conversations.currentId) this.#view.showTyping(isTyping)
      return
    }
    if (event === 'conversation.updated') {
      this.#conversations.update(data as Conversation)
      this.#read()
      return
    }
    const message = data as Message
    const { conversationId, direction } = message
    const isKnown = this.#conversations.has(conversationId)
    // It has begun a conversation whose response is still on its way.
    if (this.#outbox.confirm(message) && !isKnown && this.#conversations.isBeginning)
      this.#follow(conversationId)
    if (conversationId === this.#conversations.currentId) this.#view.list.add(message)
    if (direction === 'outbound' && !this.#isWatched) this.#bell.ring()
    if (!isKnown) {
      void this.#load()
      return
    }
    this.#conversations.count(message)
    if (direction === 'outbound') this.#view.showTyping(false)
    this.#read()
  }

  /** A message of the visitor has begun this conversation. */
  #follow(id: string): void {
    if (this.#conversations.currentId === id) return
    this.#view.list.clear()
    this.#conversations.isNew = false
    this.#conversations.currentId = id
  }

  /** Whether the visitor sees the thread. */
  get #isWatched(): boolean {
    return this.#isOpen && this.#view.isThreadShown && document.visibilityState === 'visible'
  }

  #showUnsent(unsent: Unsent, state: string): void {
    const { isBeginning, currentId, isNew } = this.#conversations
    const isHere = unsent.conversationId === null ? isBeginning : unsent.conversationId === currentId
    // The conversations are not loaded yet.
    const isEarly = currentId === undefined && !isNew
    if (isHere || isEarly) this.#view.list.showUnsent(unsent, state)
    else this.#view.list.remove(unsent.clientMessageId)
  }

  /** Reads the conversations and the newest messages of the current one. */
  async #load(): Promise<void> {
    const thread = this.#thread
    await this.#attempt(async (token) => {
      const { data } = await ask<Page<Conversation>>(`conversations?limit=${conversationsMax}`, { token })
      if (thread !== this.#thread) return
      const isFirst = this.#conversations.currentId === undefined
      this.#conversations.load(data)
      if (isFirst) this.#outbox.showAll()
      this.#showConversation()
      await this.#loadHistory()
      this.#read()
    })
  }

  async #loadHistory(cursor?: string): Promise<void> {
    const [thread, id] = [this.#thread, this.#conversations.currentId]
    if (id === undefined) return
    const query = `limit=${historySize}&order=desc&format=markdown${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
    const path = `conversations/${encodeURIComponent(id)}/messages?${query}`
    const { data, pagination } = await ask<Page<Message>>(path, { token: this.#session.token })
    if (thread !== this.#thread || id !== this.#conversations.currentId) return
    for (const message of data) this.#outbox.confirm(message)
    this.#view.list.addHistory(data.reverse())
    this.#earlier = pagination.nextCursor
    this.#view.list.hasEarlier = this.#earlier !== null
  }

  async #loadEarlier(): Promise<void> {
    const cursor = this.#earlier
    if (cursor !== null) await this.#attempt(() => this.#loadHistory(cursor))
  }

  /** Shows a conversation of the list, or the empty thread of a new one. */
  #choose(id: string | undefined): void {
    this.#conversations.currentId = id
    this.#conversations.isNew = id === undefined
    this.#earlier = null
    this.#view.showTyping(false)
    this.#view.list.clear(true)
    this.#outbox.showAll()
    this.#showConversation()
    void this.#attempt(async () => {
      await this.#loadHistory()
      this.#view.list.scrollToEnd()
      this.#read()
    })
  }

  /** Reports that the visitor has seen the current conversation, when they have. */
  #read(): void {
    const { current } = this.#conversations
    if (this.#isWatched && current && current.unreadCount > 0) {
      current.unreadCount = 0
      void this.#quietly(`conversations/${current._id}/read`)
    }
    this.#showConversation()
  }

  #showConversation(): void {
    const { current } = this.#conversations
    this.#view.showConversation(this.#conversations)
    void this.#email.show(current !== undefined)
    this.#transcript.show(current, this.#email.address)
    this.#showUnread()
  }

  #showUnread(): void {
    const { unread } = this.#conversations
    this.#options.tell({ type: 'unread', count: this.#isOpen ? 0 : unread, all: unread })
  }

  async #rate(rating: { rating: number; comment?: string }): Promise<boolean> {
    const { current } = this.#conversations
    if (!current) return false
    const path = `conversations/${encodeURIComponent(current._id)}/rating`
    try {
      await send(path, { method: 'POST', token: this.#session.token, body: rating })
      current.rating = { score: rating.rating }
      // After the form has said thank you.
      setTimeout(() => this.#showConversation())
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#view.notice(this.#texts.ratingFailed)
      return false
    }
  }

  async #readFile({ _id }: Attachment): Promise<Blob> {
    const path = `attachments/${encodeURIComponent(_id)}`
    return await (await send(path, { token: this.#session.token })).blob()
  }

  async #download(file: Attachment): Promise<void> {
    try {
      const href = URL.createObjectURL(await this.#readFile(file))
      Object.assign(document.createElement('a'), { href, download: file.filename }).click()
      setTimeout(() => URL.revokeObjectURL(href), 60_000)
    } catch {
      this.#view.notice(fill(this.#texts.downloadFailed, { name: file.filename }))
    }
  }

  async #identify(userToken: string): Promise<void> {
    const identification = ++this.#identifications
    if (this.#session.isOfAnother(userToken)) this.#forget()
    const visitor = this.#session.visitor
    const isCurrent = () => visitor === this.#session.visitor && identification === this.#identifications
    for (let attempt = 0; isCurrent(); attempt++) {
      const error = await this.#session.identify(userToken, isCurrent).catch(asApiError)
      if (!isCurrent()) return
      if (!error) {
        this.#identified()
        return
      }
      if (!error.isPassing) {
        this.#identityRefused(error)
        return
      }
      await pause(error.waitMs ?? backoffMs(attempt))
    }
  }

  #identified(): void {
    this.#options.tell({ type: 'identified' })
    this.#followToken()
    this.#outbox.run()
  }

  #identityRefused(error: ApiError): void {
    if (error.status === 401) this.#options.tell({ type: 'expired' })
    else if (error.status === 403) this.#refused(error, undefined)
    else this.#view.notice(error.message)
  }

  /** Log-out, or another person: nothing of the visitor before is shown or stored any more. */
  #forget(): void {
    this.#session.end()
    this.#view.composer.clear()
    this.#view.notice('')
    this.#begin(true)
  }

  #begin(isAll: boolean): void {
    this.#thread++
    this.#knownToken = this.#session.token
    this.#conversations.clear()
    this.#earlier = null
    this.#view.list.clear(isAll)
    this.#showConversation()
    this.#stream.reset()
  }

  /** The session has changed: its conversations are read again. */
  #followToken(): void {
    if (this.#session.token === this.#knownToken) return
    const isNewVisitor = this.#knownToken !== undefined
    this.#knownToken = this.#session.token
    if (isNewVisitor) this.#begin(false)
    else this.#stream.update()
  }

  #followOtherTab(): void {
    if (this.#session.token === this.#knownToken) return
    const isLogOut = this.#store.isEmpty
    if (isLogOut) {
      this.#session.visitor++
      this.#view.composer.clear()
    }
    this.#begin(isLogOut)
  }

  #refused({ status, message }: ApiError, token: string | undefined): void {
    if (status === 403) this.#options.tell({ type: 'off', reason: message })
    if (status !== 401 || token === undefined || token !== this.#session.token) return
    const wasSigned = this.#session.isSigned
    this.#session.drop()
    this.#begin(false)
    if (wasSigned) this.#options.tell({ type: 'expired' })
  }

  async #attempt(work: (token: string) => Promise<void>): Promise<void> {
    const { token } = this.#session
    if (token === undefined) return
    try {
      await work(token)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#refused(error, token)
    }
  }

  /** A request whose loss harms nothing. */
  async #quietly(path: string, body?: object): Promise<void> {
    await this.#attempt(async (token) => void (await send(path, { method: 'POST', token, body })))
  }
}
