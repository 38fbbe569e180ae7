import { randomUUID } from 'node:crypto'
import mongoose from 'mongoose'
import { expect, onTestFinished, test } from 'vitest'
import { rejection } from '../../../../test/contracts/storage/harness.contract.ts'
import { add, insertOf, sample } from '../../../../test/contracts/storage/samples.contract.ts'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../../../../test/support/mongo-database.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openMongoStorage } from '../mongo-storage.ts'
import { estimateMongoUpgrade } from './estimate-upgrade.ts'
import { migrateDatabase, schemaSteps } from './migrate.ts'
import { createDatabase } from './scope.ts'

test('the identity of an e-mail in schema 4 is found as the first one, beside which another can be made', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const storage = await openMongoStorage({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const tenantId = 'ten_1' as TenantId
  const { system } = storage
  const before = sample.identities(tenantId, { email: 'ada@example.com' })
  await system.commit(tenantId, { writes: [insertOf('identities', before)], events: [] })
  await withDatabase(url, async (connection) => {
    const identities = connection.collection('identities')
    await identities.updateMany({}, { $unset: { keys: '' } })
    await identities.dropIndexes()
    await identities.createIndex({ 'row.email': 1 }, { name: 'email', unique: true })
    await connection
      .collection<{ _id: string }>('serverState')
      .updateOne({ _id: 'schema' }, { $set: { version: 4 } })
  })

  await storage.migrate()
  const { email } = before
  expect(await system.listIdentitiesByEmail(email)).toEqual([{ ...before, version: 1 }])
  const insert = (isSeparate: boolean) => ({
    writes: [insertOf('identities', sample.identities(tenantId, { email, isSeparate }))],
    events: [],
  })
  expect(await rejection(system.commit(tenantId, insert(false)))).toMatchObject({ key: 'firstOfEmail' })
  await system.commit(tenantId, insert(true))
  expect(await system.listIdentitiesByEmail(email)).toHaveLength(2)
})

test('messages and audit entries of schema 5 are found by the user whom they name', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const storage = await openMongoStorage({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const tenantId = 'ten_1' as TenantId
  const store = storage.forTenant(tenantId)
  const user = { type: 'user', _id: 'usr_1' } as const
  const system = { type: 'system', _id: null } as const
  const [conversation] = await add(store, 'conversations', [{}])
  const conversationId = conversation?._id ?? ''
  const [message] = await add(store, 'messages', [
    { conversationId, sender: { ...user, name: 'Zoë "Z"' } },
    { conversationId, sender: { type: 'customer', _id: 'usr_1', name: null } },
  ])
  const [acted, changed] = await add(store, 'auditLog', [
    { actor: user, target: { type: 'inbox', _id: 'usr_1' } },
    { actor: system, target: user },
  ])
  const added = ['authorUserId', 'actorUserId', 'targetUserId'].map((name) => [`keys.${name}`, ''])
  await withDatabase(url, async (connection) => {
    for (const name of ['messages', 'auditLog']) {
      await connection.collection(name).updateMany({}, { $unset: Object.fromEntries(added) })
    }
    await connection
      .collection<{ _id: string }>('serverState')
      .updateOne({ _id: 'schema' }, { $set: { version: 5 } })
  })

  await storage.migrate()
  const page = { page: 1, limit: 10 }
  const found = [
    await store.messages.list({ userId: 'usr_1', ...page }),
    await store.auditLog.list({ actorUserId: 'usr_1', ...page }),
    await store.auditLog.list({ targetUserId: 'usr_1', ...page }),
  ]
  expect(found.map(({ rows }) => rows.map(({ _id }) => _id))).toEqual([
    [message?._id],
    [acted?._id],
    [changed?._id],
  ])
})

test('the inboxes of schema 6 are found by the public keys of their widgets', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const storage = await openMongoStorage({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const tenantId = 'ten_1' as TenantId
  const store = storage.forTenant(tenantId)
  const [keyed, bare] = await add(store, 'inboxes', [{}, {}])
  const version = 2
  const widget = { ...bare!.widget, publicKey: null }
  const update = { op: 'update', kind: 'inboxes', id: bare!._id, expectVersion: 1, set: { widget } } as const
  await store.commit({ writes: [update], events: [] })
  await withDatabase(url, async (connection) => {
    await connection.collection('widgetKeys').deleteMany({})
    await connection
      .collection<{ _id: string }>('serverState')
      .updateOne({ _id: 'schema' }, { $set: { version: 6 } })
  })
  const publicKey = keyed!.widget.publicKey ?? ''
  expect(await storage.system.across.widgetKeys.find(publicKey)).toBeUndefined()

  await storage.migrate()
  expect(await storage.system.across.widgetKeys.find(publicKey)).toMatchObject({ row: { _id: keyed!._id } })
  // A new key of the other one finds its row, and no leftover.
  const on = { ...bare!.widget, publicKey: 'wpk_new' }
  const change = { ...update, expectVersion: version, set: { widget: on } }
  await store.commit({ writes: [change], events: [] })
  expect(await storage.system.across.widgetKeys.find('wpk_new')).toMatchObject({ row: { _id: bare!._id } })
})

test('texts of schema 8 are found by the new search index, also those that another process had indexed before an interruption', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const storage = await openMongoStorage({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const store = storage.forTenant('ten_1' as TenantId)
  const subjects = Array.from({ length: 250 }, (_, index) => ({ subject: `Broken lamp ${index}` }))
  const conversations = await add(store, 'conversations', subjects)
  const conversationId = conversations[0]!._id
  await add(store, 'messages', [{ conversationId, content: 'It was dispatched yesterday' }])
  await withDatabase(url, async (connection) => {
    const old = { $set: { grams: ['bro', 'rok'] }, $unset: { searchNumber: '' } }
    await connection.collection('conversations').updateMany({ id: { $ne: conversationId } }, old)
    await connection.collection('messages').updateMany({}, old)
    await connection
      .collection<{ _id: string }>('serverState')
      .updateOne({ _id: 'schema' }, { $set: { version: 8 } })
  })
  const found = async (search: string) => {
    const { rows } = await store.conversations.list({ page: 1, limit: 500, sort: 'createdAt', search })
    return rows.map(({ _id }) => _id)
  }
  expect(await found('lamp')).toEqual([conversationId])
  expect(await found('dispatched')).toEqual([])

  await storage.migrate()
  expect(await found('lamp')).toEqual(conversations.map(({ _id }) => _id))
  expect(await found('dispatched')).toEqual([conversationId])
})

test('an upgrade is refused beside a process of an earlier version, whose address it names, until it has ended or is forced', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const storage = await openMongoStorage({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const setSchema = (version: number) =>
    withDatabase(url, (connection) =>
      connection
        .collection<{ _id: string }>('serverState')
        .updateOne({ _id: 'schema' }, { $set: { version } }),
    )
  // An upgrade that only expands is made beside anybody.
  const servedFrom = schemaSteps.findLast(({ kind }) => kind === 'contracts')?.schema ?? 0
  // A name of its own: other tests of the server migrate at the same time.
  const appName = `earlier-${randomUUID()}`
  const migrate = (besideEarlier = false) =>
    withDatabase(url, (connection) =>
      migrateDatabase(connection, createDatabase(connection), { besideEarlier, unseen: `^${appName}$` }),
    )
  const earlier = await mongoose.createConnection(url, { appName }).asPromise()
  onTestFinished(() => earlier.close())
  await earlier.db?.admin().ping()
  // A database of today is not upgraded, so nobody has to end.
  await migrate()
  await setSchema(servedFrom - 1)
  const refused = await rejection(migrate())
  expect(refused).toMatchObject({
    message: expect.stringMatching(/earlier version use the database.*: a process from 127\.0\.0\.1\. Stop/),
  })
  await migrate(true)
  await setSchema(servedFrom - 1)
  await earlier.close()
  await expect.poll(() => migrate().then(() => 'upgraded', String)).toBe('upgraded')
})

test('conversations of schema 15 stand where their last message, or their beginning, puts them', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const storage = await openMongoStorage({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const store = storage.forTenant('ten_1' as TenantId)
  const silent = { waitingSince: null, status: 'open' } as const
  await add(store, 'conversations', [
    { ...silent, _id: 'con_old', lastMessageAt: '2025-01-02T03:04:05.678Z' },
    { ...silent, _id: 'con_new', lastMessageAt: '2026-01-02T03:04:05.678Z' },
    { ...silent, _id: 'con_empty', lastMessageAt: null, createdAt: '2025-06-01T00:00:00.001Z' },
  ])
  await withDatabase(url, async (connection) => {
    const rows = connection.collection<{ _id: string; id: string; keys: Record<string, unknown> }>(
      'conversations',
    )
    const keysNow = async () =>
      (await rows.find().sort({ id: 1 }).toArray()).map(({ id, keys }) => ({ id, keys }))
    const before = await keysNow()
    await rows.updateMany({}, { $unset: { 'keys.activity': '', 'keys.waiting': '' } })
    await connection
      .collection<{ _id: string }>('serverState')
      .updateOne({ _id: 'schema' }, { $set: { version: 15 } })
    expect(await keysNow()).not.toEqual(before)
    await migrateDatabase(connection, createDatabase(connection), { besideEarlier: true })
    expect(await keysNow()).toEqual(before)
  })
  const { rows } = await store.conversations.list({ sort: '-lastMessageAt', page: 1, limit: 9 })
  expect(rows.map(({ _id }) => _id)).toEqual(['con_new', 'con_empty', 'con_old'])
})

test('an estimate of an upgrade counts the documents that it changes, and changes none', async () => {
  const url = newDatabaseUrl()
  onTestFinished(() => dropDatabase(url))
  const storage = await openMongoStorage({ url })
  onTestFinished(() => storage.close())
  await storage.migrate()
  expect(await estimateMongoUpgrade(url)).toBeUndefined()
  const store = storage.forTenant('ten_1' as TenantId)
  await add(store, 'customers', [{}, {}, {}])
  await add(store, 'inboxes', [{}])
  const everything = () =>
    withDatabase(url, async (connection) => {
      const names = (await connection.listCollections()).map(({ name }) => name).sort()
      return Promise.all(
        names.map(async (name) => [name, await connection.collection(name).find().toArray()]),
      )
    })
  await withDatabase(url, async (connection) => {
    await connection.collection('customers').updateMany({}, { $unset: { 'keys.lastContact': '' } })
    await connection
      .collection<{ _id: string }>('serverState')
      .updateOne({ _id: 'schema' }, { $set: { version: 3 } })
  })

  const before = await everything()
  const estimate = await estimateMongoUpgrade(url)
  expect(estimate).toMatchObject({ from: 3, rows: { customers: expect.any(Number) }, seconds: undefined })
  expect(estimate?.rows['customers']).toBeGreaterThanOrEqual(3)
  expect(await everything()).toEqual(before)
})
