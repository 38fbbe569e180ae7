import { MongoMemoryServer } from 'mongodb-memory-server-core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { rejection } from '../../../test/contracts/storage/harness.contract.ts'
import { add, insertOf, sample, sampleEvent } from '../../../test/contracts/storage/samples.contract.ts'
import { startProxy } from '../../../test/support/cuttable-proxy.ts'
import { migratedDatabase, withDatabase } from '../../../test/support/mongo-database.ts'
import type { Change } from '../../ports/change.ts'
import type { Storage, TenantStore } from '../../ports/storage.ts'
import { StorageUnavailable, VersionConflict } from '../../storage/errors.ts'
import type { TenantKind } from '../../storage/kinds/registry.ts'
import type { TenantId } from '../../storage/records.ts'
import { type CollectionName, collections } from './connection/collections.ts'
import { openMongoStorage } from './mongo-storage.ts'

const tenantId = 'ten_1' as TenantId
const all = { page: 1, limit: 100 }

describe('the MongoDB database', () => {
  let url: string
  let remove: () => Promise<void>
  beforeEach(() => {
    ;({ url, remove } = migratedDatabase())
  })
  afterEach(() => remove())

  /** Storages of so many processes on one database. */
  async function withStorages<T>(count: number, use: (storages: Storage[]) => Promise<T>): Promise<T> {
    const storages = await Promise.all(Array.from({ length: count }, () => openMongoStorage({ url })))
    try {
      await Promise.all(storages.map((storage) => storage.migrate()))
      return await use(storages)
    } finally {
      await Promise.all(storages.map((storage) => storage.close()))
    }
  }

  test('begins every index of tenant data with the tenant, so that it can be sharded by it', async () => {
    await withStorages(1, async () => {
      const indexes = await withDatabase(url, async (connection) => {
        const found = await connection.listCollections()
        const lists = found.map(async ({ name }) => ({
          name,
          list: await connection.collection(name).indexes(),
        }))
        return Promise.all(lists)
      })
      expect(indexes.map(({ name }) => name).sort()).toEqual(Object.keys(collections).sort())
      const ofTenants = indexes.filter(({ name }) => collections[name as CollectionName].scope === 'tenant')
      expect(ofTenants.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['customers', 'conversations', 'messages', 'events', 'attempts']),
      )
      for (const { name, list } of ofTenants) {
        const made = list.filter((index) => index.name !== '_id_')
        expect(made).toHaveLength(Object.keys(collections[name as CollectionName].indexes).length)
        for (const { key } of made) expect(Object.keys(key)[0], name).toBe('tenantId')
      }
    })
  })

  test('holds no field with the name of a custom field', async () => {
    await withStorages(1, async ([storage]) => {
      const customFields = { 'a.b': 1, $set: { $where: 'x' } }
      await add(storage!.forTenant(tenantId), 'customers', [{ customFields }])
      const stored = await withDatabase(url, (connection) => connection.collection('customers').findOne())
      expect(stored?.['row'].customFields).toEqual({ json: JSON.stringify(customFields) })
    })
  })

  /** Every document of every collection, by its collection and id. */
  function readDocuments(): Promise<Map<string, string>> {
    return withDatabase(url, async (connection) => {
      const documents = new Map<string, string>()
      for (const name of Object.keys(collections)) {
        const found = await connection.collection(name).find().toArray()
        for (const document of found) documents.set(`${name} ${document._id}`, JSON.stringify(document))
      }
      return documents
    })
  }

  test('holds no document that the commits of a tenant share', async () => {
    await withStorages(1, async ([storage]) => {
      const store = storage!.forTenant(tenantId)
      await add(store, 'webhooks', [{}])
      await add(store, 'customers', [{}])
      const before = await readDocuments()
      const writes = [insertOf('customers', sample.customers(tenantId))]
      await store.commit({ writes, events: [sampleEvent()] })
      const after = await readDocuments()
      for (const [place, document] of before) expect(after.get(place), place).toBe(document)
      const made = [...after.keys()].filter((place) => !before.has(place)).map((place) => place.split(' ')[0])
      expect(made.sort()).toEqual(['attempts', 'customers', 'dueAttempts', 'events'])
    })
  })

  /** As a feature does: a commit that waited too long behind others of its row has written nothing, and is made again. */
  async function commitAgain(store: TenantStore, change: Change<TenantKind>): Promise<void> {
    await store.commit(change).catch((error: unknown) => {
      if (!(error instanceof VersionConflict)) throw error
      return commitAgain(store, change)
    })
  }

  test('is shared by processes: no increment is lost, no attempt claimed twice, and each sees what another wrote', async () => {
    await withStorages(3, async (storages) => {
      const stores = storages.map((storage) => storage.forTenant(tenantId))
      await add(stores[0]!, 'webhooks', [{ _id: 'whk_1' }])
      await add(stores[0]!, 'conversations', [{ _id: 'con_1', messageCount: 0 }])
      const increment = { messageCount: 1 }
      const total = 45
      const patch = { op: 'patch', kind: 'conversations', id: 'con_1', increment } as const
      await Promise.all(
        Array.from({ length: total }, (_, i) =>
          commitAgain(stores[i % 3]!, { writes: [patch], events: [sampleEvent()] }),
        ),
      )
      expect(await stores[1]!.conversations.find('con_1')).toMatchObject({ messageCount: total, version: 1 })
      const { deliveryQueues } = await storages[0]!.system.listDeliveryQueues({ limit: 10 })
      const claimAll = async (storage: Storage, lockToken: string): Promise<string[]> => {
        const lease = { now: '2027-01-01T00:00:00.000Z', leaseMs: 60_000, lockToken }
        const asked = deliveryQueues.map((deliveryQueue) => ({ ...deliveryQueue, limit: 7 }))
        const claimed = await storage.system.claimDueAttempts({ ...lease, deliveryQueues: asked })
        const mine = claimed.flatMap(({ claims }) => claims.map(({ attempt }) => attempt._id))
        const isMoreDue = claimed.some(({ nextAt }) => nextAt !== null && nextAt <= lease.now)
        return isMoreDue ? [...mine, ...(await claimAll(storage, lockToken))] : mine
      }
      const claims = await Promise.all(storages.map((storage, i) => claimAll(storage, `lock${i}`)))
      expect(claims.flat()).toHaveLength(total)
      expect(new Set(claims.flat()).size).toBe(total)
    })
  })

  test('refuses a conversation for a customer that is erased at the same moment', async () => {
    await withStorages(2, async (storages) => {
      const [one, other] = storages.map((storage) => storage.forTenant(tenantId))
      for (let round = 0; round < 20; round++) {
        const id = `cus_${round}`
        await add(one!, 'customers', [{ _id: id }])
        const conversation = sample.conversations(tenantId, { customerId: id })
        const writes = [
          { op: 'patch', kind: 'customers', id } as const,
          insertOf('conversations', conversation),
        ]
        await Promise.allSettled([
          one!.commit({ writes, events: [] }),
          other!.commit({ writes: [{ op: 'erase', kind: 'customers', id, at: '2026-01-01' }], events: [] }),
        ])
        expect(await one!.customers.find(id)).toBeUndefined()
        const filter = { ...all, sort: '-updatedAt', customerId: id } as const
        expect((await one!.conversations.list(filter)).total).toBe(0)
      }
    })
  })

  test('searches all conversations, each once and in order, also when more match than are counted', async () => {
    await withStorages(1, async ([storage]) => {
      const store = storage!.forTenant(tenantId)
      for (let i = 0; i < 11; i++) {
        const ids = Array.from({ length: 950 }, (_, j) => `con_${i * 950 + j}`)
        const subject = i === 0 ? 'Thanks!' : 'Hello'
        await add(
          store,
          'conversations',
          ids.map((_id) => ({ _id, subject })),
        )
        if (i > 0)
          await add(
            store,
            'messages',
            ids.map((conversationId) => ({ conversationId, content: 'Thanks' })),
          )
      }
      await add(store, 'conversations', [{ _id: 'con_other', subject: 'Hello' }])
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const filter = { page: 1, limit: 500, sort: 'createdAt', search: 'thanks', cursor } as const
        const { rows, nextCursor, total, totalIsEstimate } = await store.conversations.list(filter)
        expect({ total, totalIsEstimate }).toEqual({ total: 10_001, totalIsEstimate: true })
        seen.push(...rows.map(({ _id }) => _id))
        cursor = nextCursor ?? undefined
      } while (cursor)
      expect(seen).toEqual(Array.from({ length: 10_450 }, (_, i) => `con_${i}`))
    })
  })

  test('repeats commits whose connection broke, each exactly once, so that no caller notices a short interruption', async () => {
    const { hostname: host, port } = new URL(url)
    const proxy = await startProxy({ host, port: Number(port) })
    const way = new URL(url)
    way.host = `127.0.0.1:${proxy.port}`
    way.search = '?directConnection=true'
    const storage = await openMongoStorage({ url: way.href })
    await storage.migrate()
    const store = storage.forTenant(tenantId)
    await add(store, 'webhooks', [{ _id: 'whk_1' }])
    const made: string[] = []
    let isOver = false
    const write = async () => {
      while (!isOver) {
        const row = sample.customers(tenantId)
        const change = { writes: [insertOf('customers', row)], events: [sampleEvent({ about: row._id })] }
        await store.commit(change)
        made.push(row._id)
      }
    }
    const writers = Promise.all(Array.from({ length: 8 }, write))
    for (let round = 1; round <= 4; round++) {
      const before = made.length
      await vi.waitUntil(() => made.length > before + 30, { timeout: 60_000 })
      proxy.cut(3)
    }
    isOver = true
    await writers
    const found = await Promise.all(made.map((id) => store.customers.find(id)))
    expect(found.every(Boolean)).toBe(true)
    const attempts = await store.attempts.list({ ...all, webhookId: 'whk_1' })
    const customers = await store.customers.list({ ...all, sort: 'createdAt' })
    expect([customers.total, attempts.total]).toEqual([made.length, made.length])
    await storage.close()
    proxy.stop()
  })

  test('of a newer version is refused', async () => {
    await withStorages(1, async ([storage]) => {
      await withDatabase(url, (connection) =>
        connection
          .collection<{ _id: string }>('serverState')
          .updateOne({ _id: 'schema' }, { $set: { version: 999 } }),
      )
      expect(String(await rejection(storage!.migrate()))).toContain('newer')
    })
  })
})

describe('opening MongoDB', () => {
  test('refuses a standalone server with the command that turns it into a replica set', async () => {
    const standalone = await MongoMemoryServer.create()
    const error = await rejection(openMongoStorage({ url: standalone.getUri('crm') }))
    await standalone.stop()
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).toContain('mongod --replSet')
    expect(String(error)).toContain('rs.initiate()')
  })

  test('reports within seconds that a server cannot be reached, without the password', async () => {
    const url = 'mongodb://crm:hunter2@127.0.0.1:1/crm'
    const error = await rejection(openMongoStorage({ url }))
    expect(error).toBeInstanceOf(StorageUnavailable)
    expect(String(error)).not.toContain('hunter2')
  })
})
