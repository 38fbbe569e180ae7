// Runs on both databases by day: lists, filters, orders, counts and positions.

import { type Operation, operations } from '@crmkit/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestOf, strongestTokens } from '../isolation/credentials.ts'
import { samples } from '../isolation/samples.ts'
import { createTenantWorld, type TenantWorld } from '../isolation/world.ts'
import { call } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'
import { startServiceWithCrm } from '../support/start-with-crm.ts'

// The rules for lists of specification 8 and contract 1, tried on every list.

let running: RunningService
let world: TenantWorld
beforeAll(async () => {
  running = await startServiceWithCrm()
  world = await createTenantWorld(running)
  await makeUnsentDrafts()
})
afterAll(() => running.stop())

/** Two replies of the owner that the service has not sent at their time. */
async function makeUnsentDrafts(): Promise<void> {
  const store = running.service.storage.forTenant(world.tenantId)
  const token = world.tokens.owner
  for (const subject of ['First', 'Second']) {
    const body = { subject, inboxId: world.inboxId }
    const made = await call(running.url, { method: 'POST', path: '/api/v1/conversations', token, body })
    const path = `/api/v1/conversations/${made.body.data._id}/draft`
    const draft = await call(running.url, { method: 'PUT', path, token, body: { content: 'Later' } })
    const { _id: id, version: expectVersion } = draft.body.data
    const set = { sendError: 'REPLIED' }
    await store.commit({ writes: [{ op: 'update', kind: 'drafts', id, expectVersion, set }], events: [] })
  }
}

const hasField = ({ request }: Operation, name: string) =>
  request?.query !== undefined && name in request.query.shape
const lists = operations
  .filter((operation: Operation) => hasField(operation, 'page'))
  .map((one) => [one.id, one] as const)

/** The lists whose default page is not 20. */
const defaultLimits: Partial<Record<Operation['id'], number>> = {
  'conversations.list': 50,
  'messages.list': 50,
  'widget.listMessages': 50,
  'imports.listErrors': 50,
}
/** The lists whose rows and totals are together in `data`, by the name of the rows. */
const namedLists: Partial<Record<Operation['id'], string>> = {
  'apiKeys.list': 'keys',
  'webhooks.list': 'webhooks',
  'webhooks.logs': 'logs',
}

it('are as many as declared: a new list is tested too', () => {
  expect(lists.length).toBeGreaterThanOrEqual(8)
  for (const id of Object.keys({ ...defaultLimits, ...namedLists }))
    expect(lists.map(([list]) => list)).toContain(id)
})

describe.each(lists)('%s', (id, operation) => {
  const ask = (query: string) => {
    const { params } = samples[id](world)
    const [token] = strongestTokens(operation, world)
    return call(running.url, {
      ...requestOf(operation, { ...(params && { params }), query }),
      ...(token !== undefined && { token }),
    })
  }
  const read = async (query: string) => {
    const { status, body } = await ask(query)
    expect([query, status]).toEqual([query, 200])
    const name = namedLists[id]
    if (name === undefined) return { rows: body.data as { _id: string }[], totals: body.pagination }
    const { [name]: rows, ...totals } = body.data
    return { rows: rows as { _id: string }[], totals }
  }

  it('has its shape and its defaults [conventions *.list webhooks.logs limit.page*Default]', async () => {
    const { rows, totals } = await read('')
    const limit = defaultLimits[id] ?? 20
    expect(totals).toEqual({
      total: expect.any(Number),
      page: 1,
      limit,
      totalPages: Math.ceil(totals.total / limit),
      totalIsEstimate: false,
      nextCursor: totals.total > limit ? expect.any(String) : null,
    })
    expect(rows).toHaveLength(Math.min(totals.total, limit))
    expect(rows.length).toBeGreaterThanOrEqual(2)
  })

  it('accepts 1 to 100 rows a page, and any page up to the largest number [*.list webhooks.logs limit.pageSizeMax]', async () => {
    for (const limit of [1, 2, 100]) {
      const { rows, totals } = await read(`limit=${limit}`)
      expect(totals.limit).toBe(limit)
      expect(rows.length).toBe(Math.min(limit, totals.total))
      expect(totals.totalPages).toBe(Math.ceil(totals.total / limit))
    }
    const { rows, totals } = await read(`page=${2 ** 31 - 1}`)
    expect([rows, totals.page]).toEqual([[], 2 ** 31 - 1])
  })

  it.each([
    ['limit', ['0', '101', '-1', '1.5', 'ten', '', '1e2', '0x10', '9'.repeat(30)]],
    ['page', ['0', '-1', '1.5', 'one', '', `${2 ** 31}`]],
    ['cursor', ['made-up', 'W10', '%00', 'eyJhIjoxfQ', '']],
  ])('refuses any other %s, naming it [limit.pageSizeMax]', async (field, values) => {
    for (const value of values) {
      const response = await ask(`${field}=${value}`)
      expect([value, response.status]).toEqual([value, 422])
      expect(response.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field, in: 'query' }] })
    }
    const twice = await ask('limit=1&limit=2')
    expect([twice.status, twice.body.details[0].field]).toEqual([422, 'limit'])
  })

  it('is read completely by pages and by cursors, every row once and in one order [own.cursors]', async () => {
    const all = (await read('limit=100')).rows.map(({ _id }) => _id)
    const byPages: string[] = []
    for (let page = 1; page <= all.length; page++)
      byPages.push(...(await read(`limit=1&page=${page}`)).rows.map(({ _id }) => _id))
    const byCursors: string[] = []
    let cursor = ''
    do {
      const { rows, totals } = await read(`limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      byCursors.push(...rows.map(({ _id }) => _id))
      cursor = totals.nextCursor ?? ''
    } while (cursor !== '')
    expect([byPages, byCursors]).toEqual([all, all])
    expect(new Set(all).size).toBe(all.length)
  })

  if (hasField(operation, 'sort'))
    it('refuses a sort that it does not know', async () => {
      for (const sort of ['name', '-', 'createdAt,updatedAt', '__proto__']) {
        const response = await ask(`sort=${sort}`)
        expect(response.body.details).toMatchObject([{ field: 'sort', in: 'query' }])
      }
    })
})
