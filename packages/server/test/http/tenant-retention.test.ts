// Runs on both databases by day: rows are read in the order of their ids and of their changes.
import { randomUUID } from 'node:crypto'
import { createIdFactory } from '@crmkit/core'
import { expect, test } from 'vitest'
import { createRemoveDueAttachments } from '../../src/features/attachments/remove-due-attachments.ts'
import { createApplyRetention } from '../../src/features/tenant/retention/retention-job.ts'
import { monthsBefore } from '../../src/storage/rules/retention.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { silentLog } from '../support/silent-log.ts'
import { useService } from '../support/use-service.ts'

const time = { aheadMs: 0 }
const clock = { nowMs: () => Date.now() + time.aheadMs }
const dayMs = 86_400_000
const running = useService({}, { clock })
const path = '/api/tenant/retention'

async function team() {
  time.aheadMs = 0
  const owner = await registerTenant(running.url)
  const permissions = ['read:customers', 'write:customers', 'read:conversations', 'write:conversations']
  const key = await createKey(running.url, owner.token, permissions)
  const ask = (method: string, at: string, body?: unknown, token: string = key) =>
    call(running.url, { method, path: at, token, ...(body !== undefined && { body }) })
  const asOwner = (method: string, at: string, body?: unknown) => ask(method, at, body, owner.token)
  const inboxId = (await asOwner('GET', '/api/v1/inboxes')).body.data[0]._id as string
  /** A conversation whose only message has a file. */
  async function conversationOf(name: string, fields: object = {}) {
    const file = new File([`the bytes of ${name}`], `${name}.txt`)
    const attachmentId = (await upload(running.url, { token: key, file }))._id as string
    const message = { content: 'See the file.', attachments: [attachmentId] }
    const made = await ask('POST', '/api/v1/conversations', {
      subject: name,
      inboxId,
      message,
      ...fields,
    })
    expect(made.status).toBe(201)
    return { id: made.body.data._id as string, attachmentId }
  }
  const close = async (id: string) => {
    const { status } = await ask('PUT', `/api/v1/conversations/${id}`, { status: 'closed' })
    expect(status).toBe(200)
  }
  const keep = (retention: object) => asOwner('PUT', '/api/tenant', { retention })
  return { owner, inboxId, ask, asOwner, conversationOf, close, keep }
}

function jobOf(most = 1_000) {
  const { storage } = running.service
  const ids = createIdFactory(clock.nowMs)
  return createApplyRetention({ storage, clock, ids, log: silentLog, holder: randomUUID(), most })
}

/** The next run of the job, as of the next day. */
async function runDaily(most?: number) {
  time.aheadMs += dayMs
  const job = jobOf(most)
  const nextAtMs = await job.runDue()
  await job.stop?.()
  return nextAtMs
}

test('closed conversations in which nothing has changed for the months of the tenant are erased, and no others', async () => {
  const { owner, ask, conversationOf, close, keep } = await team()
  const [old, open, changed, recent] = [
    await conversationOf('old'),
    await conversationOf('open'),
    await conversationOf('changed'),
    await conversationOf('recent'),
  ]
  for (const { id } of [old, changed]) await close(id)
  expect((await keep({ closedConversationMonths: 12 })).body.data.retention).toEqual({
    closedConversationMonths: 12,
    attachmentMonths: null,
  })
  time.aheadMs = 370 * dayMs
  await ask('PUT', `/api/v1/conversations/${changed.id}`, { priority: 'high' })
  await close(recent.id)
  await runDaily()
  const statusOf = async ({ id }: { id: string }) => (await ask('GET', `/api/v1/conversations/${id}`)).status
  expect(await Promise.all([old, open, changed, recent].map(statusOf))).toEqual([404, 200, 200, 200])
  const events = (await ask('GET', '/api/v1/events?types=conversation.deleted')).body.data
  expect(events.map((event: { data: { _id: string } }) => event.data._id)).toEqual([old.id])
  const store = running.service.storage.forTenant(owner.tenant._id as never)
  const audit = await store.auditLog.list({ page: 1, limit: 50 })
  expect(audit.rows.filter(({ action }) => action === 'conversation.deleted')).toMatchObject([
    { actor: { type: 'system', _id: null }, target: { _id: old.id }, reason: 'retention' },
  ])
})

test('a file that is older loses its name and its bytes, and its message says since when', async () => {
  const { ask, conversationOf, keep } = await team()
  const { id, attachmentId } = await conversationOf('old')
  await keep({ attachmentMonths: 1 })
  time.aheadMs = 40 * dayMs
  const recent = await conversationOf('recent')
  await runDaily()
  const { storage, attachments } = running.service
  await createRemoveDueAttachments({ storage, attachments, clock, log: silentLog }).runDue()
  const fileOf = async (of: string) =>
    (await ask('GET', `/api/v1/conversations/${of}/messages`)).body.data[0].attachments[0]
  expect(await fileOf(id)).toMatchObject({
    _id: attachmentId,
    filename: '',
    size: 16,
    removedAt: expect.any(String),
  })
  expect((await ask('GET', `/api/v1/attachments/${attachmentId}`)).status).toBe(404)
  expect(await fileOf(recent.id)).not.toHaveProperty('removedAt')
  expect((await ask('GET', `/api/v1/attachments/${recent.attachmentId}`)).status).toBe(200)
  const { data } = (await ask('GET', '/api/v1/events?types=message.updated')).body
  expect(data).toMatchObject([{ data: { attachments: [{ filename: '', size: 16 }] } }])
})

test('a preview counts what would go, before it is switched on and without removing it', async () => {
  const { asOwner, ask, conversationOf, close } = await team()
  const { id } = await conversationOf('old')
  await close(id)
  const preview = async (query: string) => (await asOwner('GET', `${path}${query}`)).body.data
  const nothing = { count: 0, isMore: false }
  expect(await preview('')).toEqual({
    closedConversationMonths: null,
    attachmentMonths: null,
    conversations: nothing,
    attachments: { ...nothing, bytes: 0 },
  })
  expect(await preview('?closedConversationMonths=1&attachmentMonths=1')).toMatchObject({
    conversations: nothing,
    attachments: nothing,
  })
  // Later than every month that a preview can ask for, the session has ended: the rows are made older instead.
  const months = monthsBefore(Date.now(), 2)
  const store = running.service.storage.forTenant((await asOwner('GET', '/api/tenant')).body.data._id)
  const row = await store.conversations.find(id)
  const set = { updatedAt: months, closedAt: months }
  const write = { op: 'update', kind: 'conversations', id, expectVersion: row?.version ?? 0, set } as const
  await store.commit({ writes: [write], events: [] })
  expect(await preview('?closedConversationMonths=1')).toMatchObject({
    closedConversationMonths: 1,
    conversations: { count: 1, isMore: false },
  })
  expect(await preview('?closedConversationMonths=3')).toMatchObject({ conversations: nothing })
  expect((await ask('GET', `/api/v1/conversations/${id}`)).status).toBe(200)
})

test('only an owner changes the retention, which is in the audit log by the name of its field', async () => {
  const { owner, ask, asOwner, keep } = await team()
  const { token: admin } = await addColleague(running, { tenantId: owner.tenant._id, role: 'admin' })
  const refused = await ask('PUT', '/api/tenant', { retention: { attachmentMonths: 1 } }, admin)
  expect([refused.status, refused.body.code]).toEqual([403, 'PERMISSION_DENIED'])
  expect((await ask('GET', path, undefined, admin)).status).toBe(200)
  expect((await keep({ attachmentMonths: 0 })).status).toBe(422)
  expect((await keep({ attachmentMonths: 121 })).status).toBe(422)
  expect((await keep({ attachmentMonths: 120 })).body.data.retention.attachmentMonths).toBe(120)
  expect((await keep({ closedConversationMonths: 2 })).body.data.retention).toEqual({
    closedConversationMonths: 2,
    attachmentMonths: 120,
  })
  expect(
    (await keep({ closedConversationMonths: null })).body.data.retention.closedConversationMonths,
  ).toBeNull()
  const { data } = (await asOwner('GET', '/api/tenant/audit-log')).body
  const changes = data.filter(({ action }: { action: string }) => action === 'tenant.updated')
  expect(changes.map(({ changed }: { changed: string[] }) => changed)).toEqual([
    ['retention.closedConversationMonths'],
    ['retention.closedConversationMonths'],
    ['retention.attachmentMonths'],
  ])
})

test('a run of one tenant is bounded, goes on an hour later, and is the only one of a day otherwise', async () => {
  const { owner, inboxId, keep } = await team()
  await keep({ closedConversationMonths: 1 })
  const store = running.service.storage.forTenant(owner.tenant._id as never)
  const ids = createIdFactory(() => Date.now())
  const at = monthsBefore(Date.now(), 3)
  const [sample] = (await store.conversations.listRows({ sort: 'updatedAt', page: 1, limit: 1 })).rows
  expect(sample).toBeUndefined()
  const made = await call(running.url, {
    method: 'POST',
    path: '/api/v1/conversations',
    token: owner.token,
    body: { subject: 'one', inboxId },
  })
  const found = await store.conversations.find(made.body.data._id)
  if (found === undefined) throw new Error('the conversation was not made')
  const { version: _version, ...row } = found
  const aged = { status: 'closed', updatedAt: at, closedAt: at } as const
  await store.commit({
    writes: Array.from({ length: 8 }, () => {
      return { op: 'insert', kind: 'conversations', row: { ...row, _id: ids.next('con'), ...aged } } as const
    }),
    events: [],
  })
  const countOf = async () =>
    (await store.conversations.list({ status: ['closed'], sort: 'updatedAt', page: 1, limit: 1 })).total
  const nextAtMs = (await runDaily(5)) ?? 0
  expect(await countOf()).toBe(3)
  expect(Math.round((nextAtMs - clock.nowMs()) / 3_600_000)).toBe(1)
  // Not due yet.
  await jobOf().runDue()
  expect(await countOf()).toBe(3)
  time.aheadMs += 3_600_000
  const tomorrow = (await jobOf().runDue()) ?? 0
  expect(await countOf()).toBe(0)
  expect(Math.round((tomorrow - clock.nowMs()) / 3_600_000)).toBe(24)
})

test('the months before a day are those of the calendar', () => {
  const before = (day: string, months: number) => monthsBefore(Date.parse(day), months).slice(0, 10)
  expect(before('2026-03-31T10:00:00Z', 1)).toBe('2026-02-28')
  expect(before('2024-03-31T10:00:00Z', 1)).toBe('2024-02-29')
  expect(before('2026-01-15T10:00:00Z', 12)).toBe('2025-01-15')
  expect(before('2026-01-15T10:00:00Z', 120)).toBe('2016-01-15')
})
