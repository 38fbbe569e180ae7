import mongoose from 'mongoose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertOf, sample, sampleEvent } from '../../../../test/contracts/storage/samples.contract.ts'
import { migratedDatabase } from '../../../../test/support/mongo-database.ts'
import type { TenantId } from '../../../storage/records.ts'
import { createDatabase } from '../connection/scope.ts'
import { openMongoStorage } from '../mongo-storage.ts'
import { createCommit } from '../rows/commit.ts'
import { createClaims } from './claims.ts'

const tenantIds = ['ten_1', 'ten_2'] as TenantId[]
const webhooksEach = 3
const eventsEach = 4

let url: string

let remove: () => Promise<void>
let connection: mongoose.Connection
let commands: string[]

beforeEach(async () => {
  ;({ url, remove } = migratedDatabase())
  const storage = await openMongoStorage({ url })
  await storage.migrate()
  await storage.close()
  connection = await mongoose.createConnection(url, { monitorCommands: true }).asPromise()
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    const collection: unknown = command[commandName]
    commands.push(typeof collection === 'string' ? `${commandName} ${collection}` : commandName)
  })
  commands = []
})
afterEach(async () => {
  await connection.close()
  await remove()
})

/** Claims from every queue that there is. */
async function claimAll(claims: ReturnType<typeof createClaims>, lockToken: string, limit = 100) {
  const { deliveryQueues } = await claims.deliveryQueues({ after: null, limit: 100 })
  commands = []
  const now = '2999-01-01T00:00:00.000Z'
  const asked = deliveryQueues.map((deliveryQueue) => ({ ...deliveryQueue, limit }))
  return claims.claim({ now, leaseMs: 60_000, lockToken, deliveryQueues: asked })
}

test('claims from many queues, and the results of many webhooks, are no more commands than those of one', async () => {
  const database = createDatabase(connection)
  const [commit, claims] = [createCommit(database), createClaims(database)]
  for (const tenantId of tenantIds) {
    const webhooks = Array.from({ length: webhooksEach }, (_, index) =>
      sample.webhooks(tenantId, { _id: `whk_${index}`, events: ['customer.created'], isActive: true }),
    )
    const writes = webhooks.map((webhook) => insertOf('webhooks', webhook))
    await commit(tenantId, { writes, events: [] })
    const events = Array.from({ length: eventsEach }, () => sampleEvent())
    await commit(tenantId, { writes: [], events })
  }

  const claimed = await claimAll(claims, 'first')
  expect(claimed.map((queue) => queue.claims.length)).toEqual(Array(6).fill(eventsEach))
  expect(claimed.map(({ nextAt }) => nextAt)).toEqual(Array(6).fill('2999-01-01T00:01:00.000Z'))
  expect([...commands].sort()).toEqual([
    'aggregate dueAttempts',
    'aggregate dueAttempts',
    'find attempts',
    'find events',
    'find tasks',
    'find tenants',
    'find webhooks',
    'find webhooks',
    'update dueAttempts',
  ])

  commands = []
  const results = claimed.flatMap((queue) =>
    queue.claims.map(({ tenantId, attempt, webhook, lockToken }) => ({
      tenantId,
      attemptId: attempt._id,
      webhookId: webhook._id,
      lockToken,
      status: 'success' as const,
      statusCode: 200,
      deliveredAt: '2999-01-01T00:00:00.005Z',
      responseTime: 5,
      error: null,
      errorCode: null,
      timings: null,
      remoteAddress: null,
      next: null,
    })),
  )
  expect(await claims.finish(results)).toBe(results.length)
  expect([...commands].sort()).toEqual([
    'commitTransaction',
    'delete dueAttempts',
    'find webhooks',
    'update attempts',
    'update webhookCounts',
  ])
  const counted = await connection.collection('webhookCounts').find({}).toArray()
  expect(counted).toHaveLength(tenantIds.length * webhooksEach)
  expect(counted.map(({ row }) => row.lastSuccessAt)).toEqual(Array(6).fill('2999-01-01T00:00:00.005Z'))
})

test('due attempts of an earlier version, whose queue has another name or none, are claimed like all others', async () => {
  const database = createDatabase(connection)
  const [commit, claims] = [createCommit(database), createClaims(database)]
  const [tenantId = '' as TenantId, neighbour = '' as TenantId] = tenantIds
  for (const tenant of [tenantId, neighbour]) {
    const webhook = sample.webhooks(tenant, { _id: 'whk_0', events: ['customer.created'], isActive: true })
    await commit(tenant, { writes: [insertOf('webhooks', webhook)], events: [] })
    await commit(tenant, { writes: [], events: [sampleEvent(), sampleEvent()] })
  }
  const due = connection.collection('dueAttempts')
  const [first = '', second = ''] = (await due.find({ tenantId }).toArray()).map(({ id }) => String(id))
  const earlierKey = JSON.stringify([tenantId, 'whk_0', false])
  await due.updateOne(
    { id: first },
    { $set: { 'keys.lane': earlierKey }, $unset: { 'keys.deliveryQueue': '' } },
  )
  await due.updateOne({ id: second }, { $unset: { 'keys.deliveryQueue': '' } })
  const claimed = await claimAll(claims, 'first')
  const byTenant = Map.groupBy(
    claimed.flatMap((queue) => queue.claims),
    (claim) => claim.tenantId,
  )
  expect([byTenant.get(tenantId)?.length, byTenant.get(neighbour)?.length]).toEqual([2, 2])
})
