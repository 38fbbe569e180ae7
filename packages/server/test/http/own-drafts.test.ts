// Runs on both databases by day: a list across conversations.

import { beforeEach, expect, test } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { openLiveStream } from '../support/live-stream.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let tenantId: TenantId
let inboxId: string
let customerId: string
beforeEach(async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  tenantId = owner.tenant._id
  inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
  const customer = { firstName: 'Ada', lastName: 'L', email: 'ada@example.com' }
  customerId = (await send('POST', '/api/v1/customers', customer)).body.data._id
})

const send = (method: string, path: string, body?: unknown, by = token) =>
  call(running.url, { method, path, token: by, body })
const path = '/api/v1/users/me/drafts'
const later = () => new Date(Date.now() + 3_600_000).toISOString()
const store = () => running.service.storage.forTenant(tenantId)
const newConversation = async (): Promise<string> =>
  (await send('POST', '/api/v1/conversations', { subject: 'Lamp', inboxId, customerId })).body.data._id
const save = async (id: string, body: object, by = token): Promise<string> =>
  (await send('PUT', `/api/v1/conversations/${id}/draft`, body, by)).body.data._id
const idsOf = async (state: string, by = token, query = '') =>
  (await send('GET', `${path}?state=${state}${query}`, undefined, by)).body.data.map(
    ({ _id }: { _id: string }) => _id,
  )
const countOf = async (by = token) =>
  (await send('GET', '/api/v1/conversations/counts?view=unsent', undefined, by)).body.data.views.unsent

/** Plans a reply, lets the customer write, and lets the time of the draft come. */
async function saveUnsent(id: string, by = token): Promise<string> {
  const draftId = await save(id, { content: 'Later', sendAt: later() }, by)
  await send('POST', `/api/v1/conversations/${id}/messages`, { content: 'Hello?', direction: 'inbound' })
  const draft = await store().drafts.find(draftId)
  const set = { dueAt: new Date().toISOString() }
  const at = { kind: 'drafts', id: draftId, expectVersion: draft?.version ?? 0 } as const
  await store().commit({ writes: [{ op: 'update', ...at, set }], events: [] })
  await expect.poll(async () => (await store().drafts.find(draftId))?.sendError).toBe('REPLIED')
  return draftId
}

test('lists the drafts that were not sent and those that are planned, the last changed first, with their conversation', async () => {
  const [first, second, third, plain] = await Promise.all([1, 2, 3, 4].map(newConversation))
  const unsent = [await saveUnsent(first ?? ''), await saveUnsent(second ?? '')]
  const planned = await save(third ?? '', { content: 'Later', sendAt: later() })
  await save(plain ?? '', { content: 'Not planned' })
  expect(await idsOf('unsent')).toEqual(unsent.toReversed())
  expect(await idsOf('planned')).toEqual([planned])
  const { body } = await send('GET', `${path}?state=unsent&limit=1`)
  expect(body.pagination).toMatchObject({ total: 2, limit: 1 })
  expect(body.data).toMatchObject([
    {
      _id: unsent[1],
      sendError: 'REPLIED',
      sendAt: null,
      conversation: {
        _id: second,
        subject: 'Lamp',
        status: 'open',
        channel: 'email',
        customer: { _id: customerId, profile: { firstName: 'Ada', email: 'ada@example.com' } },
      },
    },
  ])
  expect(Object.keys(body.data[0].conversation)).toHaveLength(5)
  expect(await idsOf('unsent', token, `&limit=1&cursor=${body.pagination.nextCursor}`)).toEqual([unsent[0]])
})

test('lists the own drafts alone, for people alone, in a known state', async () => {
  const colleague = await addColleague(running, { tenantId, role: 'agent' })
  const id = await newConversation()
  const theirs = await saveUnsent(id, colleague.token)
  expect([await idsOf('unsent'), await idsOf('unsent', colleague.token)]).toEqual([[], [theirs]])
  const key = await createKey(running.url, token, ['read:conversations', 'write:conversations'])
  expect((await send('GET', `${path}?state=unsent`, undefined, key)).status).toBe(403)
  const { status, body } = await send('GET', `${path}?state=sent`)
  expect([status, body.details]).toMatchObject([422, [{ field: 'state' }]])
})

test('a draft leaves the list when it is saved again, sent or discarded, and with its conversation', async () => {
  const ids = await Promise.all([1, 2, 3, 4].map(newConversation))
  const drafts: string[] = []
  for (const id of ids) drafts.push(await saveUnsent(id))
  expect(await countOf()).toEqual({ total: 4, unread: null, isEstimate: false })
  const own = (index: number) => `/api/v1/conversations/${ids[index]}`
  await save(ids[0] ?? '', { content: 'Again' })
  expect((await send('POST', `${own(1)}/drafts/${drafts[1]}/send`, {})).status).toBe(201)
  await send('DELETE', `${own(2)}/draft`)
  expect(await idsOf('unsent')).toEqual([drafts[3]])
  await send('DELETE', own(3))
  expect(await idsOf('unsent')).toEqual([])
  expect(await countOf()).toMatchObject({ total: 0 })
})

test('a stream hears the number of its user’s unsent drafts, and nobody else’s', async () => {
  const colleague = await addColleague(running, { tenantId, role: 'agent' })
  const [mine, other] = [
    await openLiveStream(running.url, { token }),
    await openLiveStream(running.url, { token: colleague.token }),
  ]
  const unsent = { unread: null, isEstimate: false }
  await expect.poll(() => mine.counts()['unsent']).toEqual({ total: 0, ...unsent })
  const id = await newConversation()
  await saveUnsent(id)
  await expect.poll(() => mine.counts()['unsent']).toEqual({ total: 1, ...unsent })
  await send('DELETE', `/api/v1/conversations/${id}`)
  await expect.poll(() => mine.counts()['unsent']).toEqual({ total: 0, ...unsent })
  expect(other.counts()['unsent']).toEqual({ total: 0, ...unsent })
  mine.close()
  other.close()
})
