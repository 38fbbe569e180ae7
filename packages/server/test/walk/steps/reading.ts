import type { Conversation, Message, Row } from '../model.ts'
import { pickName, stepKind } from '../step-kind.ts'
import { type Body, NothingToDo, type Walker } from '../walker.ts'
import { expectConversation, mailInbox, viaOf } from './conversations.ts'

const path = '/api/v1/conversations'
export const readers = ['owner', 'agent', 'viewer'] as const
type Reader = (typeof readers)[number]

const parts = ['messages', 'activities', 'drafts', 'recipients'] as const
const partMax = 50
/** Unread messages are counted up to this number. */
const unreadMax = 100

function messagesOf({ model }: Walker, conversation: string): Message[] {
  return model.alive(model.messages).filter((one) => one.conversation === conversation)
}

/** Returns what of a conversation a user has not read, by the model. */
function unreadOf(walker: Walker, { name, seq }: Conversation, reader: Reader) {
  const count = Math.min(Math.max(seq - walker.model.readSeq(`u-${reader}`, name), 0), unreadMax)
  const first = count === 0 ? undefined : messagesOf(walker, name).at(-count)
  return { count, first: first?.name ?? null }
}

function expectUnread(walker: Walker, unread: Body, conversation: Conversation, reader: Reader): void {
  const shown = { count: unread.count, first: walker.nameOf(unread.firstMessageId) }
  walker.same(shown, unreadOf(walker, conversation, reader), `unread of ${conversation.name} for ${reader}`)
}

/** Marks a conversation as read in the model: never less than before, and at most to its end. */
function marked({ model }: Walker, { name, seq }: Conversation, reader: Reader, upTo: number): void {
  const user = `u-${reader}`
  model.setRead(user, name, Math.max(Math.min(upTo, seq), model.readSeq(user, name)))
}

function expectRead(walker: Walker, read: Body, conversation: Conversation, reader: Reader): void {
  const { name } = conversation
  const shown = [walker.nameOf(read.conversationId), read.seq]
  walker.same(shown, [name, walker.model.readSeq(`u-${reader}`, name)], `${name}, read by ${reader}`)
  expectUnread(walker, read.unread, conversation, reader)
}

/** The key of a step that made one, or a person. */
interface Looker {
  asked: { as: 'key' | Reader } | { token: string }
  /** The status of a look at a conversation that is there. */
  status: 200 | 401 | 403
  seesCustomers: boolean
}

function lookerOf(walker: Walker, by: string): Looker {
  if (by === 'key' || readers.includes(by as Reader))
    return { asked: { as: by as 'key' | Reader }, status: 200, seesCustomers: true }
  const key = walker.model.keys.get(by)
  if (key === undefined) throw new NothingToDo(by)
  const permissions = key.fields['permissions'] as string[]
  const isEnded = key.isGone || key.fields['isActive'] !== true
  return {
    asked: { token: walker.secret(by) },
    status: isEnded ? 401 : permissions.includes('read:conversations') ? 200 : 403,
    seesCustomers: permissions.includes('read:customers'),
  }
}

/** The newest messages, and the number of all. */
function expectMessages(walker: Walker, { data, pagination }: Body, name: string): void {
  const expected = messagesOf(walker, name)
  walker.same(
    data.map((row: Body) => [walker.nameOf(row._id), row.content, row.status, row.direction, row.via]),
    expected
      .toReversed()
      .slice(0, partMax)
      .map((one) => [one.name, one.content, one.status, one.direction, one.via]),
    `the messages in a look at ${name}`,
  )
  walker.same(pagination.total, expected.length, `the number of messages in a look at ${name}`)
  walker.same(pagination.nextCursor !== null, expected.length > partMax, `whether ${name} has more messages`)
}

function expectDrafts(walker: Walker, { data, pagination }: Body, name: string): void {
  const { model } = walker
  const expected = model.alive(model.drafts).filter(({ fields }: Row) => fields['conversation'] === name)
  walker.same(
    data.map((row: Body) => [walker.nameOf(row._id), row.content]).toSorted(),
    expected.map((draft) => [draft.name, draft.fields['content']]).toSorted(),
    `the drafts in a look at ${name}`,
  )
  walker.same(pagination.total, expected.length, `the number of drafts in a look at ${name}`)
}

async function expectRecipients(
  walker: Walker,
  recipients: Body,
  { name, inbox }: Conversation,
  { asked, seesCustomers }: Looker,
): Promise<void> {
  if (!seesCustomers) return walker.same(recipients, null, `the recipients in a look at ${name}`)
  const alone = await walker.expect(200, 'GET', `${path}/${walker.id(name)}/recipients`, undefined, asked)
  walker.same(recipients, alone.data, `the recipients in a look at ${name}`)
  const reply = { direction: 'outbound', conversation: name } as const
  const door = inbox === mailInbox ? 'email' : viaOf(walker, reply)
  walker.same([recipients.door, recipients.sendsMail], [door, door === 'email'], `the door of ${name}`)
}

export const readingSteps = {
  'conversations.look': stepKind<{ conversation: string; include: readonly string[]; by: string }>({
    weight: 6,
    choose(choosing) {
      const { random, model } = choosing
      const conversation = pickName(choosing, model.conversations)
      const key = random.isOneIn(3) ? pickName(choosing, model.keys) : undefined
      const include = parts.filter(() => !random.isOneIn(3))
      const by = key ?? random.pick(['key', ...readers])
      if (include.length === 0) return undefined
      return conversation && { conversation, include, by }
    },
    async run(walker, { conversation: name, include, by }) {
      const conversation = walker.model.conversations.get(name) as Conversation
      const looker = lookerOf(walker, by)
      const status = looker.status === 200 && conversation.isGone ? 404 : looker.status
      const at = `${path}/${walker.id(name)}?include=${include.join(',')}`
      const { data, included } = await walker.expect(status, 'GET', at, undefined, looker.asked)
      if (status !== 200) return
      expectConversation(walker, data, name)
      walker.same(Object.keys(included).toSorted(), include.toSorted(), `the parts of a look at ${name}`)
      if (included.messages) expectMessages(walker, included.messages, name)
      if (included.drafts) expectDrafts(walker, included.drafts, name)
      if ('recipients' in included) await expectRecipients(walker, included.recipients, conversation, looker)
      if (readers.includes(by as Reader)) expectUnread(walker, data.unread, conversation, by as Reader)
      else walker.same(data.unread, null, `unread of ${name} for a key`)
    },
  }),

  'conversations.comes': stepKind<{
    conversation: string
    as: 'key' | Reader
    state: string
    back: number | null
  }>({
    weight: 4,
    choose(choosing) {
      const { random, model } = choosing
      const conversation = pickName(choosing, model.conversations)
      const as = random.pick(['key', ...readers, ...readers] as const)
      const state = random.pick(['viewing', 'replying', 'none'])
      return conversation && { conversation, as, state, back: random.pick([null, 0, 0, 1, 2, -5]) }
    },
    async run(walker, { conversation: name, as, state, back }) {
      const conversation = walker.model.conversations.get(name) as Conversation
      const at = `${path}/${walker.id(name)}/presence`
      const readSeq = back === null ? undefined : Math.max(conversation.seq - back, 0)
      const body = { state, ...(readSeq !== undefined && { readSeq }) }
      const status = as === 'key' ? 403 : conversation.isGone ? 404 : 200
      const reply = await walker.expect(status, 'PUT', at, body, { as })
      if (as === 'key' || status !== 200) return
      walker.same('read' in reply, readSeq !== undefined, `whether ${as} has read ${name}`)
      if (readSeq === undefined) return
      marked(walker, conversation, as, readSeq)
      expectRead(walker, reply.read, conversation, as)
    },
  }),

  'conversations.read': stepKind<{ conversation: string; as: Reader; isUndone: boolean }>({
    weight: 3,
    choose(choosing) {
      const { random, model } = choosing
      const conversation = pickName(choosing, model.conversations)
      return conversation && { conversation, as: random.pick(readers), isUndone: random.isOneIn(2) }
    },
    async run(walker, { conversation: name, as, isUndone }) {
      const conversation = walker.model.conversations.get(name) as Conversation
      const at = `${path}/${walker.id(name)}`
      const status = conversation.isGone ? 404 : 200
      const read = await walker.expect(status, 'POST', `${at}/read`, {}, { as })
      const unread = isUndone && (await walker.expect(status, 'POST', `${at}/unread`, {}, { as }))
      if (status !== 200) return
      marked(walker, conversation, as, conversation.seq)
      expectRead(walker, read.data, conversation, as)
      if (!unread) return
      walker.model.setRead(`u-${as}`, name, unreadFrom(walker, conversation, as))
      expectRead(walker, unread.data, conversation, as)
    },
  }),
}

/** Returns the `seq` before the newest message that the user has not written; the end where there is none. */
function unreadFrom(walker: Walker, { name, seq }: Conversation, reader: Reader): number {
  const newest = messagesOf(walker, name).toReversed().slice(0, unreadMax)
  const index = newest.findIndex(
    ({ writer, direction }) => direction === 'inbound' || writer !== `u-${reader}`,
  )
  return index < 0 ? seq : seq - (index + 1)
}
