// Runs on both databases by day: messages of several conversations are one list, in the order of both.

import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
const path = '/api/v1/conversations'

async function newTenant() {
  const { token } = await registerTenant(running.url)
  const send = async (method: string, at: string, body?: unknown) =>
    call(running.url, { method, path: at, token, body })
  const { body: inboxes } = await send('GET', '/api/v1/inboxes')
  const inboxId: string = inboxes.data[0]._id
  const customer = async (firstName: string): Promise<string> =>
    (await send('POST', '/api/v1/customers', { firstName })).body.data._id
  const ada = await customer('Ada')
  const begin = async (subject: string, fields: object = {}): Promise<string> => {
    const { body } = await send('POST', path, { subject, inboxId, customerId: ada, ...fields })
    return body.data._id
  }
  const say = async (id: string, content: string, direction = 'inbound') => {
    const { status } = await send('POST', `${path}/${id}/messages`, { content, direction })
    expect(status).toBe(201)
  }
  const get = async (id: string) => (await send('GET', `${path}/${id}`)).body.data
  const contents = async (id: string, query = '') => {
    const { body } = await send('GET', `${path}/${id}/messages?order=asc${query}`)
    return body.data.map(({ content }: { content: string }) => content)
  }
  const merge = (target: string, sourceId: string) =>
    send('POST', `/api/v1/conversations/${target}/merge`, { sourceId })
  const unmerge = (source: string) => send('POST', `/api/v1/conversations/${source}/unmerge`)
  return { token, send, customer, begin, say, get, contents, merge, unmerge }
}

async function twoConversations() {
  const tenant = await newTenant()
  const target = await tenant.begin('A lamp', { labels: ['lamp'] })
  const source = await tenant.begin('The lamp again', { labels: ['Lamp', 'late'], priority: 'high' })
  for (const [id, content] of [
    [target, 'one'],
    [source, 'two'],
    [target, 'three'],
    [source, 'four'],
  ] as const)
    await tenant.say(id, content)
  return { ...tenant, target, source }
}

test('the target shows the messages of both in one order, also page by page, and the source keeps its own', async () => {
  const { target, source, merge, get, contents, send } = await twoConversations()
  const { status, body } = await merge(target, source)
  expect([status, body.error]).toEqual([200, undefined])
  expect(body.data).toMatchObject({
    _id: target,
    mergedFrom: [source],
    messageCount: 4,
    labels: ['lamp', 'late'],
  })
  expect(await get(target)).toMatchObject({ messageCount: 4, seq: 4, mergedFrom: [source], mergedInto: null })
  expect(await contents(target)).toEqual(['one', 'two', 'three', 'four'])
  expect(await contents(target, '&limit=3&page=2')).toEqual(['four'])
  const first = await send('GET', `${path}/${target}/messages?order=desc&limit=2`)
  const { total, nextCursor } = first.body.pagination
  expect(total).toBe(4)
  const second = await send('GET', `${path}/${target}/messages?order=desc&limit=2&cursor=${nextCursor}`)
  const all = [...first.body.data, ...second.body.data]
  expect(all.map(({ content }: { content: string }) => content)).toEqual(['four', 'three', 'two', 'one'])
  expect(all[0].conversationId).toBe(source)
  expect(await contents(source)).toEqual(['two', 'four'])
  const timeline = await send('GET', `${path}/${target}/timeline?kind=message&limit=100`)
  expect(timeline.body.pagination.total).toBe(4)
  const look = await send('GET', `${path}/${target}?include=messages`)
  expect(look.body.included.messages.data).toHaveLength(4)
})

test('a merged source is closed, in no list and no count, and found by its id alone', async () => {
  const { target, source, merge, get, send } = await twoConversations()
  await merge(target, source)
  expect(await get(source)).toMatchObject({ status: 'closed', mergedInto: target })
  for (const query of [
    '',
    'status=closed',
    'sort=createdAt',
    'sort=priority',
    'label=late',
    'search=again',
    'sort=waiting',
  ]) {
    const { body } = await send('GET', `${path}?${query}`)
    const ids = body.data.map(({ _id }: { _id: string }) => _id)
    expect(ids, query).not.toContain(source)
    expect(body.pagination.total, query).toBe(ids.length)
  }
  const { body } = await send('GET', `${path}/counts`)
  expect(body.data.views).toMatchObject({ closed: { total: 0 }, open: { total: 1 } })
  const found = await send('GET', '/api/v1/search?q=four')
  expect(JSON.stringify(found.body)).not.toContain(source)
})

test.each([
  ['a message', 'four'],
  ['the subject', 'again'],
])(
  'a search in the list finds the target by %s of the source, and not after an unmerge',
  async (_of, words) => {
    const { target, source, merge, unmerge, send } = await twoConversations()
    const found = async (filter = '') => {
      const { body } = await send('GET', `${path}?search=${words}${filter}`)
      const { total, totalIsEstimate } = body.pagination
      return { ids: body.data.map(({ _id }: { _id: string }) => _id), total, totalIsEstimate }
    }
    const only = (id: string) => ({ ids: [id], total: 1, totalIsEstimate: false })
    expect(await found()).toEqual(only(source))
    await merge(target, source)
    for (const filter of ['', '&sort=waiting', '&label=lamp', '&status=open', '&limit=1'])
      await expect.poll(() => found(filter), { message: filter }).toEqual(only(target))
    const none = { ids: [], total: 0, totalIsEstimate: false }
    for (const filter of ['&status=closed', '&label=desk', '&assignedTo=me'])
      expect(await found(filter), filter).toEqual(none)
    await unmerge(source)
    await expect.poll(() => found()).toEqual(only(source))
  },
)

test('a change, a label, a message, a note, a draft and a deletion of a merged source are INVALID_STATE', async () => {
  const { target, source, merge, send, contents } = await twoConversations()
  await merge(target, source)
  const at = `${path}/${source}`
  for (const [method, to, body] of [
    ['PUT', at, { priority: 'low' }],
    ['POST', `${at}/labels`, { labels: ['x'] }],
    ['POST', `${at}/messages`, { content: 'five' }],
    ['POST', `${at}/messages`, { content: 'five', type: 'note' }],
    ['PUT', `${at}/draft`, { content: 'five' }],
    ['DELETE', at, undefined],
    ['POST', `${at}/merge`, { sourceId: target }],
  ] as const) {
    const { status, body: reply } = await send(method, to, body)
    expect([method, to, status, reply.code]).toEqual([method, to, 409, 'INVALID_STATE'])
    expect(reply.details).toEqual({ status: 'merged', allowed: [], mergedInto: target })
  }
  const { body } = await send('POST', `${path}/bulk`, { ids: [source], set: { priority: 'low' } })
  expect(JSON.stringify(body)).toContain('INVALID_STATE')
  expect(await contents(target)).toHaveLength(4)
})

test('an unmerge gives back the state of the source and takes the added labels, and what was written since stays', async () => {
  const { target, source, merge, unmerge, get, contents, say, send } = await twoConversations()
  await send('PUT', `${path}/${source}`, { status: 'snoozed', snoozedUntil: '2099-01-01T00:00:00.000Z' })
  const before = [await get(target), await get(source)]
  await merge(target, source)
  await say(target, 'five')
  const { status, body } = await unmerge(source)
  expect([status, body.error]).toEqual([200, undefined])
  const stays = (was: Record<string, unknown>) => {
    const {
      labels,
      mergedFrom,
      mergedInto,
      snoozedUntil,
      closedAt,
      priority,
      wakeOnReply,
      status: state,
    } = was
    return { labels, mergedFrom, mergedInto, snoozedUntil, closedAt, priority, wakeOnReply, status: state }
  }
  expect(await get(target)).toMatchObject({ ...stays(before[0]), messageCount: 3 })
  expect(await get(source)).toMatchObject({
    ...stays(before[1]),
    messageCount: 2,
    lastMessageAt: before[1].lastMessageAt,
  })
  expect(await contents(target)).toEqual(['one', 'three', 'five'])
  expect(await contents(source)).toEqual(['two', 'four'])
  expect((await unmerge(source)).body.code).toBe('INVALID_STATE')
  expect((await merge(target, source)).status).toBe(200)
})

test('both timelines have the merge and the unmerge, and the events name the target', async () => {
  const { target, source, merge, unmerge, send } = await twoConversations()
  await merge(target, source)
  await unmerge(source)
  for (const id of [target, source]) {
    const { body } = await send('GET', `${path}/${id}/timeline?kind=activity&order=asc&limit=100`)
    const actions = body.data.map(({ activity }: { activity: { action: string } }) => activity.action)
    expect(actions).toEqual(expect.arrayContaining(['merged', 'unmerged']))
  }
  const { body } = await send('GET', '/api/v1/events?limit=100')
  const types = body.data.map(({ event, data }: { event: string; data: { _id: string } }) => [
    event,
    data._id,
  ])
  expect(types).toEqual(
    expect.arrayContaining([
      ['conversation.closed', source],
      ['conversation.merged', target],
      ['conversation.unmerged', target],
    ]),
  )
})

test('only two conversations of one customer are merged, neither of them merged already', async () => {
  const { begin, customer, merge, send } = await newTenant()
  const [one, two, three] = [await begin('one'), await begin('two'), await begin('three')]
  const grace = await customer('Grace')
  const foreign = await begin('of Grace', { customerId: grace })
  const nobody = await begin('of nobody', { customerId: null })
  const codeOf = async (target: string, source: string) => {
    const { status, body } = await merge(target, source)
    return [status, body.code, body.details?.[0]?.rule]
  }
  expect(await codeOf(one, one)).toEqual([422, 'VALIDATION_ERROR', 'self'])
  expect(await codeOf(one, 'con_none')).toEqual([422, 'VALIDATION_ERROR', 'reference'])
  expect(await codeOf('con_none', one)).toEqual([404, 'NOT_FOUND', undefined])
  expect(await codeOf(one, foreign)).toEqual([409, 'CONFLICT', undefined])
  expect(await codeOf(one, nobody)).toEqual([409, 'CONFLICT', undefined])
  expect(await codeOf(one, two)).toEqual([200, undefined, undefined])
  expect(await codeOf(three, two)).toEqual([409, 'INVALID_STATE', undefined])
  expect(await codeOf(three, one)).toEqual([409, 'INVALID_STATE', undefined])
  const given = await send('PUT', `${path}/${one}`, { customerId: grace })
  expect([given.status, given.body.code]).toEqual([409, 'INVALID_STATE'])
})

test('the deletion of the target deletes its sources, and the erasure of the customer both', async () => {
  const { target, source, merge, send, begin, get } = await twoConversations()
  await merge(target, source)
  expect((await send('DELETE', `${path}/${target}`)).status).toBe(200)
  for (const id of [target, source]) expect((await send('GET', `${path}/${id}`)).status).toBe(404)
  const [next, other] = [await begin('next'), await begin('other')]
  await merge(next, other)
  const { customerId } = await get(next)
  expect((await send('DELETE', `/api/v1/customers/${customerId._id}`)).status).toBe(200)
  for (const id of [next, other]) expect((await send('GET', `${path}/${id}`)).status).toBe(404)
})

test('a merge of customers takes both along, and its unmerge leaves them together', async () => {
  const { customer, begin, merge, send, get } = await newTenant()
  const [bea, cleo] = [await customer('Bea'), await customer('Cleo')]
  const [one, two] = [await begin('one', { customerId: bea }), await begin('two', { customerId: bea })]
  await merge(one, two)
  await send('POST', `/api/v1/customers/${cleo}/merge`, { sourceId: bea })
  for (const id of [one, two]) expect((await get(id)).customerId._id).toBe(cleo)
  const { body } = await send('POST', `/api/v1/customers/${cleo}/unmerge`, { sourceId: bea })
  expect(body.data.kept).toEqual(expect.arrayContaining([one, two]))
  for (const id of [one, two]) expect((await get(id)).customerId._id).toBe(cleo)
})
