import { hash } from 'node:crypto'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { type ProcessParts, processMail } from '../../src/mail/in/process-mails.ts'
import { MailRefused } from '../../src/mail/parse/mail-refused.ts'
import { createMailParser } from '../../src/mail/parser-process/mail-parser.ts'
import { call } from '../support/call.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import type { RunningService } from '../support/start-service.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

const service = useService({ CRM_LIMIT_MAILS_PER_SENDER: '2' })
const limited = useService({ CRM_RATE_LIMITS: 'on', CRM_TRUST_PROXY: '1' })

async function setLimits({ service: { storage } }: RunningService, inbox: MailInbox, limits: object) {
  const { _id: id } = inbox.owner.tenant
  const { tenantId, version } = (await storage.system.findTenant(id))!
  const set = { limits: limits as Record<string, number> }
  const write = { op: 'update', kind: 'tenants', id, expectVersion: version, set } as const
  await storage.system.commit(tenantId, { writes: [write], events: [] })
}

async function post({ url }: RunningService, { token }: MailInbox, body: string) {
  const response = await fetch(`${url}/api/v1/inbound/email/${token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body,
  })
  const { code, data } = (await response.json()) as { code?: string; data?: { _id: string } }
  return { status: response.status, code, id: data?._id, retryAfter: response.headers.get('retry-after') }
}

async function refusedOf({ service }: RunningService, budget: string): Promise<number> {
  const text = await service.metrics()
  return Number(new RegExp(`^crm_refused_total\\{budget="${budget}"\\} (\\d+)`, 'm').exec(text)?.[1])
}

const usageOf = async (inbox: MailInbox) => (await inbox.ask('GET', '/api/tenant')).body.data.usage

test('mails as they arrived have a space of their own, and beyond it their sender has to come again', async () => {
  const inbox = await makeMailInbox(service)
  await setLimits(service, inbox, { inboundMailBytes: 1_500, attachmentBytes: 10 })
  const first = inbox.mailOf({ text: 'x'.repeat(800) })
  expect(await post(service, inbox, first)).toMatchObject({ status: 200 })
  const before = await refusedOf(service, 'inboundMailBytes')
  const refused = await post(service, inbox, inbox.mailOf({ text: 'y'.repeat(800) }))
  expect(refused).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '3600' })
  expect(await refusedOf(service, 'inboundMailBytes')).toBe(before + 1)
  // A repeat needs no space.
  expect(await post(service, inbox, first)).toMatchObject({ status: 200 })
  const usage = await usageOf(inbox)
  expect(usage.attachmentBytes).toEqual({ used: 0, limit: 10 })
  expect(usage.inboundMailBytes.used).toBeGreaterThan(800)
})

test('an inbox takes half of what its tenant may get on a day', async () => {
  const inbox = await makeMailInbox(service)
  await setLimits(service, inbox, { inboundMailBytesPerDay: 4_000 })
  const mail = () => inbox.mailOf({ text: 'x'.repeat(1_200) })
  expect(await post(service, inbox, mail())).toMatchObject({ status: 200 })
  const refused = await post(service, inbox, mail())
  expect(refused).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  expect(Number(refused.retryAfter)).toBeGreaterThan(0)
  expect(Number(refused.retryAfter)).toBeLessThanOrEqual(86_400)
  const other = (await inbox.ask('POST', '/api/v1/inboxes', { name: 'Other', channel: 'email' })).body.data
  const { body } = await inbox.ask('POST', `/api/v1/inboxes/${other._id}/inbound-token`, {})
  const second = { ...inbox, token: body.data.inboundToken }
  expect(await post(service, second, mail())).toMatchObject({ status: 200 })
  expect(await post(service, second, mail())).toMatchObject({ status: 503 })
})

test('the many mails of one sender are stored, and read later than those of others', async () => {
  const inbox = await makeMailInbox(service)
  for (let count = 0; count < 2; count++)
    expect(await inbox.receive({ from: 'eve@example.com' })).toMatchObject({ status: 'processed' })
  const { id = '', status } = await post(service, inbox, inbox.mailOf({ from: 'Eve <eve@example.com>' }))
  expect(status).toBe(200)
  expect(await inbox.receive({ from: 'ada@example.com' })).toMatchObject({ status: 'processed' })
  const mail = await inbox.store.inboundMails.find(id)
  expect(mail?.status).toBe('received')
  expect(Date.parse(mail?.dueAt ?? '') - Date.parse(mail?.receivedAt ?? '')).toBeGreaterThan(3_000_000)
})

test('a mail that takes its parser longer than its second try is parked, and counts', async () => {
  const inbox = await makeMailInbox(service)
  // The third mail of its sender waits an hour for the job, so this test alone reads it.
  for (let count = 0; count < 2; count++) await inbox.receive({ from: 'mallory@example.com' })
  const { id = '' } = await post(service, inbox, inbox.mailOf({ from: 'mallory@example.com' }))
  const parser = createMailParser()
  const counted: string[] = []
  const meters = { budgetRefused: (budget: string) => counted.push(budget) }
  const clock = { nowMs: () => Date.now() }
  const parts = { ...service.service, clock, parser, meters } as unknown as ProcessParts
  const read = async (isLast: boolean) => {
    const mail = await inbox.store.inboundMails.find(id)
    if (mail === undefined) throw new Error('the mail is not stored')
    await processMail(parts, { tenantId: inbox.store.tenantId, mail, jobMs: 1, isLast })
  }
  await expect(read(false)).rejects.toThrow(MailRefused)
  expect(counted).toEqual([])
  await read(true)
  expect(counted).toEqual(['parserTime'])
  expect(await inbox.store.inboundMails.find(id)).toMatchObject({ status: 'parked', reason: 'parse_timeout' })
  await parser.close()
})

test('files of imports have a space of their own', async () => {
  const inbox = await makeMailInbox(service)
  await setLimits(service, inbox, { importFileBytes: 20 })
  const made = await inbox.ask('POST', '/api/extcrm/integrations', { provider: 'file', name: 'Files' })
  const form = new FormData()
  form.append('module', 'Contacts')
  form.append('file', new Blob(['id,lastName\n1,Lovelace\n']), 'rows.csv')
  const response = await fetch(`${service.url}/api/extcrm/integrations/${made.body.data._id}/files`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${inbox.owner.token}` },
    body: form,
  })
  const { details } = (await response.json()) as { details?: { name: string } }
  expect([response.status, details?.name]).toEqual([403, 'importFileBytes'])
})

test('bodies that are not over hold their memory until their response', async () => {
  const [large, neighbour] = [await makeMailInbox(service), await makeMailInbox(service)]
  const mail = neighbour.mailOf({ text: 'x'.repeat(5 * 1024 * 1024) })
  /** Begins a form of 79 MB whose bytes do not come. */
  function begin() {
    const form = request(`${service.url}/api/v1/inbound/email/${large.token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 79 * 1024 * 1024 },
    })
    form.on('error', () => {})
    form.write('{')
    return form
  }
  const open: ReturnType<typeof begin>[] = []
  const retryAfter = async () => {
    const response = await post(service, neighbour, mail)
    open.push(begin())
    return response.retryAfter
  }
  const before = await refusedOf(service, 'waitingBodies')
  await expect.poll(retryAfter, { interval: 200 }).toBe('5')
  expect(await refusedOf(service, 'waitingBodies')).toBeGreaterThan(before)
  for (const form of open) form.destroy()
  await expect.poll(async () => (await post(service, neighbour, mail)).status).toBe(200)
})

async function uploadOf({ url }: RunningService, { token }: WidgetVisitor, { bytes = 0, address = '' } = {}) {
  const form = new FormData()
  form.append('file', new File(['x'.repeat(bytes)], 'a.txt', { type: 'text/plain' }))
  const headers = { authorization: `Bearer ${token}`, ...(address && { 'x-forwarded-for': address }) }
  const response = await fetch(`${url}/api/v1/widget/attachments`, { method: 'POST', headers, body: form })
  const { code, details } = (await response.json()) as { code?: string; details?: { name: string } }
  return [response.status, code, details?.name]
}

const refusedFile = [403, 'QUOTA_EXCEEDED', 'visitorFileBytes']

test('files of visitors have a space of their own, which leaves that of the team alone', async () => {
  const inbox = await makeMailInbox(service)
  const { key } = await switchWidgetOn(service.url, inbox.owner.token)
  const visitor = new WidgetVisitor(service.url)
  await visitor.begin(key)
  await setLimits(service, inbox, { visitorFileBytes: 3_000, attachmentBytes: 10 })
  expect((await uploadOf(service, visitor, { bytes: 1_500 }))[0]).toBe(201)
  expect(await uploadOf(service, visitor, { bytes: 1_500 })).toEqual(refusedFile)
  const { visitorFileBytes, attachmentBytes } = await usageOf(inbox)
  expect([visitorFileBytes.used, attachmentBytes.used]).toEqual([1_500, 0])
})

test('an address may bring 50 MB of files a day, in whatever sessions', async () => {
  const inbox = await makeMailInbox(limited)
  const { key } = await switchWidgetOn(limited.url, inbox.owner.token)
  const visitors = [new WidgetVisitor(limited.url), new WidgetVisitor(limited.url)]
  for (const visitor of visitors) await visitor.begin(key)
  const bytes = 10 * 1024 * 1024 - 1_000
  const [first, second] = visitors as [WidgetVisitor, WidgetVisitor]
  const address = '203.0.113.9'
  for (let count = 0; count < 5; count++)
    expect((await uploadOf(limited, first, { bytes, address }))[0]).toBe(201)
  const before = await refusedOf(limited, 'visitorFileBytes')
  expect(await uploadOf(limited, second, { bytes, address })).toEqual(refusedFile)
  expect(await refusedOf(limited, 'visitorFileBytes')).toBe(before + 1)
  expect((await uploadOf(limited, second, { bytes, address: '203.0.113.10' }))[0]).toBe(201)
})

test('the operator sets how much the visitors of a tenant may write in a day', async () => {
  const statuses = async (visitorTextBytesPerDay: number) => {
    const inbox = await makeMailInbox(limited)
    await setLimits(limited, inbox, { visitorTextBytesPerDay })
    const { key } = await switchWidgetOn(limited.url, inbox.owner.token)
    const visitor = new WidgetVisitor(limited.url)
    await visitor.begin(key)
    const sent: number[] = []
    for (let id = 0; id < 3; id++) {
      const body = { message: 'x'.repeat(2_000), clientMessageId: `${id}` }
      sent.push((await visitor.send('POST', '/api/v1/widget/conversations', body)).status)
    }
    return sent
  }
  const before = await refusedOf(limited, 'visitorTextBytesPerDay')
  expect(await statuses(5_000)).toEqual([201, 201, 429])
  expect(await refusedOf(limited, 'visitorTextBytesPerDay')).toBe(before + 1)
  expect(await statuses(0)).toEqual([429, 429, 429])
  expect(await statuses(-1)).toEqual([201, 201, 201])
})

test('a session of an anonymous visitor says whether its address is private, and names none', async () => {
  const inbox = await makeMailInbox(limited)
  const { key } = await switchWidgetOn(limited.url, inbox.owner.token)
  const markOf = async (address: string) => {
    const visitor = new WidgetVisitor(limited.url)
    const headers = { 'x-forwarded-for': address }
    await visitor.send('POST', '/api/v1/widget/sessions', { key }, { headers }).then(({ body }) => {
      visitor.token = body.data.sessionToken
    })
    const tokenHash = hash('sha256', visitor.token ?? '')
    const found = await limited.service.storage.system.across.widgetTokens.find(tokenHash)
    expect(JSON.stringify(found)).not.toContain(address)
    return found?.row.addressMark
  }
  expect(await markOf('198.51.100.9')).toBeNull()
  expect(await markOf('2606:4700::1')).toBeNull()
  const [one, same, other] = [await markOf('10.0.0.9'), await markOf('10.0.0.9'), await markOf('192.168.3.4')]
  expect(one).toEqual(expect.any(Number))
  expect([same, other === one]).toEqual([one, false])
})

test('an address may write 20 MB of texts a day', async () => {
  const inbox = await makeMailInbox(limited)
  const { key } = await switchWidgetOn(limited.url, inbox.owner.token)
  const content = '\u4e00'.repeat(10_000)
  const before = await refusedOf(limited, 'visitorTextBytesPerDay')
  const statuses: number[] = []
  // 30 messages a minute and session: as many sessions as 20 MB need.
  for (let session = 0; session < 24; session++) {
    const begun = await call(limited.url, {
      method: 'POST',
      path: '/api/v1/widget/sessions',
      headers: { 'x-forwarded-for': `203.0.113.${session + 20}` },
      body: { key },
    })
    const send = (id: number) =>
      call(limited.url, {
        method: 'POST',
        path: '/api/v1/widget/conversations',
        token: begun.body.data.sessionToken,
        headers: { 'x-forwarded-for': '198.51.100.7' },
        body: { message: content, clientMessageId: `${id}` },
      })
    for (let id = 0; id < 30; id++) statuses.push((await send(id)).status)
  }
  const taken = statuses.filter((status) => status === 201).length
  expect(taken * 30_000).toBeLessThanOrEqual(20 * 1024 * 1024)
  expect(taken * 30_000).toBeGreaterThan(19 * 1024 * 1024)
  expect(new Set(statuses.slice(taken))).toEqual(new Set([429]))
  expect(await refusedOf(limited, 'visitorTextBytesPerDay')).toBe(before + statuses.length - taken)
})
