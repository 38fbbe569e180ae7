import { beforeAll, describe, expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let inboxId: string

const send = (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path, token, body })
const data = async (method: string, path: string, body?: unknown) => {
  const response = await send(method, path, body)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
const newCustomer = (body: object = {}) => data('POST', '/api/v1/customers', { firstName: 'Ada', ...body })
const newWebhook = (body: object = {}) =>
  data('POST', '/api/v1/webhooks', {
    name: 'Hook',
    url: 'https://example.com',
    events: ['customer.created'],
    ...body,
  })
const newKey = (body: object = {}) =>
  data('POST', '/api/tenant/api-keys', { name: 'Key', permissions: ['read:customers'], ...body })

beforeAll(async () => {
  token = (await registerTenant(running.url)).token
  inboxId = (await data('GET', '/api/v1/inboxes'))[0]._id
})

describe('no value', () => {
  it('is the meaning of a blank string, in every field that may have no value', async () => {
    const { _id, tier, jobTitle } = await newCustomer({ tier: '', jobTitle: ' ', email: '' })
    expect({ tier, jobTitle }).toEqual({ tier: 'bronze', jobTitle: null })
    const body = { subject: 'Help', inboxId, customerId: '', assignedTo: ' ', channel: '' }
    const started = await data('POST', '/api/v1/conversations', body)
    expect(started).toMatchObject({ customerId: null, assignedTo: null, channel: 'email' })
    const path = `/api/v1/conversations/${started._id}`
    await data('PUT', path, { customerId: _id })
    expect(await data('PUT', path, { customerId: '' })).toMatchObject({ customerId: null })
    const message = await data('POST', `${path}/messages`, { content: 'Hi', clientMessageId: '' })
    expect(message.clientMessageId).toBeNull()
    expect(await newKey({ expiresAt: '', environment: '' })).toMatchObject({
      expiresAt: null,
      environment: 'production',
    })
  })

  it('is refused in every field that must have a value', async () => {
    const { _id } = await data('POST', '/api/v1/conversations', { subject: 'Help', inboxId })
    for (const [field, value] of [
      ['subject', ' '],
      ['subject', null],
      ['inboxId', ''],
      ['inboxId', null],
    ] as const) {
      const response = await send('PUT', `/api/v1/conversations/${_id}`, { [field]: value })
      expect([response.status, response.body.details[0].field]).toEqual([422, field])
    }
  })

  it('resets a field that has a default to its default', async () => {
    const retryPolicy = { maxRetries: 9, backoffStrategy: 'linear' }
    const { _id } = await newWebhook({ retryPolicy, headers: { 'X-Mine': '1' } })
    const path = `/api/v1/webhooks/${_id}`
    expect(await data('PUT', path, { retryPolicy: { maxRetries: null }, headers: null })).toMatchObject({
      retryPolicy: { maxRetries: 3, backoffStrategy: 'linear' },
      headers: {},
    })
    await data('PUT', path, { isActive: false })
    expect(await data('PUT', path, { isActive: null })).toMatchObject({ isActive: true })
  })

  it('is a change of a custom field, which may have any name', async () => {
    const { _id } = await newCustomer()
    const customFields = { plan: null, toString: 'x', 'a.b$c': { deep: [1, null] } }
    expect((await data('PUT', `/api/v1/customers/${_id}`, { customFields })).customFields).toEqual(
      customFields,
    )
    expect((await data('GET', `/api/v1/customers/${_id}`)).customFields).toEqual(customFields)
  })

  it('changes nothing where there was no value: no new time, no entry in the audit log', async () => {
    const { key: _key, ...made } = await newKey()
    const path = `/api/tenant/api-keys/${made._id}`
    const same = { ipWhitelist: null, rateLimit: null, expiresAt: null, permissions: ['read:customers'] }
    expect(await data('PUT', path, same)).toEqual(made)
  })
})

describe('filters', () => {
  it('compare tags and labels without regard to case and to the encoding of accents', async () => {
    const { _id } = await newCustomer({ tags: ['Caf\u00e9'] })
    for (const tag of ['caf\u00e9', 'CAFE\u0301', ' Café ']) {
      const found = await data('GET', `/api/v1/customers?tags=${encodeURIComponent(tag)}`)
      expect(found).toMatchObject([{ _id }])
    }
  })

  it('refuse a blank id, which would find rows without a value', async () => {
    for (const field of ['assignedTo', 'customerId', 'inboxId']) {
      const response = await send('GET', `/api/v1/conversations?${field}=`)
      expect([response.status, response.body.details[0].field]).toEqual([422, field])
    }
  })

  it('refuse moments outside the years of four digits', async () => {
    for (const moment of ['9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00%2B23:59']) {
      expect((await send('GET', `/api/v1/customers?updatedSince=${moment}`)).status).toBe(422)
    }
  })
})

describe('the order of checks', () => {
  it.each([
    ['PUT', '/api/v1/webhooks/nobody', { url: 'https://10.0.0.1/' }, 'url'],
    ['PUT', '/api/tenant/api-keys/nobody', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['PUT', '/api/tenant/api-keys/nobody', { ipWhitelist: ['10/8'] }, 'ipWhitelist.0'],
    [
      'POST',
      '/api/v1/conversations/nobody/messages',
      { content: '<script></script>', contentType: 'html' },
      'content',
    ],
    [
      'PUT',
      '/api/v1/conversations/nobody',
      { status: 'snoozed', snoozedUntil: '2020-01-01T00:00:00Z', assignedTo: 'nobody' },
      'snoozedUntil',
    ],
    [
      'PUT',
      '/api/v1/conversations/nobody',
      { status: 'open', wakeOnReply: true, inboxId: 'nobody' },
      'wakeOnReply',
    ],
    ['POST', '/api/v1/customers/nobody/merge', { sourceId: 'nobody' }, 'sourceId'],
    [
      'POST',
      '/api/v1/webhooks/nobody/recover',
      { since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' },
      'until',
    ],
  ])(
    'refuses invalid input before it reads the resource that the path names: %s %s [own.order]',
    async (method, path, body, field) => {
      const response = await send(method, path, body)
      expect([response.status, response.body.details?.[0].field]).toEqual([422, field])
    },
  )

  it('names every problem of a key at once', async () => {
    const response = await send('POST', '/api/tenant/api-keys', {
      name: 'Key',
      permissions: ['read:customers'],
      expiresAt: '2020-01-01T00:00:00Z',
      ipWhitelist: ['::1', 'nowhere'],
    })
    expect(response.body.details.map(({ field }: { field: string }) => field)).toEqual([
      'expiresAt',
      'ipWhitelist.1',
    ])
  })
})

describe('bodies that are too large', () => {
  it('are refused with a response that arrives, on a connection that continues', async () => {
    const body = { firstName: 'x'.repeat(8 * 1024 * 1024) }
    for (let i = 0; i < 5; i++) {
      const response = await send('POST', '/api/v1/customers', body)
      expect([response.status, response.headers.get('connection')]).toEqual([413, 'keep-alive'])
    }
  })

  it('get a response of bounded size', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field${i}`, 0]))
    const long = { ['x'.repeat(500_000)]: 0 }
    for (const body of [many, long]) {
      const response = await send('POST', '/api/v1/customers', body)
      expect(response.status).toBe(422)
      expect(JSON.stringify(response.body).length).toBeLessThan(50_000)
    }
  })
})
