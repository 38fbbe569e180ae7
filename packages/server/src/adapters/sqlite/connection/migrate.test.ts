import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { rejection } from '../../../../test/contracts/storage/harness.contract.ts'
import { insertOf, sample } from '../../../../test/contracts/storage/samples.contract.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'
import { estimateUpgrade } from './estimate-upgrade.ts'
import { newestSchema } from './migrate.ts'

const migrations = new URL('../migrations/', import.meta.url)

/** A database file with the schema of an earlier version. */
async function databaseOf(version: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-schema-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'crm.db')
  const db = new Database(file)
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort()
  const earlier = names.filter((name) => Number(name.slice(0, 3)) <= version)
  for (const name of earlier) db.exec(await readFile(new URL(name, migrations), 'utf8'))
  db.pragma(`user_version = ${version}`)
  db.close()
  return file
}

test('the identity of an e-mail in schema 14 is found as the first one, beside which another can be made', async () => {
  const file = await databaseOf(14)
  const tenantId = 'ten_1' as TenantId
  const before = sample.identities(tenantId, { email: 'ada@example.com' })
  const db = new Database(file)
  db.prepare("INSERT INTO identities (tenant_id, id, version, email, doc) VALUES ('', ?, 3, ?, ?)").run(
    before._id,
    before.email,
    JSON.stringify(before),
  )
  db.close()

  const storage = await openSqliteStorage({ path: file })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const { system } = storage
  const { email } = before
  expect(await system.listIdentitiesByEmail(email)).toEqual([{ ...before, version: 3 }])
  expect(await system.findIdentity(before._id)).toEqual({ ...before, version: 3 })
  const insert = (isSeparate: boolean) => ({
    writes: [insertOf('identities', sample.identities(tenantId, { email, isSeparate }))],
    events: [],
  })
  expect(await rejection(system.commit(tenantId, insert(false)))).toMatchObject({ key: 'firstOfEmail' })
  await system.commit(tenantId, insert(true))
  expect(await system.listIdentitiesByEmail(email)).toHaveLength(2)
})

test('the labels of conversations in schema 17 are counted, and no longer with a conversation that is deleted', async () => {
  const file = await databaseOf(17)
  const tenantId = 'ten_1' as TenantId
  const db = new Database(file)
  const insert = db.prepare(
    `INSERT INTO conversations (n, tenant_id, id, version, status, priority, priority_rank, channel, assigned_to,
       inbox_id, created_at, updated_at, search_text, doc)
     VALUES (?, ?, ?, 1, 'open', 'medium', 2, 'email', ?, 'inb_1', ?, ?, '', ?)`,
  )
  const rows = [['VIP', 'a "b"'], ['VIP'], []].map((labels, index) =>
    sample.conversations(tenantId, { labels, assignedTo: index === 0 ? 'usr_1' : null }),
  )
  for (const [index, row] of rows.entries()) {
    const { _id, assignedTo, createdAt, updatedAt } = row
    insert.run(index + 1, tenantId, _id, assignedTo ?? '', createdAt, updatedAt, JSON.stringify(row))
  }
  db.close()

  const storage = await openSqliteStorage({ path: file })
  onTestFinished(() => storage.close())
  const store = storage.forTenant(tenantId)
  const ever = { from: '', to: '9' }
  const one = { label: 'a "b"', count: 1 }
  expect(await store.conversations.countLabels(ever)).toEqual({
    labelled: 2,
    labels: [{ label: 'VIP', count: 2 }, one],
  })
  expect(await store.conversations.countLabels({ ...ever, usedBy: 'usr_1' })).toMatchObject({ labelled: 1 })
  const remove = { op: 'remove', kind: 'conversations', id: rows[1]?._id ?? '', expectVersion: 1 } as const
  await store.commit({ writes: [remove], events: [] })
  expect(await store.conversations.countLabels(ever)).toEqual({
    labelled: 1,
    labels: [{ label: 'VIP', count: 1 }, one],
  })
})

test('customers of schema 25 are found by the end of their phone number and by their last change', async () => {
  const file = await databaseOf(25)
  const tenantId = 'ten_1' as TenantId
  const db = new Database(file)
  const insert = db.prepare(
    `INSERT INTO customers (n, tenant_id, id, version, tier, status, created_at, updated_at, last_name_key, search_text, doc)
     VALUES (?, ?, ?, 1, 'gold', 'active', ?, ?, '', '', ?)`,
  )
  const phones = ['+49 (30) 1234-5678', '0045 12', null, 'ext. 12.34.56.78']
  const rows = phones.map((phone) => {
    const row = sample.customers(tenantId)
    return { ...row, profile: { ...row.profile, phone } }
  })
  for (const [index, row] of rows.entries()) {
    insert.run(index + 1, tenantId, row._id, row.createdAt, row.updatedAt, JSON.stringify(row))
  }
  db.close()

  const storage = await openSqliteStorage({ path: file })
  onTestFinished(() => storage.close())
  const store = storage.forTenant(tenantId)
  const found = await store.customers.listByContact({ emails: [], phoneTails: ['12345678'], limit: 10 })
  expect(found.map(({ _id }) => _id)).toEqual([rows[0]?._id, rows[3]?._id])
  const second = rows[1]?.updatedAt ?? ''
  const changed = await store.customers.list({ updatedSince: second, page: 1, limit: 10 })
  expect(changed.rows).toHaveLength(3)
})

test('an estimate names the rows that an upgrade touches, and changes nothing', async () => {
  const file = await databaseOf(142)
  const db = new Database(file)
  const { columns, rowOf } = conversationsOf(db)
  const insert = db.prepare(
    `INSERT INTO conversations (${columns.join()}) VALUES (${columns.map((name) => `@${name}`).join()})`,
  )
  const fill = (first: number, last: number) =>
    db.transaction(() => {
      for (let n = first; n < last; n += 1) insert.run(rowOf(n))
    })()
  fill(0, 100)
  const small = estimateUpgrade(file)
  fill(100, 6_000)
  const large = estimateUpgrade(file)
  expect(small).toMatchObject({ from: 142, rows: { conversations: 100 } })
  expect(large).toMatchObject({ from: 142, to: newestSchema(), rows: { conversations: 6_000 } })
  expect([small, large].every((estimate) => (estimate?.seconds ?? 0) > 0)).toBe(true)
  expect(db.pragma('user_version', { simple: true })).toBe(142)
  db.close()
  const storage = await openSqliteStorage({ path: file })
  await storage.migrate()
  await storage.close()
  expect(estimateUpgrade(file)).toBeUndefined()
})

/** The columns of conversations, and rows with something in each. */
function conversationsOf(db: Database.Database) {
  const found = db.pragma('table_xinfo(conversations)') as { name: string; type: string; hidden: number }[]
  const columns = found.filter(({ hidden }) => hidden === 0)
  const at = '2026-01-01T00:00:00.000Z'
  return {
    columns: columns.map(({ name }) => name),
    rowOf(n: number) {
      const doc = JSON.stringify({ _id: `cnv_${n}`, createdAt: at, updatedAt: at, lastMessageAt: null })
      const sampleOf = (type: string) => (type === 'TEXT' ? `x${n}` : n)
      return Object.fromEntries(
        columns.map(({ name, type }) => [name, name === 'doc' ? doc : sampleOf(type)]),
      )
    },
  }
}
