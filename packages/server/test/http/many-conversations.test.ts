// Runs on both databases by day: a change in several commits.

import { afterEach, expect, test, vi } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
afterEach(() => vi.restoreAllMocks())

const path = '/api/v1/conversations/bulk'
const unknown = 'con_01J8ZZZZZZZZZZZZZZZZZZZZZZ'

async function newTenant() {
  const { token, user, tenant } = await registerTenant(running.url)
  const send = (method: string, at: string, body?: object, headers: Record<string, string> = {}) =>
    call(running.url, { method, path: at, token, headers, ...(body && { body }) })
  const inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id as string
  const conversation = async (fields: object = {}) => {
    const body = { subject: 'Help', inboxId, ...fields }
    return (await send('POST', '/api/v1/conversations', body)).body.data._id as string
  }
  return {
    tenant,
    userId: user._id as string,
    inboxId,
    send,
    bulk: (body: object, headers?: Record<string, string>) => send('POST', path, body, headers),
    conversation,
    conversations: async (count: number) => {
      const ids: string[] = []
      for (let n = 0; n < count; n++) ids.push(await conversation())
      return ids
    },
    get: async (id: string) => (await send('GET', `/api/v1/conversations/${id}`)).body.data,
    /** The events of changes, oldest first. */
    changes: async () => {
      const { body } = await send('GET', '/api/v1/events?limit=100')
      const events = body.data as { event: string; data: { _id: string }; changes?: object }[]
      return events.filter(({ event }) => /updated|assigned|closed/.test(event))
    },
  }
}

/** Runs after the commit of a number, counted from 1, which is stored; `before` runs before it. Returns the sizes of the commits. */
function watchCommits(
  tenantId: string,
  { before, after }: { before?: (n: number) => void; after?: (n: number) => Promise<unknown> } = {},
): number[] {
  const { storage } = running.service
  const forTenant = storage.forTenant.bind(storage)
  const sizes: number[] = []
  let count = 0
  vi.spyOn(storage, 'forTenant').mockImplementation((id) => {
    const store = forTenant(id)
    if (id !== tenantId) return store
    return new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member
        return async (change: Parameters<typeof store.commit>[0]) => {
          const n = ++count
          before?.(n)
          sizes.push(change.writes.filter(({ kind }) => kind === 'conversations').length)
          await target.commit(change)
          await after?.(n)
        }
      },
    })
  })
  return sizes
}

test('POST /api/v1/conversations/bulk changes many, with a result for each and the events of single changes', async () => {
  const { bulk, conversation, get, changes, userId } = await newTenant()
  const first = await conversation({ labels: ['New', 'beta'] })
  const same = await conversation({ labels: ['VIP'], priority: 'urgent', assignedTo: userId })
  const full = await conversation({ labels: Array.from({ length: 50 }, (_, n) => `l${n}`) })
  await bulk({ ids: [same], set: { status: 'closed' } })
  const before = (await changes()).length
  const { status, body } = await bulk({
    ids: [first, same, unknown, full, first],
    set: { status: 'closed', priority: 'urgent', assignedTo: userId },
    addLabels: ['vip'],
    removeLabels: ['new'],
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    success: true,
    data: [
      { _id: first, result: 'changed' },
      { _id: same, result: 'unchanged' },
      { _id: unknown, result: 'failed', code: 'NOT_FOUND' },
      { _id: full, result: 'failed', code: 'VALIDATION_ERROR' },
    ],
  })
  expect(await get(first)).toMatchObject({ status: 'closed', priority: 'urgent', labels: ['beta', 'vip'] })
  expect(await get(full)).toMatchObject({ status: 'open', priority: 'medium' })
  // MongoDB gives events their places after the commit.
  const news = async () => (await changes()).slice(before)
  await expect.poll(news).toMatchObject([
    {
      event: 'conversation.updated',
      data: { _id: first },
      changes: {
        status: { from: 'open', to: 'closed' },
        priority: { from: 'medium', to: 'urgent' },
        assignedTo: { from: null, to: userId },
        labels: { from: ['New', 'beta'], to: ['beta', 'vip'] },
      },
    },
    { event: 'conversation.assigned', data: { _id: first } },
    { event: 'conversation.closed', data: { _id: first } },
  ])
})

test('the results and the events of 25 have the order of the ids, and at most ten are in a commit', async () => {
  const { tenant, bulk, conversations, changes } = await newTenant()
  const ids = (await conversations(25)).reverse()
  const sizes = watchCommits(tenant._id)
  const { body } = await bulk({ ids, set: { priority: 'low' } })
  expect(body.data).toEqual(ids.map((_id) => ({ _id, result: 'changed' })))
  expect(sizes).toEqual([10, 10, 5])
  await expect.poll(async () => (await changes()).map(({ data }) => data._id)).toEqual(ids)
})

test('the repeat of a request that died between two commits finds the earlier ones unchanged, and is then replayed', async () => {
  const { tenant, bulk, conversations } = await newTenant()
  const ids = await conversations(15)
  const asked = { ids, set: { status: 'pending' } }
  const headers = { 'idempotency-key': 'once' }
  watchCommits(tenant._id, {
    before(n) {
      if (n === 2) throw new Error('the power fails')
    },
  })
  expect((await bulk(asked, headers)).status).toBe(500)
  vi.restoreAllMocks()
  const repeated = await bulk(asked, headers)
  const results = (repeated.body.data as { result: string }[]).map(({ result }) => result)
  expect(results).toEqual([...Array(10).fill('unchanged'), ...Array(5).fill('changed')])
  const replayed = await bulk(asked, headers)
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  expect(replayed.body).toEqual(repeated.body)
  expect((await bulk({ ...asked, set: { status: 'open' } }, headers)).body.code).toBe(
    'IDEMPOTENCY_KEY_REUSED',
  )
})

test('with expected values, one that somebody else has changed fails with CONFLICT and stays', async () => {
  const { bulk, conversations, get, send, inboxId } = await newTenant()
  const [one, two] = (await conversations(2)) as [string, string]
  await bulk({ ids: [one, two], set: { status: 'closed' } })
  await send('PUT', `/api/v1/conversations/${two}`, { status: 'pending' })
  const expected = { status: 'closed', assignedTo: null, inboxId }
  const { body } = await bulk({ ids: [one, two], set: { status: 'open' }, expected })
  expect(body.data).toEqual([
    { _id: one, result: 'changed' },
    { _id: two, result: 'failed', code: 'CONFLICT' },
  ])
  expect([(await get(one)).status, (await get(two)).status]).toEqual(['open', 'pending'])
})

test('many are snoozed until a time, moved to another inbox, and lose their assignee', async () => {
  const { bulk, conversation, get, send, userId } = await newTenant()
  const inbox = (await send('POST', '/api/v1/inboxes', { name: 'Sales', channel: 'chat' })).body.data._id
  const id = await conversation({ assignedTo: userId })
  const snoozedUntil = new Date(Date.now() + 3_600_000).toISOString()
  const set = { status: 'snoozed', snoozedUntil, inboxId: inbox, assignedTo: null }
  expect((await bulk({ ids: [id], set })).body.data).toEqual([{ _id: id, result: 'changed' }])
  expect(await get(id)).toMatchObject(set)
  expect((await bulk({ ids: [id], set: { assignedTo: userId } })).status).toBe(200)
  // A time alone fits the snoozed one and not the open one.
  const open = await conversation()
  const later = new Date(Date.now() + 7_200_000).toISOString()
  expect((await bulk({ ids: [id, open], set: { snoozedUntil: later } })).body.data).toEqual([
    { _id: id, result: 'changed' },
    { _id: open, result: 'failed', code: 'VALIDATION_ERROR' },
  ])
})

test('an assignee who is deactivated between two commits gets none of the further conversations', async () => {
  const { tenant, bulk, conversations, send } = await newTenant()
  const { userId } = await addColleague(running, { tenantId: tenant._id, role: 'agent' })
  const ids = await conversations(12)
  const deactivate = () => send('PUT', `/api/v1/users/${userId}`, { isActive: false })
  watchCommits(tenant._id, { after: async (n) => n === 1 && (await deactivate()) })
  const { body } = await bulk({ ids, set: { assignedTo: userId } })
  expect(body.data.map(({ result }: { result: string }) => result)).toEqual([
    ...Array(10).fill('changed'),
    'failed',
    'failed',
  ])
  expect(body.data[11]).toEqual({ _id: ids[11], result: 'failed', code: 'VALIDATION_ERROR' })
})

test('a message that arrives meanwhile is not lost, and many changes at once all succeed', async () => {
  const { bulk, conversations, send, get } = await newTenant()
  const ids = await conversations(12)
  const say = (id: string) => send('POST', `/api/v1/conversations/${id}/messages`, { content: 'Hi' })
  const label = (name: string) => bulk({ ids, addLabels: [name] })
  const done = await Promise.all([...ids.map(say), label('a'), label('b'), label('c')])
  expect(done.map(({ status }) => status)).toEqual([...Array(12).fill(201), 200, 200, 200])
  for (const id of ids) {
    const { messageCount, labels } = await get(id)
    expect([messageCount, labels.sort()]).toEqual([1, ['a', 'b', 'c']])
  }
})

const one = ['con_1']
test.each([
  ['no ids', { set: { status: 'open' } }, 'ids', 'required'],
  ['an empty list of ids', { ids: [], set: { status: 'open' } }, 'ids', 'min'],
  ['101 ids', { ids: Array.from({ length: 101 }, (_, n) => `con_${n}`), addLabels: ['a'] }, 'ids', 'max'],
  ['no change', { ids: one }, 'set', 'required'],
  ['empty changes', { ids: one, set: {}, addLabels: [], removeLabels: [] }, 'set', 'required'],
  ['a field of a single change', { ids: one, set: { subject: 'Other' } }, 'set.subject', 'unknown_field'],
  ['an unknown status', { ids: one, set: { status: 'gone' } }, 'set.status', 'enum'],
  ['an unknown user', { ids: one, set: { assignedTo: 'usr_1' } }, 'set.assignedTo', 'reference'],
  ['an unknown inbox', { ids: one, set: { inboxId: 'inb_1' } }, 'set.inboxId', 'reference'],
  [
    'a snooze of closed ones',
    { ids: one, set: { status: 'closed', snoozedUntil: '2999-01-01T00:00:00.000Z' } },
    'set.snoozedUntil',
    'status',
  ],
  [
    'a snooze that is over',
    { ids: one, set: { status: 'snoozed', snoozedUntil: '2001-01-01T00:00:00.000Z' } },
    'set.snoozedUntil',
    'future',
  ],
  ['a label with a comma', { ids: one, addLabels: ['a,b'] }, 'addLabels.0', 'comma'],
] as const)('a change of many with %s is refused', async (_, body, field, rule) => {
  const { bulk } = await newTenant()
  const refused = await bulk(body)
  expect(refused.status).toBe(422)
  expect(refused.body.details).toContainEqual(expect.objectContaining({ field, rule }))
})
