// Runs on both databases by day: unique keys and search.

import { describe, expect, it } from 'vitest'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

async function newTenant() {
  const { token, user } = await registerTenant(service.url)
  const send = (method: string, path: string, body?: unknown) =>
    call(service.url, { method, path: `/api/v1${path}`, token, ...(body !== undefined && { body }) })
  return {
    token,
    userId: user._id as string,
    send,
    customer: async (fields: object) => (await send('POST', '/customers', fields)).body.data._id as string,
    put: (externalId: string, fields: object) =>
      send('PUT', `/customers/by-external-id/${externalId}`, fields),
    idsOf: async (query: string) => {
      const { status, body } = await send('GET', `/customers?${query}`)
      expect(status).toBe(200)
      return body.data.map(({ _id }: { _id: string }) => _id) as string[]
    },
  }
}

describe('a list of customers', () => {
  it('finds customers by their exact e-mail, without regard to case, and beside other filters [own.findOrCreate]', async () => {
    const { customer, idsOf, send } = await newTenant()
    const first = await customer({ email: 'Ada@Example.com', tags: ['vip'] })
    const second = await customer({ email: 'ada@example.com' })
    await customer({ email: 'not-ada@example.com' })
    await customer({ firstName: 'Ada' })
    expect(await idsOf('email=ADA@example.COM')).toEqual([second, first])
    expect(await idsOf('email=ada@example.com&tags=vip&sort=createdAt')).toEqual([first])
    expect(await idsOf('email=nobody@example.com')).toEqual([])
    expect((await send('PUT', `/customers/${first}`, { email: 'countess@example.com' })).status).toBe(200)
    expect(await idsOf('email=ada@example.com')).toEqual([second])
    expect(await idsOf('email=countess@example.com')).toEqual([first])
  })

  it('finds customers by their ids, in every order and beside other filters; unknown and foreign ones are absent', async () => {
    const { customer, idsOf, send } = await newTenant()
    const [first, second, third] = [
      await customer({ lastName: 'Ada', tags: ['vip'] }),
      await customer({ lastName: 'Bea' }),
      await customer({ lastName: 'Cy' }),
    ]
    const foreign = await (await newTenant()).customer({ lastName: 'Dee' })
    const asked = `ids=${[second, first, foreign, 'cus_unknown', 'nonsense', first].join(',')}`
    for (const [sort, ids] of [
      ['-createdAt', [second, first]],
      ['lastName', [first, second]],
      ['updatedAt', [first, second]],
    ] as const)
      expect(await idsOf(`${asked}&sort=${sort}`)).toEqual(ids)
    expect(await idsOf(`${asked}&tags=vip`)).toEqual([first])
    expect(await idsOf(`${asked}&email=nobody@example.com`)).toEqual([])
    expect(await idsOf(`ids=${third}&ids=${first}&search=cy`)).toEqual([third])
    const page = (await send('GET', `/customers?${asked}&limit=1`)).body
    expect(page).toMatchObject({ data: [{ _id: second }], pagination: { total: 2 } })
    const { nextCursor } = page.pagination
    expect(await idsOf(`${asked}&limit=1&cursor=${nextCursor}`)).toEqual([first])
  })

  it.each([
    ['more than 100', Array.from({ length: 101 }, (_, index) => `cus_${index}`).join(',')],
    ['none', ''],
  ])('refuses %s ids with a 422', async (_, ids) => {
    const { send } = await newTenant()
    const { status, body } = await send('GET', `/customers?ids=${ids}`)
    expect([status, body.details?.[0]]).toMatchObject([422, { field: 'ids', in: 'query' }])
  })

  it('finds a customer by an external id exactly, in every order and beside other filters [own.findOrCreate]', async () => {
    const { put, idsOf } = await newTenant()
    const { data } = (await put('shop/A-1', { firstName: 'Ada', tags: ['vip'], tier: 'gold' })).body
    await put('shop/a-1', { firstName: 'Other' })
    expect(data.externalIds).toEqual(['shop:A-1'])
    for (const sort of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'lastName']) {
      expect(await idsOf(`externalId=shop:A-1&sort=${sort}`)).toEqual([data._id])
    }
    expect(await idsOf('externalId=shop:A-1&tags=vip&tier=gold')).toEqual([data._id])
    expect(await idsOf('externalId=shop:A-1&tier=silver')).toEqual([])
    for (const unknown of ['A-1', 'shop', 'crm:A-1', 'shop:A']) {
      expect(await idsOf(`externalId=${unknown}`)).toEqual([])
    }
  })
})

describe('PUT /api/v1/customers/by-external-id/{source}/{id}', () => {
  it('creates the customer first and changes it later, with one event for each change', async () => {
    const { put, send } = await newTenant()
    const made = await put('shop/4711', { firstName: 'Ada', email: 'ada@example.com', status: 'inactive' })
    expect([made.status, made.body.data]).toMatchObject([200, { status: 'inactive', tier: 'bronze' }])
    const changed = await put('shop/4711', { tier: 'gold', email: null })
    expect([changed.status, changed.body.data]).toMatchObject([
      200,
      { _id: made.body.data._id, tier: 'gold', profile: { firstName: 'Ada', email: null } },
    ])
    expect((await put('shop/4711', { tier: 'gold' })).body.data).toEqual(changed.body.data)
    await expect
      .poll(async () => {
        const { data } = (await send('GET', '/events?types=customer.created,customer.updated')).body
        return data.map(({ event }: { event: string }) => event)
      })
      .toEqual(['customer.created', 'customer.updated'])
  })

  it('makes one customer of many requests at the same time, and each of them returns it [own.findOrCreate]', async () => {
    const { put, idsOf } = await newTenant()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => put('shop/race', { firstName: 'Ada', company: `${i}` })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const ids = await idsOf('')
    expect(ids).toHaveLength(1)
    expect(new Set(responses.map(({ body }) => body.data._id))).toEqual(new Set(ids))
  })

  it('is a customer of its own in each tenant and for each source', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const ids = [
      (await one.put('shop/1', { firstName: 'A' })).body.data._id,
      (await other.put('shop/1', { firstName: 'B' })).body.data._id,
      (await one.put('crm/1', { firstName: 'C' })).body.data._id,
    ]
    expect(new Set(ids).size).toBe(3)
    expect(await one.idsOf('externalId=shop:1')).toEqual([ids[0]])
    expect(await other.idsOf('externalId=shop:1')).toEqual([ids[1]])
  })

  it('refuses a new customer without a name, a malformed source and a malformed id', async () => {
    const { put, idsOf } = await newTenant()
    const nameless = await put('shop/1', { company: 'Acme' })
    expect([nameless.status, nameless.body.details]).toMatchObject([422, [{ rule: 'at_least_one' }]])
    for (const path of ['a.shop/1', `shop/${'x'.repeat(256)}`, 'shop/%00']) {
      const { status, body } = await put(path, { firstName: 'Ada' })
      expect([status, body.details], path).toMatchObject([422, [{ rule: 'format', in: 'path' }]])
    }
    expect(await idsOf('')).toEqual([])
    const long = (await put(`shop/${encodeURIComponent('ä/ö?')}`, { firstName: 'Ada' })).body.data
    expect(long.externalIds).toEqual(['shop:ä/ö?'])
  })

  it('follows a merge to the target, and makes a new customer after a deletion', async () => {
    const { put, send, idsOf } = await newTenant()
    const source = (await put('shop/1', { firstName: 'Ada' })).body.data._id
    const target = (await put('crm/1', { firstName: 'Ada L.' })).body.data._id
    const merged = await send('POST', `/customers/${target}/merge`, { sourceId: source })
    expect(merged.body.data.externalIds).toEqual(['crm:1', 'shop:1'])
    expect((await put('shop/1', { tier: 'gold' })).body.data).toMatchObject({ _id: target, tier: 'gold' })
    expect((await send('DELETE', `/customers/${target}`)).status).toBe(200)
    expect(await idsOf('externalId=shop:1')).toEqual([])
    const again = await put('shop/1', { firstName: 'Grace' })
    expect(again.status).toBe(200)
    expect(again.body.data._id).not.toBe(target)
  })
})

describe('tags of a customer', () => {
  it('are added and removed one by one: many requests at the same time lose none [own.findOrCreate]', async () => {
    const { customer, send } = await newTenant()
    const id = await customer({ firstName: 'Ada', tags: ['VIP'] })
    const change = (method: 'POST' | 'DELETE', tags: string[]) =>
      send(method, `/customers/${id}/tags`, { tags })
    const added = Array.from({ length: 10 }, (_, i) => `tag ${i}`)
    await Promise.all(added.map((tag) => change('POST', ['vip', tag])))
    const { data } = (await change('DELETE', ['TAG 0', 'unknown'])).body
    expect(data.tags[0]).toBe('VIP')
    expect(data.tags.slice(1).sort()).toEqual(added.slice(1))
    expect((await change('POST', [])).status).toBe(422)
    const tooMany = await change(
      'POST',
      Array.from({ length: 45 }, (_, i) => `more ${i}`),
    )
    expect([tooMany.status, tooMany.body.details]).toMatchObject([422, [{ field: 'tags', rule: 'max' }]])
  })
})

describe('POST /api/v1/customers/bulk', () => {
  it('creates the valid rows and reports the problems of the others, in the order of the rows [own.findOrCreate]', async () => {
    const { send, idsOf } = await newTenant()
    const customers = [
      { firstName: 'Ada', email: ' ada@example.com ' },
      { firstName: 'Grace', email: 'no e-mail', colour: 'red' },
      { company: 'Acme' },
      { lastName: 'Hopper', tags: ['a', 'A'], phone: '' },
    ]
    const { status, body } = await send('POST', '/customers/bulk', { customers })
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      { index: 0, result: 'created', customer: { profile: { email: 'ada@example.com' } }, problems: [] },
      { index: 1, result: 'refused', customer: null },
      { index: 2, result: 'refused', customer: null, problems: [{ rule: 'at_least_one' }] },
      { index: 3, result: 'created', customer: { tags: ['a'], profile: { phone: null } } },
    ])
    const problems = body.data[1].problems.map(({ field, rule }: Record<string, string>) => [field, rule])
    expect(problems).toEqual(
      expect.arrayContaining([
        ['email', 'email'],
        ['colour', 'unknown_field'],
      ]),
    )
    expect(JSON.stringify(body.data[1])).not.toMatch(/no e-mail|red/)
    expect((await idsOf('sort=createdAt')).sort()).toEqual(
      [body.data[0].customer._id, body.data[3].customer._id].sort(),
    )
  })

  it('takes 1 to 100 rows, sends one event for each customer, and a repeat creates none', async () => {
    const { send, token, idsOf } = await newTenant()
    const rows = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ firstName: `Person ${i}`, email: `p${i}@example.com` }))
    for (const count of [0, 101]) {
      expect((await send('POST', '/customers/bulk', { customers: rows(count) })).status).toBe(422)
    }
    const bulk = () =>
      call(service.url, {
        method: 'POST',
        path: '/api/v1/customers/bulk',
        token,
        body: { customers: rows(100) },
        headers: { 'idempotency-key': 'one bulk' },
      })
    const first = await bulk()
    expect((await bulk()).body).toEqual(first.body)
    expect(await idsOf('limit=100')).toHaveLength(100)
    await expect
      .poll(
        async () =>
          (await send('GET', '/events?limit=100&types=customer.created')).body.data.length as number,
      )
      .toBe(100)
  })
})

describe('assignedTo=me', () => {
  it('lists the conversations of the signed-in user, and is refused for an API key [own.findOrCreate]', async () => {
    const { send, token, userId } = await newTenant()
    const inboxId = (await send('GET', '/inboxes')).body.data[0]._id
    const mine = await send('POST', '/conversations', { subject: 'Mine', inboxId, assignedTo: userId })
    await send('POST', '/conversations', { subject: 'Of nobody', inboxId })
    const { data } = (await send('GET', '/conversations?assignedTo=me')).body
    expect(data.map(({ _id }: { _id: string }) => _id)).toEqual([mine.body.data._id])
    const key = await createKey(service.url, token, ['read:conversations'])
    const refused = await call(service.url, { path: '/api/v1/conversations?assignedTo=me', token: key })
    expect([refused.status, refused.body.details]).toMatchObject([
      422,
      [{ field: 'assignedTo', in: 'query' }],
    ])
  })
})
