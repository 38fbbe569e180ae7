import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  makeActivity,
  makeConversation,
  makeDraft,
  makeEvent,
  makeMessage,
  makeUser,
} from '../../sdk/src/testing/index.ts'
import { Crm } from '../src/api/crm.ts'
import { snoozeTimes } from '../src/features/actions/snooze-times.ts'
import { createStore } from '../src/store/store.ts'
import { belongsTo, type ListName, queryOf, standsBefore, viewNames } from '../src/store/views.ts'

const me = makeUser()
const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
const nothing = { lastMessage: null, lastMessageAt: null, lastCustomerMessageAt: null, waitingSince: null }
const row = makeConversation({ seq: 0, messageCount: 0, assignedTo: null, ...nothing, ...times })
const conversation = makeEvent('conversation.created', { data: { ...row, customerId: null } })
// The service sends it to single persons alone.
Reflect.deleteProperty(conversation.data, 'unread')
const about = { ...row, seq: 1 }
const message = makeMessage({ conversationId: row._id, type: 'reply', ...times })
const inbound = makeEvent('message.received', {
  data: { ...message, sender: { type: 'customer', _id: 'cus_1', name: 'Grace' }, conversation: about },
})
const reply = makeEvent('message.sent', {
  data: { ...message, sender: { type: 'user', _id: me._id, name: 'Ada' }, conversation: about },
})

/** A store whose service is never reached: events alone fill it. */
function storeWithoutService() {
  const crm = new Crm({ baseUrl: 'http://127.0.0.1:9', accessToken: 'none', maxRetries: 0 })
  return createStore(crm, { user: me, tenant: { _id: 'ten_1', name: 'Engines' } })
}

describe('events', () => {
  it('change a conversation once, however often they come', () => {
    const store = storeWithoutService()
    store.apply(conversation)
    for (let time = 0; time < 3; time++) store.apply(inbound)
    expect(store.conversations.rows.peek(row._id)).toMatchObject({
      seq: 1,
      messageCount: 1,
      unread: { count: 1, firstMessageId: message._id },
    })
  })

  it('of the signed-in person raise no unread count', () => {
    const store = storeWithoutService()
    for (const event of [conversation, reply]) store.apply(event)
    expect(store.conversations.rows.peek(row._id)).toMatchObject({ seq: 1, unread: { count: 0 } })
  })

  it('of a conversation that begins with a message of its customer make it unread, once', () => {
    const store = storeWithoutService()
    const { _id, createdAt: at } = message
    const named = { _id, type: 'reply', direction: 'inbound', senderType: 'customer', at, files: 0 } as const
    const begun = { ...conversation.data, seq: 1, messageCount: 1, lastMessage: named, lastMessageAt: at }
    store.apply(makeEvent('conversation.created', { data: begun }))
    const said = { ...about, lastMessage: { ...named, preview: 'Hello' }, lastMessageAt: at }
    for (let time = 0; time < 2; time++)
      store.apply({ ...inbound, data: { ...inbound.data, conversation: said } })
    const unread = { count: 1, firstMessageId: message._id }
    expect(store.conversations.rows.peek(row._id)).toMatchObject({ messageCount: 1, unread })
  })

  it('keep the text of the last message, which only its own event has', () => {
    const store = storeWithoutService()
    store.apply(conversation)
    const { _id, createdAt: at } = message
    const named = { _id, type: 'reply', direction: 'inbound', senderType: 'customer', at, files: 0 } as const
    const lastMessage = { ...named, preview: 'Hello' }
    const said = { ...about, lastMessage, lastMessageAt: at, waitingSince: at }
    store.apply({ ...inbound, data: { ...inbound.data, conversation: said } })
    expect(store.conversations.rows.peek(row._id)).toMatchObject({ lastMessage, waitingSince: at })
    const data = { ...conversation.data, seq: 1, lastMessage: named, waitingSince: at, priority: 'urgent' }
    store.apply(makeEvent('conversation.updated', { data }))
    expect(store.conversations.rows.peek(row._id)).toMatchObject({ priority: 'urgent', lastMessage })
    const other = { ...named, _id: 'msg_other' }
    store.apply(makeEvent('conversation.updated', { data: { ...data, lastMessage: other } }))
    const after = store.conversations.rows.peek(row._id)
    expect(after?.lastMessage).toEqual({ ...other, preview: null })
  })

  it('that are older than the known state change nothing', () => {
    const store = storeWithoutService()
    const later = { ...conversation.data, status: 'closed', updatedAt: '2026-01-02T00:00:00.000Z' }
    store.apply(makeEvent('conversation.closed', { data: later }))
    store.apply(conversation)
    expect(store.conversations.rows.peek(row._id)?.status).toBe('closed')
  })
})

describe('a view', () => {
  const waitingSince = null as string | null
  const plain = {
    priority: 'medium',
    channel: 'email',
    labels: [] as string[],
    inboxId: 'inb_1',
    customerId: null,
    waitingSince,
    ...times,
  }
  const of = (status: string, assignedTo: string | null, waits: string | null = null) =>
    viewNames.filter((view) =>
      belongsTo({ view }, { ...plain, status, assignedTo, waitingSince: waits }, me._id),
    )

  it('shows a conversation by its status and its assignee', () => {
    expect(of('open', me._id)).toEqual(['mine', 'open'])
    expect(of('pending', null)).toEqual(['unassigned', 'pending'])
    expect(of('snoozed', 'usr_2')).toEqual(['snoozed'])
    expect(of('closed', me._id)).toEqual(['closed'])
    expect(of('pending', null, times.createdAt)).toEqual(['unassigned', 'waiting', 'pending'])
    expect(of('snoozed', 'usr_2', times.createdAt)).toEqual(['snoozed'])
  })

  it('leaves the decision to the service while it is searched, unless another field decides', () => {
    const open = { ...plain, status: 'open', assignedTo: null }
    expect(belongsTo({ view: 'open', search: 'lamp' }, open, me._id)).toBeUndefined()
    expect(belongsTo({ view: 'closed', search: 'lamp' }, open, me._id)).toBe(false)
    expect(belongsTo({ view: 'open', inboxId: 'inb_2' }, open, me._id)).toBe(false)
  })

  it('shows what its filter lets through, and a value that nothing has lets nothing through', () => {
    const open = { ...plain, status: 'open', assignedTo: null, labels: ['VIP'] }
    const passes = (filter: object) => belongsTo({ view: 'open', filter }, open, me._id)
    expect(passes({ label: 'vip', channel: 'email', assignedTo: 'none', priority: 'medium' })).toBe(true)
    for (const filter of [{ label: 'vi' }, { channel: 'chat' }, { assignedTo: me._id }, { priority: 'x' }])
      expect([filter, passes(filter)]).toEqual([filter, false])
  })

  it('orders by its order, and two of one time or priority by their ids', () => {
    const [a, b] = [
      { ...row, _id: 'con_a' },
      { ...row, _id: 'con_b' },
    ]
    const isBefore = (sort: string) => standsBefore({ view: 'open', filter: { sort } })(a, b)
    expect(['createdAt', '-createdAt', 'priority', 'waiting', 'nonsense'].map(isBefore)).toEqual([
      true,
      false,
      false,
      true,
      false,
    ])
  })

  it('shows who waits longest first where there is work to do, then the latest message', () => {
    const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`
    const rows = [
      { ...row, _id: 'late', waitingSince: at(3), lastMessageAt: at(5) },
      { ...row, _id: 'early', waitingSince: at(2), lastMessageAt: at(4) },
      { ...row, _id: 'answered', lastMessageAt: at(6) },
      { ...row, _id: 'empty' },
    ]
    const sorted = (name: ListName) => {
      const isBefore = standsBefore(name)
      return rows.toSorted((a, b) => (isBefore(a, b) ? -1 : 1)).map(({ _id }) => _id)
    }
    expect(sorted({ view: 'mine' })).toEqual(['early', 'late', 'answered', 'empty'])
    expect(sorted({ view: 'open' })).toEqual(['answered', 'late', 'early', 'empty'])
    expect(queryOf({ view: 'unassigned' }).sort).toBe('waiting')
    expect(queryOf({ view: 'closed' }).sort).toBe('-lastMessageAt')
  })
})

it('the times of a snooze are in the future on every day of the week, and mornings are at nine', () => {
  for (let day = 1; day <= 14; day++) {
    const now = new Date(2026, 10, day, 8, 30).getTime()
    const { inThreeHours, tomorrow, nextWeek } = snoozeTimes(now)
    for (const time of [inThreeHours, tomorrow, nextWeek]) expect(Date.parse(time)).toBeGreaterThan(now)
    expect([new Date(nextWeek).getDay(), new Date(nextWeek).getHours()]).toEqual([1, 9])
    expect(new Date(tomorrow).getHours()).toBe(9)
  }
})

it('sends its newest presence after the one that is on its way, so that none overtakes another', async () => {
  const sent: string[] = []
  const answers: (() => void)[] = []
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    sent.push(JSON.parse(String(init?.body)).state)
    await new Promise<void>((resolve) => answers.push(resolve))
    return Response.json({ success: true, data: [] })
  }
  const crm = new Crm({ baseUrl: 'http://127.0.0.1:9', accessToken: 'none', maxRetries: 0, fetch })
  const { presence } = createStore(crm, { user: me, tenant: { _id: 'ten_1', name: 'Engines' } })
  for (const state of ['viewing', 'replying', 'none'] as const) presence.report('con_1', state)
  await expect.poll(() => answers.length).toBe(1)
  expect(sent).toEqual(['viewing'])
  answers[0]?.()
  await expect.poll(() => sent).toEqual(['viewing', 'none'])
})

it.each([
  { status: 404, code: 'NOT_FOUND', asks: 1, what: 'a deleted conversation is not saved again' },
  { status: 403, code: 'PERMISSION_DENIED', asks: 1, what: 'a conversation out of reach is not saved again' },
  { status: 503, code: 'UNAVAILABLE', asks: 3, what: 'a service that is away is saved again' },
])('a draft for $what', async ({ status, code, asks }) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const fetch: typeof globalThis.fetch = async () => {
    asked += 1
    return Response.json({ success: false, error: 'refused', code, requestId: 'req_1' }, { status })
  }
  const crm = new Crm({ baseUrl: 'http://127.0.0.1:9', accessToken: 'none', maxRetries: 0, fetch })
  const { drafts } = createStore(crm, { user: me, tenant: { _id: 'ten_1', name: 'Engines' } })
  drafts.change(row._id, (draft) => ({ ...draft, content: 'Half a reply' }))
  await vi.advanceTimersByTimeAsync(11_000)
  expect(asked).toBe(asks)
  expect(drafts.state(row._id).peek().draft.content).toBe('Half a reply')
  drafts.change(row._id, (draft) => ({ ...draft, content: 'A whole reply' }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toBe(asks + 1)
})

describe('a look at a conversation', () => {
  const draft = makeDraft({ conversationId: row._id, content: 'Half', version: 1 })
  const theirs = { ...draft, author: { type: 'user' as const, _id: 'usr_2', name: 'Ben' } }

  /** A store whose service replies to each request when the test says so. */
  function storeWithService() {
    const asked: { url: URL; reply: (body: object) => void }[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      const body = await new Promise<object>((reply) => asked.push({ url: new URL(String(input)), reply }))
      return Response.json({ success: true, ...body })
    }
    const crm = new Crm({ baseUrl: 'http://127.0.0.1:9', accessToken: 'none', maxRetries: 0, fetch })
    return {
      store: createStore(crm, { user: { ...me, role: 'agent' }, tenant: { _id: 'ten_1', name: 'Engines' } }),
      asked,
    }
  }
  const page = (data: object[]) => ({ data, pagination: { nextCursor: null } })
  const looked = (messages: object[], drafts: object[]) => ({
    data: { ...row, customerId: null },
    included: { messages: page(messages), drafts: page(drafts), recipients: null },
  })

  it('that began before a draft changed does not bring the older draft back', async () => {
    const { store, asked } = storeWithService()
    store.drafts.show(row._id)
    store.looks.show(row._id)
    await expect.poll(() => asked.length).toBe(1)
    store.drafts.takeEvent(
      { conversationId: row._id, draftId: draft._id, author: theirs.author, version: 2, sendAt: null },
      false,
    )
    await expect.poll(() => asked.length).toBe(2)
    expect(asked[1]?.url.pathname).toMatch(/drafts$/)
    asked[1]?.reply(page([{ ...theirs, content: 'Whole', version: 2 }]))
    await expect
      .poll(() =>
        store.drafts
          .state(row._id)
          .peek()
          .others.map(({ content }) => content),
      )
      .toEqual(['Whole'])
    asked[0]?.reply(looked([message], [theirs]))
    await expect.poll(() => store.looks.at(row._id).peek().isRead).toBe(true)
    expect(
      store.drafts
        .state(row._id)
        .peek()
        .others.map(({ content }) => content),
    ).toEqual(['Whole'])
  })

  it('that began before a message was deleted does not show it', async () => {
    const { store, asked } = storeWithService()
    store.looks.show(row._id)
    await expect.poll(() => asked.length).toBe(1)
    store.apply(makeEvent('message.deleted', { data: { _id: message._id } }))
    asked[0]?.reply(looked([message, { ...message, _id: 'msg_2' }], []))
    await expect.poll(() => store.looks.at(row._id).peek().isRead).toBe(true)
    expect(
      store.threads
        .open(row._id)
        .peek()
        .messages.map(({ _id }) => _id),
    ).toEqual(['msg_2'])
  })

  it('shows its changes, and reads those again that an event announces, also one that comes meanwhile', async () => {
    const { store, asked } = storeWithService()
    const rows = () =>
      store.activities
        .open(row._id)
        .peek()
        .rows.map(({ _id }) => _id)
    const changed = makeEvent('conversation.updated', {
      data: { ...row, customerId: null },
      changes: { status: { from: 'open', to: 'pending' } },
    })
    const [first, second] = ['act_1', 'act_2'].map((_id) => makeActivity({ _id, conversationId: row._id }))
    if (first === undefined || second === undefined) throw new Error('no samples')
    store.looks.show(row._id)
    await expect.poll(() => asked.length).toBe(1)
    store.apply(changed)
    const whole = looked([message], [])
    asked[0]?.reply({ ...whole, included: { ...whole.included, activities: page([first]) } })
    await expect.poll(rows).toEqual(['act_1'])
    await expect.poll(() => asked.at(-1)?.url.pathname).toMatch(/timeline$/)
    expect(asked.at(-1)?.url.searchParams.get('kind')).toBe('activity')
    const entry = (activity: typeof first) => ({
      _id: activity._id,
      kind: 'activity' as const,
      at: activity.at,
      message: null,
      activity,
    })
    asked.at(-1)?.reply({ success: true, ...page([entry(first), entry(second)]) })
    await expect.poll(rows).toEqual(['act_1', 'act_2'])
    const before = asked.length
    store.apply(changed)
    await expect.poll(() => asked.length).toBe(before + 1)
  })

  it('is not made at conversations that are passed by in the list', async () => {
    const { store, asked } = storeWithService()
    for (const id of ['con_first', 'con_passed', 'con_passed_too']) store.looks.show(id)()
    store.looks.show('con_last')
    const names = () => asked.map(({ url }) => url.pathname.split('/').at(-1))
    await expect.poll(names).toContain('con_last')
    expect(names().filter((name) => name?.startsWith('con_passed'))).toEqual([])
  })

  it('that is left before its end reads everything the next time', async () => {
    const { store, asked } = storeWithService()
    store.looks.show(row._id)()
    store.looks.show(row._id)
    await expect.poll(() => asked.length).toBeGreaterThan(1)
    expect(asked.at(-1)?.url.searchParams.getAll('include').join()).toBe(
      'messages,activities,drafts,recipients',
    )
  })
})
