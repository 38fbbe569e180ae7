// Runs on both databases by day: one key from many processes.

import { beforeAll, expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string

beforeAll(async () => {
  token = (await registerTenant(running.url)).token
})

const create = (key: string, body: unknown, path = '/api/v1/customers') =>
  call(running.url, { method: 'POST', path, token, body, headers: { 'idempotency-key': key } })
const countCustomers = async () =>
  (await call(running.url, { path: '/api/v1/customers', token })).body.pagination.total

it('replays the first reply for the same key and body, and creates nothing twice [own.idempotency]', async () => {
  const before = await countCustomers()
  const first = await create('replay', { firstName: 'Ada' })
  const second = await create('replay', { firstName: 'Ada' })
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect(second.body).toEqual(first.body)
  expect(await countCustomers()).toBe(before + 1)
})

it('refuses the same key with another body, and allows it on another path', async () => {
  await create('reused', { firstName: 'Ada' })
  const other = await create('reused', { firstName: 'Grace' })
  expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  const key = await create('reused', { name: 'K', permissions: ['read:customers'] }, '/api/tenant/api-keys')
  expect(key.status).toBe(201)
})

it('serves one of many simultaneous requests; the others get a replay or are asked to wait [own.idempotency]', async () => {
  const before = await countCustomers()
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => create('at-once', { firstName: 'Ada' })),
  )
  expect(await countCustomers()).toBe(before + 1)
  for (const { status, body, headers } of responses) {
    expect([201, 409]).toContain(status)
    if (status === 409)
      expect([body.code, headers.get('retry-after')]).toEqual(['IDEMPOTENCY_IN_PROGRESS', '1'])
  }
})

it('stores no one-time secret: a repetition returns only the id', async () => {
  const body = { name: 'K', permissions: ['read:customers'] }
  const first = await create('secret', body, '/api/tenant/api-keys')
  const second = await create('secret', body, '/api/tenant/api-keys')
  expect([second.status, second.body.code, second.body.details]).toEqual([
    409,
    'CONFLICT',
    { _id: first.body.data._id },
  ])
})

it('stores no refusal: the same key works once the request is corrected [own.idempotency]', async () => {
  expect((await create('refused', { tier: 'bronze' })).status).toBe(422)
  expect((await create('refused', { firstName: 'Ada' })).status).toBe(201)
})

it('deletes the stored replies about a deleted customer', async () => {
  const first = await create('erased', { firstName: 'Gone' })
  await call(running.url, { method: 'DELETE', path: `/api/v1/customers/${first.body.data._id}`, token })
  const second = await create('erased', { firstName: 'Gone' })
  expect(second.headers.get('idempotency-replayed')).toBeNull()
  expect(second.body.data._id).not.toBe(first.body.data._id)
})

it('refuses a key that is too long, naming the header', async () => {
  const response = await create('x'.repeat(256), { firstName: 'Ada' })
  expect(response.body.details).toMatchObject([{ field: 'Idempotency-Key', in: 'header' }])
})
