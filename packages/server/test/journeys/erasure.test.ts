import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openMongoStorage } from '../../src/adapters/mongo/mongo-storage.ts'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import type { Storage } from '../../src/ports/storage.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { call, registerTenant } from '../support/call.ts'
import { serverProgram, startNodeProgram } from '../support/programs.ts'
import { newTestWorld, type TestWorld } from '../support/test-world.ts'

const preload = fileURLToPath(new URL('../faults/support/preload/preload.ts', import.meta.url))
const messages = 2_300
const settledWithinMs = 60_000

let dataDir: string
let world: TestWorld
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-erasure-'))
  world = newTestWorld()
})
afterEach(async () => {
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

function start(plan: object = {}) {
  const env = { PORT: '0', CRM_DATA_DIR: dataDir, ...world.variables, FAULT_PLAN: JSON.stringify(plan) }
  return startNodeProgram({
    file: serverProgram,
    args: ['start', '--dev'],
    env,
    nodeArgs: ['--import', preload],
  })
}

/** Opens the server's database in this process. */
function openStorage(): Promise<Storage> {
  const url = world.variables['CRM_DATABASE_URL']
  return url ? openMongoStorage({ url }) : openSqliteStorage({ path: path.join(dataDir, 'crm.sqlite') })
}

interface Place {
  tenantId: TenantId
  conversationId: string
}

async function fill(storage: Storage, { tenantId, conversationId }: Place): Promise<void> {
  const store = storage.forTenant(tenantId)
  for (let sent = 0; sent < messages; sent += 100) {
    const rows = Array.from({ length: 100 }, () => sample.messages(tenantId, { conversationId }))
    await store.commit({ writes: rows.map((row) => insertOf('messages', row)), events: [] })
  }
}

async function untilDone(storage: Storage): Promise<void> {
  const startedAt = performance.now()
  while ((await storage.system.listTasks(1)).length > 0) {
    if (performance.now() - startedAt > settledWithinMs) throw new Error('The erasure does not end')
    await delay(100)
  }
}

it('an erasure continues where a killed process left it, and hides the remaining rows meanwhile [own.erasure]', async () => {
  const first = await start({ crash: { point: 'between-erasure-pages', passage: 2 } })
  const { token, tenant } = await registerTenant(first.url)
  const post = async (at: string, body: object) =>
    (await call(first.url, { method: 'POST', path: at, token, body })).body.data._id as string
  const inboxes = await call(first.url, { path: '/api/v1/inboxes', token })
  const inboxId = inboxes.body.data[0]._id as string
  const customerId = await post('/api/v1/customers', { firstName: 'Ada' })
  const conversationId = await post('/api/v1/conversations', { subject: 'Secret', inboxId, customerId })
  const sent = await post(`/api/v1/conversations/${conversationId}/messages`, { content: 'Secret' })
  const storage = await openStorage()
  try {
    await fill(storage, { tenantId: tenant._id, conversationId })
    const died = once(first.process, 'exit')
    const erase = { method: 'DELETE', path: `/api/v1/customers/${customerId}`, token }
    expect((await call(first.url, erase)).status).toBe(200)
    await died

    const second = await start()
    const store = storage.forTenant(tenant._id)
    expect(await storage.system.listTasks(10)).toHaveLength(1)
    for (const gone of [
      `/api/v1/customers/${customerId}`,
      `/api/v1/conversations/${conversationId}`,
      `/api/v1/conversations/${conversationId}/messages`,
      `/api/v1/messages/${sent}`,
    ]) {
      expect([gone, (await call(second.url, { path: gone, token })).status]).toEqual([gone, 404])
    }
    expect((await call(second.url, erase)).status).toBe(404)
    const log = await call(second.url, { path: '/api/v1/events?after=earliest&limit=100', token })
    expect(JSON.stringify(log.body)).not.toContain('Secret')
    await untilDone(storage)
    // The task no longer hides rows, and no row is left.
    const page = { conversationId, sort: 'createdAt', page: 1, limit: 1 } as const
    expect((await store.messages.list(page)).total).toBe(0)
    expect(await store.conversations.find(conversationId)).toBeUndefined()
    await second.kill('SIGTERM')
  } finally {
    await storage.close()
  }
})

it('an erasure includes messages that are written at the same moment', async () => {
  const server = await start()
  const { token, tenant } = await registerTenant(server.url)
  const post = (at: string, body: object) => call(server.url, { method: 'POST', path: at, token, body })
  const inboxes = await call(server.url, { path: '/api/v1/inboxes', token })
  const inboxId = inboxes.body.data[0]._id as string
  const customer = await post('/api/v1/customers', { firstName: 'Ada' })
  const customerId = customer.body.data._id as string
  const made = await Promise.all(
    Array.from({ length: 4 }, () => post('/api/v1/conversations', { subject: 'S', inboxId, customerId })),
  )
  const paths = made.map(({ body }) => `/api/v1/conversations/${body.data._id}`)
  const erase = { method: 'DELETE', path: `/api/v1/customers/${customerId}`, token }
  const writes = paths.flatMap((at) =>
    Array.from({ length: 25 }, (_, i) => [
      post(`${at}/messages`, { content: `Secret ${i}`, direction: i % 2 === 0 ? 'inbound' : 'outbound' }),
      call(server.url, { method: 'PUT', path: at, token, body: { subject: `Secret ${i}` } }),
    ]).flat(),
  )
  const [deleted, ...responses] = await Promise.all([call(server.url, erase), ...writes])
  expect(deleted?.status).toBe(200)
  // 503: on a busy machine a MongoDB transaction may conflict with so many others for all of its ten seconds.
  for (const { status } of responses) expect([200, 201, 404, 503]).toContain(status)
  const storage = await openStorage()
  try {
    await untilDone(storage)
    const store = storage.forTenant(tenant._id)
    for (const { body } of made) {
      const conversationId = body.data._id as string
      expect(await store.conversations.find(conversationId)).toBeUndefined()
      const page = { conversationId, sort: 'createdAt', page: 1, limit: 1 } as const
      expect((await store.messages.list(page)).total).toBe(0)
    }
    const log = await call(server.url, { path: '/api/v1/events?after=earliest&limit=100', token })
    expect(JSON.stringify(log.body)).not.toContain('Secret')
  } finally {
    await storage.close()
    await server.kill('SIGTERM')
  }
})
