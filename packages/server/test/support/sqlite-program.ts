// A process of its own for the tests: it writes and says so, until it is killed.
import type { Customer } from '@crmkit/core'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import type { TenantId } from '../../src/storage/records.ts'

const [task = '', path = ''] = process.argv.slice(2)
const tenantId = 'ten_1' as TenantId
const now = '2026-03-01T08:00:00.000Z'
const storage = await openSqliteStorage({ path })
const store = storage.forTenant(tenantId)

function newCustomer(_id: string): Customer {
  const profile = { firstName: 'Ada', lastName: 'Lovelace', email: null, phone: null, company: null }
  const times = { createdAt: now, updatedAt: now }
  const plain = { jobTitle: null, tier: 'gold', status: 'active', customFields: {} } as const
  return {
    _id,
    tenantId,
    profile,
    ...plain,
    tags: [],
    externalIds: [],
    blockedAt: null,
    lastContactAt: null,
    ...times,
  }
}

async function addWebhook(): Promise<void> {
  const row = {
    _id: 'whk_1',
    tenantId,
    name: 'Receiver',
    url: 'https://receiver.example',
    events: ['customer.created' as const],
    isActive: true,
    headers: {},
    sealed: '',
    createdAt: now,
    updatedAt: now,
    retryPolicy: { maxRetries: 3, backoffStrategy: 'linear' as const },
  }
  await store.commit({ writes: [{ op: 'insert', kind: 'webhooks', row }], events: [] })
}

async function writeUntilKilled(caller: number): Promise<void> {
  for (let i = 0; ; i++) {
    const id = `cus_${process.pid}_${caller}_${i}`
    const body = JSON.stringify({
      id: `evt_${id}`,
      event: 'customer.created',
      timestamp: now,
      data: { _id: id },
    })
    const event = {
      _id: `evt_${id}`,
      type: 'customer.created' as const,
      timestamp: now,
      subjects: [id],
      body,
    }
    await store.commit({
      writes: [{ op: 'insert', kind: 'customers', row: newCustomer(id) }],
      events: [event],
    })
    process.stdout.write(`${id}\n`)
  }
}

/** Claims all that is due, says so and waits to be killed. */
async function claimUntilKilled(): Promise<void> {
  const { deliveryQueues } = await storage.system.listDeliveryQueues({ limit: 10 })
  const asked = deliveryQueues.map((deliveryQueue) => ({ ...deliveryQueue, limit: 100 }))
  const lease = { now: new Date().toISOString(), leaseMs: 60_000, lockToken: 'child' }
  const claimed = await storage.system.claimDueAttempts({ ...lease, deliveryQueues: asked })
  process.stdout.write(`${claimed.flatMap(({ claims }) => claims).length}\n`)
  await new Promise((resolve) => setTimeout(resolve, 60_000))
}

if (task === 'claim') await claimUntilKilled()
if (task === 'webhook') await addWebhook()
if (task === 'open') {
  await store.commit({
    writes: [{ op: 'insert', kind: 'customers', row: newCustomer(`cus_${process.pid}`) }],
    events: [],
  })
}
if (task === 'write') {
  if ((await store.webhooks.count()) === 0) await addWebhook()
  await Promise.all(Array.from({ length: 8 }, (_, caller) => writeUntilKilled(caller)))
}
await storage.close()
