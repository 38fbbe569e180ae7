// Runs on both databases by day: erasure.
import { expect, test } from 'vitest'
import { eraseSample } from '../../src/features/customers/samples/erase-sample-task.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { newFileTenant } from '../support/import-files.ts'
import { kindsHolding } from '../support/kinds-holding.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { setLimit } from '../support/set-limit.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
const path = '/api/tenant/sample-data'
const domain = 'sample.example'

interface Row {
  _id: string
  status: string
  customerId: string
  channel: string
}

const add = ({ ask }: MailInbox) => ask('POST', path)
const remove = ({ ask }: MailInbox) => ask('DELETE', path)
const setupOf = async ({ ask }: MailInbox) => (await ask('GET', '/api/tenant/setup')).body.data
const rowsOf = async ({ ask }: MailInbox, kind: 'customers' | 'conversations'): Promise<Row[]> =>
  (await ask('GET', `/api/v1/${kind}?limit=100`)).body.data
const eventsOf = async ({ ask }: MailInbox): Promise<{ event: string }[]> =>
  (await ask('GET', '/api/v1/events?after=earliest&limit=100')).body.data

async function withSamples(): Promise<MailInbox> {
  const inbox = await makeMailInbox(running)
  expect((await add(inbox)).status).toBe(202)
  return inbox
}

/** Waits until no erasure of the tenant is under way. */
async function tasksEnd({ owner }: MailInbox): Promise<void> {
  const open = async () => {
    const tasks = await running.service.storage.system.listTasks(100)
    return tasks.filter(({ tenantId }) => tenantId === owner.tenant._id).length
  }
  await expect.poll(open, { interval: 250, timeout: 40_000 }).toBe(0)
}

const idOf = (row: Row | undefined) => {
  if (row === undefined) throw new Error('There is no such row')
  return row._id
}

// The first test of the file: it looks at the rows of all tenants.
test('one request removes all sample rows with what people have added, and nothing holds them any more', async () => {
  const inbox = await withSamples()
  const kept = await inbox.ask('POST', '/api/v1/customers', {
    firstName: 'Real',
    email: 'real@people.example',
  })
  const conversations = await rowsOf(inbox, 'conversations')
  const ids = [...conversations, ...(await rowsOf(inbox, 'customers'))]
    .map(({ _id }) => _id)
    .filter((id) => id !== kept.body.data._id)
  const at = `/api/v1/conversations/${conversations[0]?._id}`
  await inbox.ask('POST', `${at}/messages`, { content: 'A note', type: 'note' })
  await inbox.ask('POST', `${at}/labels`, { labels: ['mine'] })
  await inbox.ask('PUT', `${at}/draft`, { content: 'Soon' })
  const removed = await remove(inbox)
  expect([removed.status, removed.body.success]).toEqual([202, true])
  await expect.poll(() => rowsOf(inbox, 'conversations')).toEqual([])
  await expect.poll(async () => (await rowsOf(inbox, 'customers')).length).toBe(1)
  expect((await rowsOf(inbox, 'customers')).map(({ _id }) => _id)).toEqual([kept.body.data._id])
  expect((await setupOf(inbox)).sampleData).toBeNull()
  const log = (await inbox.ask('GET', '/api/tenant/audit-log?limit=5')).body.data
  expect(log[0]).toMatchObject({ action: 'tenant.sampleDataRemoved' })
  const deleted = (await eventsOf(inbox)).filter(({ event }) => event === 'customer.deleted')
  expect(deleted).toHaveLength(5)
  await tasksEnd(inbox)
  expect(await kindsHolding(running, domain)).toEqual([])
  for (const id of ids) {
    const holding = await kindsHolding(running, id.toLowerCase())
    expect(holding.filter((kind) => !/^events?|^audit|eventSubjects/.test(kind))).toEqual([])
  }
  expect((await inbox.ask('GET', '/api/tenant')).body.data.usage.customers.used).toBe(1)
  // Nothing is left to remove, and the team may look at them again.
  expect((await remove(inbox)).status).toBe(202)
  expect((await add(inbox)).status).toBe(202)
}, 60_000)

test('sample data are removed while a file of an import waits', async () => {
  const inbox = await withSamples()
  const { upload } = await newFileTenant(running.url, inbox.owner)
  expect((await upload('Contacts', 'firstName,email\nAda,ada@people.example\n')).status).toBeLessThan(300)
  expect((await remove(inbox)).status).toBe(202)
  await expect.poll(() => rowsOf(inbox, 'customers')).toEqual([])
})

test('sample data are rows of every status, without an event and without a step of the check-list', async () => {
  const inbox = await makeMailInbox(running)
  const before = await eventsOf(inbox)
  const added = await add(inbox)
  expect(added.status).toBe(202)
  expect(added.body.data).toEqual({ runId: expect.stringMatching(/^smp_/), addedAt: expect.any(String) })
  const conversations = await rowsOf(inbox, 'conversations')
  expect(await rowsOf(inbox, 'customers')).toHaveLength(5)
  expect(new Set(conversations.map(({ status }) => status))).toEqual(
    new Set(['open', 'pending', 'snoozed', 'closed']),
  )
  expect(await eventsOf(inbox)).toEqual(before)
  const setup = await setupOf(inbox)
  expect(setup.sampleData).toEqual(added.body.data)
  expect(setup.steps.filter((step: { done: boolean }) => step.done)).toEqual([])
})

test('sample data count to the quotas and the figures of the team, and are added once', async () => {
  const inbox = await withSamples()
  const { usage } = (await inbox.ask('GET', '/api/tenant')).body.data
  expect([usage.customers.used, usage.conversations.used]).toEqual([5, 6])
  const labels = (await inbox.ask('GET', '/api/v1/analytics/tags')).body.data
  expect(labels).toContainEqual(expect.objectContaining({ tag: 'delivery', count: 2 }))
  expect((await add(inbox)).body).toMatchObject({ code: 'CONFLICT' })
  const other = await makeMailInbox(running)
  expect((await Promise.all([add(other), add(other)])).map(({ status }) => status).sort()).toEqual([202, 409])
  expect(await rowsOf(other, 'customers')).toHaveLength(5)
})

test('a tenant whose quota is too small gets no sample data', async () => {
  const inbox = await makeMailInbox(running)
  await setLimit(running, inbox, ['customers', 4])
  expect((await add(inbox)).body).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  expect(await rowsOf(inbox, 'conversations')).toEqual([])
})

test('a reply to a sample customer is no mail and no step, and a change of the check-list keeps the sample data', async () => {
  const inbox = await withSamples()
  const conversation = (await rowsOf(inbox, 'conversations')).find(
    ({ status, channel }) => status === 'open' && channel === 'email',
  )
  const reply = await inbox.ask('POST', `/api/v1/conversations/${idOf(conversation)}/messages`, {
    content: 'Two new cups are on their way.',
  })
  expect(reply.status).toBe(201)
  expect(reply.body.data.recipients).toMatchObject([{ status: 'suppressed' }])
  await inbox.ask('PUT', '/api/tenant/setup', { dismissed: true })
  const setup = await setupOf(inbox)
  expect(setup.sampleData).not.toBeNull()
  expect(setup.steps.filter((step: { done: boolean }) => step.done)).toEqual([])
})

test('a real customer who was merged with a sample one stays, and the sample conversations go', async () => {
  const inbox = await withSamples()
  const [first, second] = await rowsOf(inbox, 'customers')
  const real = async (firstName: string) =>
    (await inbox.ask('POST', '/api/v1/customers', { firstName })).body.data._id as string
  const [target, source] = [await real('Target'), await real('Source')]
  const mergeInto = (id: string, sourceId: string) =>
    inbox.ask('POST', `/api/v1/customers/${id}/merge`, { sourceId })
  expect((await mergeInto(target, idOf(first))).status).toBe(200)
  expect((await mergeInto(idOf(second), source)).status).toBe(200)
  expect((await remove(inbox)).status).toBe(202)
  await expect.poll(async () => (await rowsOf(inbox, 'conversations')).length).toBe(0)
  await expect.poll(async () => (await rowsOf(inbox, 'customers')).length).toBe(2)
  const left = (await rowsOf(inbox, 'customers')).map(({ _id }) => _id)
  expect(left.sort()).toEqual([target, idOf(second)].sort())
})

test('a sample customer into whom somebody was merged after the request to remove the sample data stays', async () => {
  const inbox = await withSamples()
  const subjectId = idOf((await rowsOf(inbox, 'customers'))[0])
  const requestedAt = new Date().toISOString()
  const { _id: sourceId } = (await inbox.ask('POST', '/api/v1/customers', { firstName: 'Ada' })).body.data
  expect((await inbox.ask('POST', `/api/v1/customers/${subjectId}/merge`, { sourceId })).status).toBe(200)
  const tenantId = inbox.owner.tenant._id as TenantId
  const store = running.service.storage.forTenant(tenantId)
  const erasedBy = (at: string) => {
    const task = { _id: 'tsk_1', tenantId, type: 'eraseSample', subjectId, targetId: null, requestedAt: at }
    const ids = { next: () => 'id_1' }
    return eraseSample({ store, ids, now: at } as never, task as never, async () => [])
  }
  expect(await erasedBy(requestedAt)).toBeUndefined()
  expect(await erasedBy(new Date(Date.now() + 1000).toISOString())).toBeDefined()
})
