import { type Conversation, joined, type Message, without } from '../model.ts'
import { maybe, pickName, stepKind, words } from '../step-kind.ts'
import { type Body, NothingToDo, type Walker } from '../walker.ts'

const path = '/api/v1/conversations'
const statuses = ['open', 'closed', 'pending', 'snoozed'] as const
const priorities = ['low', 'medium', 'high', 'urgent'] as const
const users = ['u-owner', 'u-agent'] as const

/** Replies in this inbox leave as mails, which has steps of its own. */
export const mailInbox = 'i-mail'

export function isMailed({ model }: Walker, conversation: string): boolean {
  return model.conversations.get(conversation)?.inbox === mailInbox
}

/** An inbox whose replies are no mails. */
function pickInbox(choosing: Parameters<typeof pickName>[0]): string | undefined {
  return pickName(choosing, new Map([...choosing.model.inboxes].filter(([name]) => name !== mailInbox)))
}

export function newConversation(name: string, given: Partial<Conversation>): Conversation {
  return {
    name,
    subject: '',
    status: 'open',
    priority: 'medium',
    channel: 'email',
    source: 'api',
    customer: null,
    assignee: null,
    inbox: 'i0',
    labels: [],
    snoozedUntil: null,
    wakeOnReply: true,
    messageCount: 0,
    seq: 0,
    isGone: false,
    ...given,
  }
}

/** The conversation as a list shows it. */
export function shown(walker: Walker, data: Body): Omit<Conversation, 'isGone'> {
  return {
    name: walker.nameOf(data._id) ?? '',
    subject: data.subject,
    status: data.status,
    priority: data.priority,
    channel: data.channel,
    source: data.source,
    customer: walker.nameOf(data.customerId?._id ?? data.customerId),
    assignee: walker.nameOf(data.assignedTo?._id ?? data.assignedTo),
    inbox: walker.nameOf(data.inboxId) ?? '',
    labels: data.labels,
    snoozedUntil: data.snoozedUntil,
    wakeOnReply: data.wakeOnReply,
    messageCount: data.messageCount,
    seq: data.seq,
  }
}

type Shown = ReturnType<typeof shown>

/** Messages of the same commit count themselves, and send no event of the conversation. */
export const withoutCounts = (conversation: Shown): Shown => ({ ...conversation, messageCount: 0, seq: 0 })

export function expectConversation(
  walker: Walker,
  data: Body,
  name: string,
  compared: (conversation: Shown) => Shown = (conversation) => conversation,
): void {
  const conversation = walker.model.conversations.get(name)
  if (conversation === undefined) throw new Error(`${name} is not in the model`)
  const { isGone: _isGone, ...expected } = conversation
  walker.same(compared(shown(walker, data)), compared(expected), `conversation ${name}`)
}

/** Applies a change, and expects its events in the order of the contract. */
export function become(walker: Walker, after: Conversation): void {
  const before = walker.model.conversations.get(after.name) as Conversation
  walker.model.conversations.set(after.name, after)
  if (JSON.stringify(before) === JSON.stringify(after)) return
  walker.events.push(`conversation.updated ${after.name}`)
  if (before.assignee !== after.assignee) walker.events.push(`conversation.assigned ${after.name}`)
  if (before.status !== 'closed' && after.status === 'closed')
    walker.events.push(`conversation.closed ${after.name}`)
}

interface Said {
  as: 'reply' | 'inbound' | 'note'
  file?: string | undefined
  clientMessageId?: number | undefined
}

const kinds = {
  reply: { type: 'reply', direction: 'outbound' },
  inbound: { type: 'reply', direction: 'inbound' },
  note: { type: 'note', direction: 'internal' },
} as const

/** The body of a message, and what the model knows about it. */
function saying(
  walker: Walker,
  conversation: Conversation,
  said: Said,
  { name, as }: { name: string; as: 'key' | 'agent' | 'viewer' },
) {
  const author = said.as === 'inbound' ? conversation.customer : null
  const content = walker.text(`Says ${said.as}`, { customer: author, conversation: conversation.name })
  const message: Omit<Message, 'via'> = {
    name,
    conversation: conversation.name,
    author,
    ...kinds[said.as],
    content,
    status: 'sent',
    isGone: false,
    ...(as !== 'key' && { writer: `u-${as}` as const }),
  }
  const kind = said.as === 'note' ? { type: 'note' } : { direction: kinds[said.as].direction }
  const body = {
    content,
    ...kind,
    ...(said.file !== undefined && { attachments: [walker.id(said.file)] }),
    ...(said.clientMessageId !== undefined && { clientMessageId: `once-${said.clientMessageId}` }),
  }
  return { body, message }
}

/** The door of a message that is stored now. */
export function viaOf(
  { model }: Walker,
  message: Pick<Message, 'direction' | 'mailedTo' | 'conversation'>,
): Message['via'] {
  if (message.direction !== 'outbound') return null
  if (message.mailedTo !== undefined) return 'email'
  if (model.conversations.get(message.conversation)?.source === 'widget') return 'chat'
  return model.alive(model.webhooks).some(({ fields }) => fields['isActive']) ? 'webhook' : 'none'
}

/** Adds a message to the model, with its events; a message of the customer may open the conversation. */
export function added(walker: Walker, message: Omit<Message, 'via'>, isOpening = true): void {
  const { model } = walker
  model.messages.set(message.name, { ...message, via: viaOf(walker, message) })
  const before = model.conversations.get(message.conversation) as Conversation
  const isNote = message.type === 'note'
  const after = { ...before, seq: before.seq + 1, messageCount: before.messageCount + (isNote ? 0 : 1) }
  // Counts alone send no event.
  model.conversations.set(after.name, after)
  if (message.writer !== undefined) model.setRead(message.writer, after.name, after.seq)
  const isInbound = message.direction === 'inbound'
  const at = message.at ?? new Date(walker.world.now()).toISOString()
  if (isInbound && message.author !== null) model.setContact(message.author, at)
  const type = isNote ? 'note.created' : isInbound ? 'message.received' : 'message.sent'
  walker.events.push(`${type} ${message.name}`)
  if (!isInbound || !isOpening) return
  const sleepsOn = after.status === 'open' || (after.status === 'snoozed' && !after.wakeOnReply)
  if (!sleepsOn) become(walker, { ...after, status: 'open', snoozedUntil: null, wakeOnReply: true })
}

export const conversationSteps = {
  'conversations.create': stepKind<{
    customer: string | null
    assignee: string | null
    inbox: string
    labels?: string[] | undefined
    said?: Said | undefined
    as: 'key' | 'agent' | 'viewer'
  }>({
    weight: 9,
    choose(choosing) {
      const { random, model } = choosing
      if (model.alive(model.conversations).length > 80) return undefined
      return {
        customer: random.isOneIn(8) ? null : (pickName(choosing, model.customers) ?? null),
        assignee: maybe(random, 3, () => random.pick(users)) ?? null,
        inbox: random.isOneIn(4) ? (pickInbox(choosing) ?? 'i0') : 'i0',
        labels: maybe(random, 2, () => [random.pick(words), random.pick(words)]),
        said: maybe(random, 2, () => ({ as: random.pick(['reply', 'inbound', 'note'] as const) })),
        as: random.pick(['key', 'key', 'agent', 'viewer']),
      }
    },
    async run(walker, { customer, assignee, inbox, labels, said, as }, n) {
      const { model } = walker
      const name = `v${n}`
      const owner = customer === null ? undefined : model.customers.get(customer)
      const home = { conversation: name, customer: null }
      const subject = walker.text('Broken lamp', home)
      const label = walker.text('l', home)
      const conversation = newConversation(name, {
        subject,
        customer,
        assignee,
        inbox,
        labels: joined([], labels === undefined ? [] : [...labels, label]),
      })
      const spoken = said && saying(walker, conversation, said, { name: `m${n}`, as })
      const body = {
        subject,
        inboxId: walker.id(inbox),
        customerId: walker.idOrNull(customer),
        assignedTo: walker.idOrNull(assignee),
        ...(labels && { labels: [...labels, label] }),
        ...(spoken && { message: spoken.body }),
      }
      if (as === 'viewer') return void (await walker.expect(403, 'POST', path, body, { as }))
      // The first message of the team is no note of the customer.
      if (owner?.isGone || model.inboxes.get(inbox)?.isGone) {
        return void (await walker.expect(422, 'POST', path, body, { as }))
      }
      const { data } = await walker.expect(201, 'POST', path, body, { as })
      walker.name(name, data._id)
      model.conversations.set(name, conversation)
      walker.events.push(`conversation.created ${name}`)
      if (assignee !== null) walker.events.push(`conversation.assigned ${name}`)
      if (spoken) {
        added(walker, { ...spoken.message, at: data.createdAt })
        const messages = await walker.all(`${path}/${data._id}/messages`)
        walker.name(`m${n}`, messages[0]._id)
      }
      expectConversation(walker, data, name)
    },
  }),

  'conversations.update': stepKind<{
    conversation: string
    change: {
      subject?: true | undefined
      status?: string | null | undefined
      priority?: string | null | undefined
      assignee?: string | null | undefined
      customer?: string | null | undefined
      inbox?: string | undefined
      snoozeMinutes?: number | null | undefined
      wakeOnReply?: boolean | undefined
    }
  }>({
    weight: 10,
    choose(choosing) {
      const { random, model } = choosing
      const conversation = pickName(choosing, model.conversations)
      const status = maybe(random, 2, () => random.pick([...statuses, 'snoozed', null]))
      return (
        conversation && {
          conversation,
          change: {
            subject: maybe(random, 4, () => true as const),
            status,
            priority: maybe(random, 4, () => random.pick([...priorities, null])),
            assignee: maybe(random, 4, () => random.pick([...users, null])),
            customer: maybe(random, 6, () =>
              random.isOneIn(4) ? null : (pickName(choosing, model.customers) ?? null),
            ),
            inbox: maybe(random, 8, () => pickInbox(choosing) ?? 'i0'),
            snoozeMinutes: maybe(random, status === 'snoozed' ? 2 : 12, () =>
              random.pick([5, 60, 2_000, null, -5]),
            ),
            wakeOnReply: maybe(random, status === 'snoozed' ? 3 : 15, () => random.isOneIn(2)),
          },
        }
      )
    },
    async run(walker, { conversation: name, change }) {
      const { model } = walker
      const at = `${path}/${walker.id(name)}`
      const before = model.conversations.get(name) as Conversation
      const { snoozeMinutes } = change
      const snoozedUntil =
        snoozeMinutes == null
          ? snoozeMinutes
          : new Date(walker.world.now() + snoozeMinutes * 60_000).toISOString()
      const subject = change.subject && walker.text('Other lamp', { conversation: name })
      const body = {
        ...(subject && { subject }),
        ...(change.status !== undefined && { status: change.status }),
        ...(change.priority !== undefined && { priority: change.priority }),
        ...(change.assignee !== undefined && { assignedTo: walker.idOrNull(change.assignee) }),
        ...(change.customer !== undefined && { customerId: walker.idOrNull(change.customer) }),
        ...(change.inbox !== undefined && { inboxId: walker.id(change.inbox) }),
        ...(snoozedUntil !== undefined && { snoozedUntil }),
        ...(change.wakeOnReply !== undefined && { wakeOnReply: change.wakeOnReply }),
      }
      const status = change.status === undefined ? before.status : (change.status ?? 'open')
      const isSnoozed = status === 'snoozed'
      const isNamed = snoozedUntil != null || change.wakeOnReply != null
      const isPast = snoozeMinutes != null && snoozeMinutes <= 0
      const isUnfit = isSnoozed ? isPast : isNamed
      if (before.isGone) {
        const isNamedUnfit = change.status !== undefined && isUnfit
        return void (await walker.expect(isNamedUnfit ? 422 : 404, 'PUT', at, body))
      }
      const customer = change.customer ? model.customers.get(change.customer) : undefined
      const inbox = change.inbox ? model.inboxes.get(change.inbox) : undefined
      if (isUnfit || customer?.isGone || inbox?.isGone) {
        return void (await walker.expect(422, 'PUT', at, body))
      }
      const { data } = await walker.expect(200, 'PUT', at, body)
      become(walker, {
        ...before,
        subject: subject ?? before.subject,
        status,
        priority: change.priority === undefined ? before.priority : (change.priority ?? 'medium'),
        assignee: change.assignee === undefined ? before.assignee : change.assignee,
        customer: change.customer === undefined ? before.customer : change.customer,
        inbox: change.inbox ?? before.inbox,
        snoozedUntil: isSnoozed ? (snoozedUntil === undefined ? before.snoozedUntil : snoozedUntil) : null,
        wakeOnReply: isSnoozed ? (change.wakeOnReply ?? before.wakeOnReply) : true,
      })
      expectConversation(walker, data, name)
    },
  }),

  'conversations.labels': stepKind<{ conversation: string; labels: string[]; isRemoved: boolean }>({
    weight: 4,
    choose(choosing) {
      const conversation = pickName(choosing, choosing.model.conversations)
      const { random } = choosing
      const labels = [random.pick(words), random.pick(words)]
      return conversation && { conversation, labels, isRemoved: random.isOneIn(3) }
    },
    async run(walker, { conversation, labels, isRemoved }) {
      const at = `${path}/${walker.id(conversation)}/labels`
      const before = walker.model.conversations.get(conversation) as Conversation
      const method = isRemoved ? 'DELETE' : 'POST'
      if (before.isGone) return void (await walker.expect(404, method, at, { labels }))
      const { data } = await walker.expect(200, method, at, { labels })
      become(walker, {
        ...before,
        labels: isRemoved ? without(before.labels, labels) : joined(before.labels, labels),
      })
      expectConversation(walker, data, conversation)
    },
  }),

  'conversations.delete': stepKind<{ conversation: string; as: 'key' | 'agent' | 'viewer' }>({
    weight: 2,
    choose(choosing) {
      const conversation = pickName(choosing, choosing.model.conversations)
      return conversation && { conversation, as: choosing.random.pick(['key', 'agent', 'viewer']) }
    },
    async run(walker, { conversation, as }) {
      const at = `${path}/${walker.id(conversation)}`
      if (as === 'viewer') return void (await walker.expect(403, 'DELETE', at, {}, { as }))
      const isGone = walker.model.conversations.get(conversation)?.isGone
      await walker.expect(isGone ? 404 : 200, 'DELETE', at, {}, { as })
      if (isGone) return
      walker.model.eraseConversation(conversation)
      walker.events.push(`conversation.deleted ${conversation}`)
      await walker.expect(404, 'GET', at)
      await walker.expect(404, 'GET', `${at}/messages`)
    },
  }),

  'messages.create': stepKind<{ conversation: string; said: Said; as: 'key' | 'agent' | 'viewer' }>({
    weight: 12,
    choose(choosing) {
      const { random, model } = choosing
      const conversation = pickName(choosing, model.conversations)
      const said: Said = {
        as: random.pick(['reply', 'inbound', 'inbound', 'note']),
        file: maybe(random, 4, () => pickName(choosing, model.attachments)),
        clientMessageId: maybe(random, 4, () => random.below(3)),
      }
      return conversation && { conversation, said, as: random.pick(['key', 'key', 'agent', 'viewer']) }
    },
    async run(walker, { conversation: name, said, as }, n) {
      const { model } = walker
      const at = `${path}/${walker.id(name)}/messages`
      const before = model.conversations.get(name) as Conversation
      if (said.as === 'reply' && isMailed(walker, name)) throw new NothingToDo(name)
      const { body, message } = saying(walker, before, said, { name: `m${n}`, as })
      // A text that is not stored is nowhere.
      const refused = async (status: number) => {
        walker.eraseText(body.content)
        return (await walker.expect(status, 'POST', at, body, { as })).data
      }
      if (as === 'viewer') return void (await refused(403))
      if (before.isGone) return void (await refused(404))
      const key = said.clientMessageId === undefined ? undefined : `${name}/${said.clientMessageId}`
      const first = key === undefined ? undefined : walker.once.get(key)
      if (first !== undefined && !model.messages.get(first)?.isGone) {
        const data = await refused(200)
        return walker.same(data._id, walker.id(first), `the message of the clientMessageId ${key}`)
      }
      const file = said.file === undefined ? undefined : model.attachments.get(said.file)
      if (file && (file.isGone || file.message !== null)) {
        return void (await refused(422))
      }
      const { data } = await walker.expect(201, 'POST', at, body, { as })
      walker.name(message.name, data._id)
      if (key !== undefined) walker.once.set(key, message.name)
      added(walker, { ...message, at: data.createdAt })
      if (file) {
        file.message = message.name
        // The file is a part of the message from now on.
        walker.adopt(file.name, { customer: message.author, conversation: name })
      }
      walker.same(
        [data.content, data.status, walker.nameOf(data.sender.type === 'customer' ? data.sender._id : null)],
        [message.content, 'sent', message.author],
        `message ${message.name}`,
      )
      const shownNow = await walker.expect(200, 'GET', `${path}/${walker.id(name)}`)
      expectConversation(walker, shownNow.data, name)
    },
  }),

  'messages.update': stepKind<{ message: string; status: 'delivered' | 'read' | 'failed' }>({
    weight: 3,
    choose(choosing) {
      const message = pickName(choosing, choosing.model.messages)
      return message && { message, status: choosing.random.pick(['delivered', 'read', 'failed']) }
    },
    async run(walker, { message: name, status }) {
      const at = `/api/v1/messages/${walker.id(name)}`
      const message = walker.model.messages.get(name) as Message
      if (message.isGone) return void (await walker.expect(404, 'PUT', at, { status }))
      // Whether a status can follow: the response says it, and the model holds it to what it shows.
      const response = await walker.ask('PUT', at, { status })
      if (response.status === 409) return walker.same(response.body.code, 'INVALID_STATE', 'a refused status')
      walker.same([response.status, response.body.data?.status], [200, status], `status of ${name}`)
      if (message.status !== status) walker.events.push(`message.updated ${name}`)
      message.status = status
    },
  }),

  'messages.sending': stepKind<{ message: string; as: 'key' | 'agent' }>({
    weight: 2,
    choose(choosing) {
      const message = pickName(choosing, choosing.model.messages)
      return message && { message, as: choosing.random.pick(['key', 'agent']) }
    },
    async run(walker, { message: name, as }) {
      const at = `/api/v1/messages/${walker.id(name)}`
      const { isGone, mailedTo } = walker.model.messages.get(name) as Message
      if (mailedTo !== undefined) throw new NothingToDo(name)
      const attempts = await walker.expect(isGone ? 404 : 200, 'GET', `${at}/attempts`, undefined, { as })
      if (!isGone) walker.same(attempts.data, [], `the attempts of ${name}`)
      // It was no mail: nothing waits, and nothing has failed.
      await walker.expect(isGone ? 404 : 409, 'POST', `${at}/send-again`, {}, { as })
      await walker.expect(isGone ? 404 : 409, 'DELETE', at, undefined, { as })
    },
  }),

  'attachments.create': stepKind<{ size: number }>({
    weight: 3,
    choose: ({ random }) => ({ size: random.pick([0, 10, 5_000]) }),
    async run(walker, { size }, n) {
      const name = `f${n}`
      const home = {}
      const text = walker.text('File', home) + '.'.repeat(size)
      const file = new File([text], `${walker.text('name', home)}.txt`)
      const { data } = await walker.expect(201, 'POST', '/api/v1/attachments', undefined, { form: { file } })
      walker.name(name, data._id)
      walker.model.attachments.set(name, { name, fields: { text }, message: null, isGone: false })
    },
  }),

  'attachments.get': stepKind<{ file: string }>({
    weight: 2,
    choose(choosing) {
      const file = pickName(choosing, choosing.model.attachments)
      return file && { file }
    },
    async run(walker, { file: name }) {
      const file = walker.model.attachments.get(name)
      const at = `/api/v1/attachments/${walker.id(name)}`
      const body = await walker.expect(file?.isGone ? 404 : 200, 'GET', at)
      if (!file?.isGone) walker.same(body, file?.fields['text'], `the bytes of ${name}`)
    },
  }),
}
