import { expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { sample } from '../contracts/storage/samples.contract.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string

const send = (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path: `/api/v1${path}`, token, body })
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const statusesOf = (responses: readonly { status: number }[]) => [
  ...new Set(responses.map(({ status }) => status)),
]
const newInbox = async () => (await send('POST', '/inboxes', { name: 'Web' })).body.data._id as string

it('makes every one of many changes that conflict over a rule of the whole tenant', async () => {
  token = (await registerTenant(running.url)).token
  const [deleted, chosen] = [await times(12, newInbox), await times(12, newInbox)]
  const hook = { name: 'Hook', url: 'https://example.com', events: ['customer.created'] }
  const [deletions, choices, hooks] = await Promise.all([
    times(12, (i) => send('DELETE', `/inboxes/${deleted[i]}`)),
    times(12, (i) => send('PUT', `/inboxes/${chosen[i]}`, { isDefault: true })),
    times(12, () => send('POST', '/webhooks', hook)),
  ])
  expect([deletions, choices, hooks].map(statusesOf)).toEqual([[200], [200], [201]])
})

it('moves conversations that enter an inbox during its deletion to the default inbox, and sends their events', async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  const [{ _id: defaultId }] = (await send('GET', '/inboxes')).body.data
  const inboxId = await newInbox()
  expect((await send('DELETE', `/inboxes/${inboxId}`)).status).toBe(200)
  // A commit that had read the inbox before it was deleted.
  const tenantId = owner.tenant._id as TenantId
  const row = sample.conversations(tenantId, { _id: 'con_late', inboxId, customerId: null, assignedTo: null })
  const writes = [{ op: 'insert', kind: 'conversations', row } as const]
  await running.service.storage.forTenant(tenantId).commit({ writes, events: [] })
  const inboxOf = async () => (await send('GET', '/conversations/con_late')).body.data.inboxId
  await expect.poll(inboxOf).toBe(defaultId)
  // On MongoDB an event gets its position in the log shortly after its commit.
  const events = async () =>
    (await send('GET', '/events?after=earliest&types=conversation.updated')).body.data
  await expect.poll(events).toMatchObject([{ changes: { inboxId: { from: inboxId, to: defaultId } } }])
})

it('takes another name of the tenant, refuses an empty one, and audits each change once', async () => {
  const owner = await registerTenant(running.url)
  const ask = (method: string, body?: unknown, path = '/api/tenant') =>
    call(running.url, { method, path, token: owner.token, body })
  const renamed = await ask('PUT', { name: '  Analytical Engines  ' })
  expect([renamed.status, renamed.body.data.name]).toEqual([200, 'Analytical Engines'])
  expect((await ask('PUT', { name: 'Analytical Engines', country: 'GR' })).body.data).toMatchObject({
    name: 'Analytical Engines',
    country: 'GR',
  })
  for (const wrong of ['', ' ', 'x'.repeat(101), null]) {
    const { status, body } = await ask('PUT', { name: wrong })
    expect([wrong, status, body.details?.[0]?.field]).toEqual([wrong, 422, 'name'])
  }
  const again = await call(running.url, {
    method: 'POST',
    path: '/api/auth/login',
    body: { email: owner.email, password },
  })
  expect(again.body.data.tenant.name).toBe('Analytical Engines')
  const { body } = await ask('GET', undefined, '/api/tenant/audit-log')
  const changes = body.data.filter(({ action }: { action: string }) => action === 'tenant.updated')
  expect(changes.map(({ changed }: { changed: string[] }) => changed)).toEqual([['country'], ['name']])
})
