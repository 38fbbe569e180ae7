// Runs on both databases by day: patches and orders of stored rows.

import { setTimeout as wait } from 'node:timers/promises'
import { foldedFacts } from '@crmkit/core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runsAll } from '../support/by-day.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

/** Of a message of the customer and a reply. By day sixty of them, at night all. */
const races = runsAll ? 1_000 : 60
const atOnce = 20
/** Of the first of two requests before the second one. */
const leadMaxMs = 100

// Rows of the list say since when the customer waits, and what was said last.

const running = useService()
let token: string
let inboxId: string
let customerId: string
let id: string

const send = (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path, token, body })
const data = async (method: string, path: string, body?: unknown) => {
  const response = await send(method, path, body)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
const path = () => `/api/v1/conversations/${id}`
const get = () => data('GET', path())
const put = (body: unknown) => data('PUT', path(), body)
const say = (body: unknown) => data('POST', `${path()}/messages`, body)
const inbound = (content = 'Hello?') => say({ content, direction: 'inbound' })
const reply = (content = 'Hi!') => say({ content })
const begin = async (body: object = {}) =>
  (await data('POST', '/api/v1/conversations', { subject: 'Help', inboxId, customerId, ...body }))._id

beforeAll(async () => {
  token = (await registerTenant(running.url)).token
  inboxId = (await data('GET', '/api/v1/inboxes'))[0]._id
  customerId = (await data('POST', '/api/v1/customers', { firstName: 'Ada' }))._id
})
beforeEach(async () => {
  id = await begin()
})

const eventsAbout = async (types: string) => {
  const events = await data('GET', `/api/v1/events?types=${types}&limit=100`)
  return events.filter(
    ({ data: about }: { data: { _id: string; conversation?: { _id: string } } }) =>
      about._id === id || about.conversation?._id === id,
  )
}

describe('waitingSince', () => {
  it('is the first message that nobody has answered, and null after a reply', async () => {
    expect((await get()).waitingSince).toBeNull()
    const first = await inbound()
    await inbound('Anybody?')
    expect((await get()).waitingSince).toBe(first.createdAt)
    await say({ content: 'Who takes it?', type: 'note' })
    expect((await get()).waitingSince).toBe(first.createdAt)
    await reply()
    expect((await get()).waitingSince).toBeNull()
    const again = await inbound('And now?')
    expect((await get()).waitingSince).toBe(again.createdAt)
  })

  it('is hidden while the conversation is closed, and there again when it is opened by hand', async () => {
    const { createdAt } = await inbound()
    expect((await put({ status: 'closed' })).waitingSince).toBeNull()
    expect((await get()).waitingSince).toBeNull()
    const listed = await data('GET', '/api/v1/conversations?status=closed')
    expect(listed).toMatchObject([{ _id: id, waitingSince: null }])
    expect((await put({ status: 'open' })).waitingSince).toBe(createdAt)
    await put({ status: 'closed' })
    const opening = await inbound('It is not solved.')
    expect(await get()).toMatchObject({ status: 'open', waitingSince: opening.createdAt })
  })

  it('keeps the older time when a message opens a pending or snoozed conversation', async () => {
    const { createdAt } = await inbound()
    for (const status of ['pending', 'snoozed']) {
      await put({ status })
      await inbound('Still here')
      expect(await get()).toMatchObject({ status: 'open', waitingSince: createdAt })
    }
  })

  it('comes back when the reply fails', async () => {
    const { createdAt } = await inbound()
    const { _id } = await reply()
    await data('PUT', `/api/v1/messages/${_id}`, { status: 'failed' })
    expect((await get()).waitingSince).toBe(createdAt)
    await expect
      .poll(async () => (await eventsAbout('message.updated')).at(-1)?.data.conversation.waitingSince)
      .toBe(createdAt)
  })
})

describe('lastMessage', () => {
  it('is the newest reply or inbound message as one line of plain text', async () => {
    expect(await get()).toMatchObject({ lastMessage: null, lastCustomerMessageAt: null })
    const asked = await inbound('  Where is\n\nmy order?  ')
    expect(await get()).toMatchObject({
      lastMessage: {
        _id: asked._id,
        type: 'reply',
        direction: 'inbound',
        senderType: 'customer',
        at: asked.createdAt,
        preview: 'Where is my order?',
        files: 0,
      },
      lastMessageAt: asked.createdAt,
      lastCustomerMessageAt: asked.createdAt,
    })
    const answer = await say({ content: '**On** its [way](https://shop.example)', contentType: 'markdown' })
    await say({ content: 'Internal', type: 'note' })
    const [row] = await data('GET', `/api/v1/conversations?customerId=${customerId}`)
    expect(row).toMatchObject({
      _id: id,
      lastMessage: { _id: answer._id, direction: 'outbound', senderType: 'user', preview: 'On its way' },
      lastCustomerMessageAt: asked.createdAt,
    })
    expect(Object.keys(row)).not.toContain('lastMessageId')
  })

  it('is in events without its text, but for that of the message itself', async () => {
    const { _id } = await inbound('Secret of Ada')
    await say({ content: 'Internal', type: 'note' })
    await put({ priority: 'high' })
    await expect.poll(() => eventsAbout('conversation.updated')).toHaveLength(1)
    const [changed] = await eventsAbout('conversation.updated')
    expect(changed.data.lastMessage).toMatchObject({ _id, direction: 'inbound' })
    expect(Object.keys(changed.changes)).toEqual(['priority'])
    expect(JSON.stringify(changed)).not.toContain('Secret')
    const [note] = await eventsAbout('note.created')
    expect(note.data.conversation.lastMessage).toMatchObject({ _id, preview: null })
    expect(JSON.stringify(note)).not.toContain('Secret')
    const [received] = await eventsAbout('message.received')
    expect(received.data.conversation).toMatchObject({
      lastMessage: { _id, preview: 'Secret of Ada' },
      waitingSince: received.data.createdAt,
    })
  })
})

describe('orders and filters', () => {
  const ids = async (query: string) =>
    (await data('GET', `/api/v1/conversations?${query}`)).map((one: { _id: string }) => one._id)

  it('sorts by who waits longest, and by the last message, with cursors', async () => {
    const customer = (await data('POST', '/api/v1/customers', { firstName: 'Grace' }))._id
    const of = `customerId=${customer}`
    const made: string[] = []
    for (const say of ['inbound', 'outbound', 'inbound', 'nothing'] as const) {
      const message = say === 'nothing' ? null : { content: say, direction: say }
      made.push(await begin({ customerId: customer, message }))
    }
    const [first, answered, second, empty] = made
    expect(await ids(`${of}&sort=waiting`)).toEqual([first, second, empty, answered])
    expect(await ids(`${of}&sort=-lastMessageAt`)).toEqual([empty, second, answered, first])
    expect(await ids(`${of}&sort=lastMessageAt`)).toEqual([first, answered, second, empty])
    expect(await ids(`${of}&waiting=true&sort=waiting`)).toEqual([first, second])
    expect(await ids(`${of}&waiting=false&sort=waiting`)).toEqual([empty, answered])
    id = first ?? ''
    await reply()
    expect(await ids(`${of}&sort=waiting`)).toEqual([second, first, empty, answered])
    const page = await send('GET', `/api/v1/conversations?${of}&sort=waiting&limit=1&status=open`)
    expect(page.body.data[0]._id).toBe(second)
    const { nextCursor } = page.body.pagination
    expect(await ids(`${of}&sort=waiting&limit=3&status=open&cursor=${nextCursor}`)).toEqual([
      first,
      empty,
      answered,
    ])
    const { createdAt } = await data('GET', `/api/v1/conversations/${second}`)
    expect(await ids(`${of}&createdSince=${createdAt}&sort=createdAt`)).toEqual([second, empty])
    expect(await ids(`${of}&createdUntil=${createdAt}&sort=createdAt`)).toEqual([first, answered, second])
  })
})

describe('many writers', () => {
  const messagesOf = async () => data('GET', `/api/v1/conversations/${id}/messages?order=desc&limit=100`)

  it('never leave an older message on top, and the wait is that of some order of their commits', async () => {
    for (let round = 0; round < 5; round++) {
      id = await begin()
      await Promise.all([1, 2, 3, 4].flatMap(() => [inbound(), reply()]))
      const row = await get()
      const newestFirst = (await messagesOf()).toSorted(
        (a: { createdAt: string; _id: string }, b: { createdAt: string; _id: string }) =>
          `${b.createdAt} ${b._id}` < `${a.createdAt} ${a._id}` ? -1 : 1,
      )
      const [newest] = newestFirst
      expect(row.lastMessage).toMatchObject({ _id: newest._id, at: newest.createdAt })
      expect(row.lastMessageAt).toBe(newest.createdAt)
      const asked = newestFirst.filter(({ direction }: { direction: string }) => direction === 'inbound')
      expect(row.lastCustomerMessageAt).toBe(asked[0].createdAt)
      const times = asked.map(({ createdAt }: { createdAt: string }) => createdAt)
      expect([null, ...times]).toContain(row.waitingSince)
      // A settled row does not depend on the race.
      await reply()
      expect((await get()).waitingSince).toBeNull()
      const { createdAt } = await inbound()
      expect((await get()).waitingSince).toBe(createdAt)
      expect(foldedFacts({ seq: 10 }, await messagesOf())).toMatchObject({ waitingSince: createdAt })
    }
  })

  it('leave the wait that follows from the log of events, in each race of a message and a reply', async () => {
    const ids: string[] = []
    for (let batch = 0; batch < races / atOnce; batch++) {
      const made = await Promise.all(Array.from({ length: atOnce }, () => begin()))
      await Promise.all(
        made.flatMap((one, index) => {
          const post = (body: object) => data('POST', `/api/v1/conversations/${one}/messages`, body)
          const both = [{ content: 'Hello?', direction: 'inbound' }, { content: 'Hi!' }]
          const [first = {}, second = {}] = index % 2 === 0 ? both : both.reverse()
          // From a tie to a long lead: one kind of message may always take longer than the other.
          const lead = wait((index / atOnce) * leadMaxMs)
          return [post(first), lead.then(() => post(second))]
        }),
      )
      ids.push(...made)
    }
    const fromLog = await waitsOfLog(new Set(ids))
    const rows = await Promise.all(ids.map((one) => data('GET', `/api/v1/conversations/${one}`)))
    const stored = new Map(rows.map(({ _id, waitingSince }) => [_id, waitingSince]))
    expect(fromLog.size).toBe(races)
    expect(stored).toEqual(fromLog)
    // Both ends of a race have been seen, else nothing was proven.
    expect(new Set([...stored.values()].map((since) => since === null))).toEqual(new Set([true, false]))
  }, 900_000)
})

/** Since when the customer of each conversation waits, as the messages in the order of the log say. */
async function waitsOfLog(ids: ReadonlySet<string>): Promise<Map<string, string | null>> {
  const waits = new Map<string, string | null>()
  let after = 'earliest'
  for (;;) {
    const { body } = await send(
      'GET',
      `/api/v1/events?types=message.received,message.sent&limit=100&after=${after}`,
    )
    for (const { event, data: message } of body.data) {
      const { conversationId, createdAt } = message
      if (!ids.has(conversationId)) continue
      waits.set(conversationId, event === 'message.sent' ? null : (waits.get(conversationId) ?? createdAt))
    }
    if (body.data.length === 0) return waits
    after = body.pagination.nextCursor
  }
}
