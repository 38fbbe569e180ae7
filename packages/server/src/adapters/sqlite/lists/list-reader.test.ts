import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createIdFactory, newCustomer } from '@crmkit/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from '../../../ports/storage.ts'
import type { TenantId } from '../../../storage/records.ts'
import { type DatabaseHandle, openReaderDatabase } from '../connection/database.ts'
import { createSql } from '../connection/sql.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'
import { createListReader, type ListReader } from './list-reader.ts'

const tenantId = 'ten_1' as TenantId
const ids = createIdFactory(() => Date.now())

let folder: string
let storage: Storage
let db: DatabaseHandle
let lists: ListReader
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'crmkit-lists-'))
  const options = { path: path.join(folder, 'crm.sqlite') }
  storage = await openSqliteStorage(options)
  db = openReaderDatabase(options)
  lists = createListReader(createSql(db, 'reader'), options)
})
afterEach(async () => {
  await lists.close()
  db.close()
  await storage.close()
  rmSync(folder, { recursive: true })
})

const search = (text: string, cursor?: string) =>
  lists.read(tenantId, {
    list: 'customers',
    filter: { page: 1, limit: 20, search: text, ...(cursor !== undefined && { cursor }) },
  })

async function create(lastName: string): Promise<void> {
  const now = new Date().toISOString()
  const { customer } = newCustomer({ firstName: 'Ada', lastName } as Parameters<typeof newCustomer>[0], {
    id: ids.next('cus'),
    tenantId,
    now,
    eventId: ids.next('evt'),
  })
  const writes = [{ op: 'insert' as const, kind: 'customers' as const, row: customer }]
  await storage.forTenant(tenantId).commit({ writes, events: [] })
}

test('a search that found nothing asks no thread again until something is written', async () => {
  await create('Lovelace')
  expect(await search('zzqx')).toMatchObject({ rows: [], total: 0 })
  expect(await search('lovelace')).toMatchObject({ total: 1 })
  // From here on a thread that is asked refuses.
  await lists.close()
  expect(await search('zzqx')).toEqual({ rows: [], total: 0, totalIsEstimate: false, nextCursor: null })
  await expect(search('lovelace')).rejects.toThrow('closed')
  await create('Zzqxander')
  await expect(search('zzqx')).rejects.toThrow('closed')
})

test('a search that found nothing finds the row that is written next', async () => {
  expect(await search('zzqx')).toMatchObject({ total: 0 })
  await create('Zzqxander')
  expect((await search('zzqx')).rows).toHaveLength(1)
})

test('a wrong cursor is refused beside a search that found nothing', async () => {
  await create('Lovelace')
  expect(await search('zzqx')).toMatchObject({ total: 0 })
  await expect(search('zzqx', 'no cursor')).rejects.toThrow()
})
