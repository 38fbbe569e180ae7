// Runs on both databases by day: rows that a merge keeps, of several customers.

import { expect, test } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

async function newTenant() {
  const { token, user, tenant } = await registerTenant(service.url)
  const send = (method: string, path: string, body?: object, by = token) =>
    call(service.url, { method, path: `/api/v1/customers${path}`, token: by, ...(body && { body }) })
  return {
    token,
    tenantId: tenant._id as TenantId,
    userId: user._id,
    send,
    customer: async (fields: object) => (await send('POST', '', fields)).body.data._id as string,
    merge: async (target: string, sourceId: string, by = token) =>
      expect((await send('POST', `/${target}/merge`, { sourceId }, by)).status).toBe(200),
    unmerge: async (target: string, sourceId: string) =>
      expect((await send('POST', `/${target}/unmerge`, { sourceId })).status).toBe(200),
    merges: async (id: string) => (await send('GET', `/${id}/merges`)).body.data as Merge[],
    sources: async (id: string) =>
      ((await send('GET', `/${id}/merges`)).body.data as Merge[]).map(({ sourceId }) => sourceId),
  }
}

interface Merge {
  sourceId: string
  mergedAt: string
  undoableUntil: string
}

const dayMs = 86_400_000

test('GET /api/v1/customers/{id}/merges names who was merged, by whom and until when it can be taken back', async () => {
  const { token, userId, customer, merge, merges } = await newTenant()
  const key = await createKey(service.url, token, ['write:customers'])
  const target = await customer({ firstName: 'T' })
  const named = await customer({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@people.test' })
  const mailed = await customer({ email: 'bob@people.test', phone: '+49 30 1', company: 'Engines' })
  const called = await customer({ phone: '+49 30 2', jobTitle: 'Boss', customFields: { plan: 'free' } })
  expect(await merges(target)).toEqual([])
  await merge(target, named)
  await merge(target, mailed)
  await merge(target, called, key)
  const found = await merges(target)
  const times = {
    _id: expect.stringMatching(/^mrg_/),
    mergedAt: expect.any(String),
    undoableUntil: expect.any(String),
  }
  expect(found).toEqual([
    {
      ...times,
      sourceId: called,
      sourceName: '+49 30 2',
      mergedBy: { type: 'apiKey', _id: expect.any(String) },
    },
    { ...times, sourceId: mailed, sourceName: 'bob@people.test', mergedBy: { type: 'user', _id: userId } },
    { ...times, sourceId: named, sourceName: 'Ada Lovelace', mergedBy: { type: 'user', _id: userId } },
  ])
  for (const { mergedAt, undoableUntil } of found)
    expect(Date.parse(undoableUntil) - Date.parse(mergedAt)).toBe(30 * dayMs)
})

test('a merge that was taken back is not listed, and one that came along is listed where it can be taken back', async () => {
  const { customer, merge, unmerge, sources } = await newTenant()
  const [a, b, c, d] = [
    await customer({ firstName: 'A' }),
    await customer({ firstName: 'B' }),
    await customer({ firstName: 'C' }),
    await customer({ firstName: 'D' }),
  ]
  await merge(b, a)
  await merge(c, b)
  await merge(c, d)
  expect(await sources(c)).toEqual([d, b])
  await unmerge(c, b)
  expect([await sources(c), await sources(b)]).toEqual([[d], [a]])
  await unmerge(b, a)
  await merge(c, a)
  expect([await sources(b), await sources(c)]).toEqual([[], [a, d]])
})

test('after 30 days it is not listed, nor taken back', async () => {
  const { tenantId, send, customer, merge, merges } = await newTenant()
  const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
  await merge(target, source)
  const store = service.service.storage.forTenant(tenantId)
  const age = async (ms: number) => {
    const { rows } = await store.customerMerges.list({ mergedSource: source, page: 1, limit: 1 })
    const [{ _id: id, version: expectVersion } = { _id: '', version: 0 }] = rows
    const set = { createdAt: new Date(Date.now() - ms).toISOString() }
    await store.commit({
      writes: [{ op: 'update', kind: 'customerMerges', id, expectVersion, set }],
      events: [],
    })
  }
  await age(30 * dayMs - 60_000)
  expect(await merges(target)).toHaveLength(1)
  await age(30 * dayMs + 60_000)
  expect(await merges(target)).toEqual([])
  expect((await send('POST', `/${target}/unmerge`, { sourceId: source })).status).toBe(409)
})

test('nobody else reads it: another team, an unknown customer, an erased one', async () => {
  const { send, customer, merge } = await newTenant()
  const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
  await merge(target, source)
  const other = await newTenant()
  for (const id of [target, source, 'cus_unknown'])
    expect((await other.send('GET', `/${id}/merges`)).status).toBe(404)
  expect((await send('GET', `/${source}/merges`)).status).toBe(404)
  expect((await send('DELETE', `/${target}`)).status).toBe(200)
  expect((await send('GET', `/${target}/merges`)).status).toBe(404)
})
