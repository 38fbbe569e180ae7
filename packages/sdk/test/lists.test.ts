import { describe, expect, it } from 'vitest'
import { ApiError, Crm } from '../src/index.ts'
import { type Behaviour, respondWith, scriptedServer } from './support/scripted-server.ts'

const apiKey = 'sk_live_secret'

/** Serves `count` rows by cursor, in the envelope of most lists or (with `name`) of the named ones. */
function pagesOf(count: number, { limit, name }: { limit: number; name?: string }): Behaviour {
  return (response, request) => {
    const query = new URL(request.url, 'http://x').searchParams
    const size = Number(query.get('limit') ?? limit)
    const start = Number(query.get('cursor') ?? (Number(query.get('page') ?? 1) - 1) * size)
    const rows = Array.from({ length: Math.min(size, count - start) }, (_, i) => ({
      _id: `row_${start + i}`,
    }))
    const next = start + size
    const totals = {
      total: count,
      page: 1,
      limit: size,
      totalPages: Math.ceil(count / size),
      totalIsEstimate: false,
      nextCursor: next < count ? String(next) : null,
    }
    const body = name
      ? { success: true, data: { [name]: rows, ...totals } }
      : { success: true, data: rows, pagination: totals }
    respondWith(200, body)(response, request)
  }
}

describe('a list', () => {
  it('returns one page when awaited, with one request, in the order that the service prefers', async () => {
    const { baseUrl, seen } = await scriptedServer(pagesOf(45, { limit: 20 }))
    const page = await new Crm({ baseUrl, apiKey }).customers.list({ tier: 'gold' })
    expect(page.data).toHaveLength(20)
    expect(page).toMatchObject({ total: 45, totalPages: 3, nextCursor: '20', hasMore: true })
    expect(seen.map(({ url }) => url)).toEqual(['/api/v1/customers?tier=gold'])
  })

  it('returns every row once when iterated, in createdAt order with cursors', async () => {
    const { baseUrl, seen } = await scriptedServer(pagesOf(250, { limit: 20 }))
    const ids: string[] = []
    for await (const { _id } of new Crm({ baseUrl, apiKey }).customers.list({ tier: 'gold' })) ids.push(_id)
    expect(ids).toEqual(Array.from({ length: 250 }, (_, i) => `row_${i}`))
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/customers?tier=gold&sort=createdAt&limit=100',
      '/api/v1/customers?tier=gold&sort=createdAt&limit=100&cursor=100',
      '/api/v1/customers?tier=gold&sort=createdAt&limit=100&cursor=200',
    ])
  })

  it('keeps the caller’s sort and limit while iterating, and starts at the caller’s page', async () => {
    const { baseUrl, seen } = await scriptedServer(pagesOf(30, { limit: 20 }))
    const query = { sort: '-updatedAt', limit: 10, page: 2 } as const
    const rows = await new Crm({ baseUrl, apiKey }).conversations.list(query).toArray()
    expect(rows.map(({ _id }) => _id)).toEqual(Array.from({ length: 20 }, (_, i) => `row_${i + 10}`))
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/conversations?sort=-updatedAt&limit=10&page=2',
      '/api/v1/conversations?sort=-updatedAt&limit=10&cursor=20',
    ])
  })

  it('requests no order that the list does not have', async () => {
    const { baseUrl, seen } = await scriptedServer(pagesOf(1, { limit: 20 }))
    await new Crm({ baseUrl, apiKey }).messages.list('con_1').toArray()
    expect(seen.map(({ url }) => url)).toEqual(['/api/v1/conversations/con_1/messages?limit=100'])
  })

  it.each([
    ['keys', (crm: Crm) => crm.apiKeys.list()],
    ['webhooks', (crm: Crm) => crm.webhooks.list()],
    ['logs', (crm: Crm) => crm.webhooks.logs('whk_1')],
  ])('reads the shape of data.%s', async (name, list) => {
    const { baseUrl } = await scriptedServer(pagesOf(45, { limit: 20, name }))
    const crm = new Crm({ baseUrl, apiKey })
    expect((await list(crm)).data).toHaveLength(20)
    expect((await list(crm)).hasMore).toBe(true)
    expect(await list(crm).toArray()).toHaveLength(45)
  })

  it('returns page by page, too', async () => {
    const { baseUrl } = await scriptedServer(pagesOf(45, { limit: 20 }))
    const sizes: number[] = []
    for await (const page of new Crm({ baseUrl, apiKey }).customers.list().pages())
      sizes.push(page.data.length)
    expect(sizes).toEqual([20, 20, 5])
  })

  it('requests no more rows than the limit of toArray needs', async () => {
    const { baseUrl, seen } = await scriptedServer(pagesOf(1000, { limit: 20 }))
    const crm = new Crm({ baseUrl, apiKey })
    expect(await crm.users.list().toArray({ limit: 7 })).toHaveLength(7)
    expect(await crm.users.list().toArray({ limit: 150 })).toHaveLength(150)
    expect(await crm.users.list().toArray({ limit: 0 })).toEqual([])
    expect(seen.map(({ url }) => url.replace(/^.*\?/, ''))).toEqual([
      'limit=7',
      'limit=100',
      'limit=100&cursor=100',
    ])
  })

  it('sends no further request when the caller leaves the loop', async () => {
    const { baseUrl, seen } = await scriptedServer(pagesOf(1000, { limit: 20 }))
    for await (const { _id } of new Crm({ baseUrl, apiKey }).users.list()) if (_id === 'row_3') break
    expect(seen).toHaveLength(1)
  })

  it('sends one request when it is awaited twice', async () => {
    const { baseUrl, seen } = await scriptedServer(pagesOf(3, { limit: 20 }))
    const list = new Crm({ baseUrl, apiKey }).inboxes.list()
    expect((await list).data).toEqual((await list.withResponse()).data.data)
    expect(seen).toHaveLength(1)
  })

  it('throws on a response that is not a list', async () => {
    const { baseUrl } = await scriptedServer(respondWith(200, { success: true, data: {} }))
    await expect(new Crm({ baseUrl, apiKey }).users.list()).rejects.toBeInstanceOf(ApiError)
  })
})
