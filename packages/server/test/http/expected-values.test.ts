import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let colleagueId: string
let id: string

const send = (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path, token, body })
const put = (body: object) => send('PUT', `/api/v1/conversations/${id}`, body)
const read = async () => (await send('GET', `/api/v1/conversations/${id}`)).body.data

beforeAll(async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  colleagueId = (await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })).userId
})
beforeEach(async () => {
  const inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
  id = (await send('POST', '/api/v1/conversations', { subject: 'Help', inboxId })).body.data._id
})

test('a change with expected values is made while they are stored, whatever else was changed', async () => {
  await send('POST', `/api/v1/conversations/${id}/labels`, { labels: ['vip'] })
  const { inboxId } = await read()
  const expected = { status: 'open', snoozedUntil: null, assignedTo: null, priority: 'medium', inboxId }
  const { status, body } = await put({ status: 'pending', expected: { ...expected, customerId: null } })
  expect([status, body.data.status]).toEqual([200, 'pending'])
})

test('with another stored value nothing is changed, and the refusal holds the expected and the actual one', async () => {
  await put({ assignedTo: colleagueId })
  const { status, body } = await put({
    status: 'closed',
    assignedTo: null,
    expected: { assignedTo: null, status: 'open' },
  })
  expect([status, body.code, body.details]).toEqual([
    409,
    'CONFLICT',
    { changed: { assignedTo: { expected: null, actual: colleagueId } } },
  ])
  expect(await read()).toMatchObject({ status: 'open', assignedTo: { _id: colleagueId } })
})

test('expected values alone are a check, and none at all are refused', async () => {
  expect((await put({ expected: { status: 'open' } })).status).toBe(200)
  expect((await put({ expected: { status: 'closed' } })).status).toBe(409)
  const { status, body } = await put({ expected: {} })
  expect([status, body.details]).toMatchObject([422, [{ field: 'expected', rule: 'required' }]])
})

test('of two who expect the same value at the same moment exactly one changes it', async () => {
  for (let round = 0; round < 5; round++) {
    await put({ priority: 'low' })
    const both = ['high', 'urgent'].map((priority) => put({ priority, expected: { priority: 'low' } }))
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409])
  }
})
