// Runs on both databases by day: reads of everything that belongs to a row.

import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { call, registerTenant, upload } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

async function newTenant() {
  const { token, tenant } = await registerTenant(service.url)
  const send = (method: string, path: string, body?: unknown) =>
    call(service.url, { method, path, token, ...(body !== undefined && { body }) })
  const post = async (path: string, body: object) => {
    const response = await send('POST', path, body)
    expect(response.status).toBe(201)
    return response.body.data
  }
  const inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id as string
  const audit = async () =>
    (await send('GET', '/api/tenant/audit-log')).body.data.filter(
      ({ action }: { action: string }) => action === 'customer.exported',
    )
  return { token, send, post, inboxId, audit, tenantId: tenant._id as TenantId }
}
type Tenant = Awaited<ReturnType<typeof newTenant>>

/** A customer with a conversation, and a second one in whose conversation the first one wrote. */
async function newStory({ token, send, post, inboxId }: Tenant) {
  const ada = await post('/api/v1/customers', {
    firstName: 'Ada',
    phone: '+44 20',
    customFields: { '=x': 1 },
  })
  const grace = await post('/api/v1/customers', { firstName: 'Grace' })
  const own = await post('/api/v1/conversations', { subject: 'Mine', inboxId, customerId: ada._id })
  const moved = await post('/api/v1/conversations', { subject: 'Moved', inboxId, customerId: ada._id })
  const messages = (id: string) => `/api/v1/conversations/${id}/messages`
  const file = await upload(service.url, { token, file: new File(['text'], 'letter.txt') })
  const sent = [
    await post(messages(own._id), { content: 'From Ada', direction: 'inbound' }),
    await post(messages(own._id), { content: 'To Ada', attachments: [file._id] }),
    await post(messages(own._id), { content: 'About Ada', type: 'note' }),
  ]
  const elsewhere = await post(messages(moved._id), { content: 'Ada, elsewhere', direction: 'inbound' })
  await send('PUT', `/api/v1/conversations/${moved._id}`, { customerId: grace._id })
  const others = await post(messages(moved._id), { content: 'From Grace', direction: 'inbound' })
  return { ada, grace, own, moved, sent, elsewhere, others }
}

describe('the export of a customer', () => {
  test('holds the customer’s data, and nothing that only the service uses [own.customerExport]', async () => {
    const tenant = await newTenant()
    const { ada, own, sent, elsewhere } = await newStory(tenant)
    const response = await tenant.send('GET', `/api/v1/customers/${ada._id}/export`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    const day = new Date().toISOString().slice(0, 10)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=data-export-${day}.json`)
    const made = JSON.parse(response.body)
    expect(made).toMatchObject({
      exportedAt: expect.any(String),
      subject: { type: 'customer', _id: ada._id },
      customer: { _id: ada._id, profile: { firstName: 'Ada' }, customFields: { '=x': 1 } },
      conversations: [{ _id: own._id, subject: 'Mine', customerId: ada._id }],
      messages: sent.map(({ _id, content }) => ({ _id, content })),
      messagesElsewhere: [{ _id: elsewhere._id, content: 'Ada, elsewhere' }],
    })
    expect(made.messages[1].attachments).toMatchObject([{ filename: 'letter.txt', size: 4 }])
    expect(response.body).not.toContain('Grace')
    expect(response.body).not.toContain(tenant.tenantId)
    expect(response.body).not.toContain('"version"')
  })

  test('holds the data of a customer who was merged into this one', async () => {
    const tenant = await newTenant()
    const { ada, grace } = await newStory(tenant)
    await tenant.send('POST', `/api/v1/customers/${grace._id}/merge`, { sourceId: ada._id })
    const { body } = await tenant.send('GET', `/api/v1/customers/${grace._id}/export`)
    const { conversations, messages } = JSON.parse(body)
    expect(conversations.map(({ subject }: { subject: string }) => subject).sort()).toEqual(['Mine', 'Moved'])
    expect(messages).toHaveLength(5)
  })

  test('as CSV runs no formula in a spreadsheet [own.customerExport]', async () => {
    const tenant = await newTenant()
    const { ada, sent } = await newStory(tenant)
    const { status, headers, body } = await tenant.send(
      'GET',
      `/api/v1/customers/${ada._id}/export?format=csv`,
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(/data-export-[\d-]{10}\.csv/)
    const lines = body.split('\r\n')
    expect(lines[0]).toBe('section,record,field,value')
    expect(lines).toContain(`customer,${ada._id},profile.phone,'+44 20`)
    expect(lines).toContain(`customer,${ada._id},customFields.=x,1`)
    expect(lines).toContain(`messages,${sent[0]._id},content,From Ada`)
  })

  test('writes an audit entry, and a HEAD request writes none', async () => {
    const tenant = await newTenant()
    const { ada } = await newStory(tenant)
    const path = `/api/v1/customers/${ada._id}/export`
    expect((await tenant.send('HEAD', path)).status).toBe(200)
    expect(await tenant.audit()).toEqual([])
    await tenant.send('GET', path)
    expect(await tenant.audit()).toMatchObject([
      { action: 'customer.exported', target: { type: 'customer', _id: ada._id }, actor: { type: 'user' } },
    ])
  })

  test('is refused for an unknown customer, an erased one and an unknown form', async () => {
    const tenant = await newTenant()
    const { ada } = await newStory(tenant)
    const path = `/api/v1/customers/${ada._id}/export`
    expect((await tenant.send('GET', `${path}?format=xml`)).body.details).toMatchObject([
      { field: 'format', in: 'query' },
    ])
    await tenant.send('DELETE', `/api/v1/customers/${ada._id}`)
    for (const gone of [path, '/api/v1/customers/cus_unknown/export']) {
      expect((await tenant.send('GET', gone)).status).toBe(404)
    }
    expect(await tenant.audit()).toEqual([])
  })

  test('of many messages has each of them once, in their order', async () => {
    const tenant = await newTenant()
    const { tenantId } = tenant
    const { ada, own } = await newStory(tenant)
    const store = service.service.storage.forTenant(tenantId)
    const many = Array.from({ length: 1_200 }, (_, i) =>
      sample.messages(tenantId, {
        conversationId: own._id,
        content: `Number ${i}`,
        createdAt: '2030-01-01T00:00:00.000Z',
      }),
    )
    await store.commit({ writes: many.map((row) => insertOf('messages', row)), events: [] })
    const { body } = await tenant.send('GET', `/api/v1/customers/${ada._id}/export`)
    const { messages } = JSON.parse(body)
    expect(messages.slice(3).map(({ content }: { content: string }) => content)).toEqual(
      many.map(({ content }) => content),
    )
  })

  test('stops when its client disconnects, and the next export succeeds', async () => {
    const tenant = await newTenant()
    const { tenantId, token } = tenant
    const { ada, own } = await newStory(tenant)
    const store = service.service.storage.forTenant(tenantId)
    for (let made = 0; made < 500; made += 100) {
      const rows = Array.from({ length: 100 }, () =>
        sample.messages(tenantId, { conversationId: own._id, content: 'x'.repeat(60_000) }),
      )
      await store.commit({ writes: rows.map((row) => insertOf('messages', row)), events: [] })
    }
    const path = `/api/v1/customers/${ada._id}/export`
    const req = request(service.url + path, { headers: { authorization: `Bearer ${token}` } }).end()
    const [res] = await once(req, 'response')
    await once(res, 'readable')
    res.destroy()
    const { status, body } = await tenant.send('GET', path)
    expect(status).toBe(200)
    expect(JSON.parse(body).messages).toHaveLength(503)
  })
})
