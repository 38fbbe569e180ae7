import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { add } from '../../../../test/contracts/storage/samples.contract.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'

const before = '2026-01-01T00:00:00.000Z'
const since = '2026-06-01T00:00:00.000Z'
const after = '2026-07-01T00:00:00.000Z'

/** Longer than the part of a list that is read before an index of the changes is. */
const count = 2_300

let folder: string
let storage: Awaited<ReturnType<typeof openSqliteStorage>>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'crmkit-changed-'))
  storage = await openSqliteStorage({ path: path.join(folder, 'crm.db') })
})
afterAll(async () => {
  await storage.close()
  await rm(folder, { recursive: true })
})

type ReadPage = (paging: { page: number; limit: number; cursor?: string }) => Promise<{
  rows: readonly { _id: string }[]
  nextCursor: string | null
}>

/** Returns the ids of a whole list, read page by page. */
async function walk(read: ReadPage): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<ReadPage>> = await read({
      page: 1,
      limit: 10,
      ...(cursor !== null && { cursor }),
    })
    found.push(...page.rows.map(({ _id }) => _id))
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

const idsOf = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id)

test('customers changed since a moment are complete and in order, whether they are new or old', async () => {
  const store = storage.forTenant('ten_1' as TenantId)
  const isChanged = (index: number) => index < 40 || (index > 2_200 && index % 5 === 0)
  const rows = Array.from({ length: count }, (_, index) => ({
    _id: `cus_${String(index).padStart(5, '0')}`,
    createdAt: before,
    updatedAt: isChanged(index) ? after : before,
  }))
  await add(store, 'customers', rows)
  const newestFirst = idsOf(rows.filter((_, index) => isChanged(index))).reverse()
  const list: ReadPage = (paging) => store.customers.list({ updatedSince: since, ...paging })
  expect(await walk(list)).toEqual(newestFirst)
  const third = await store.customers.list({ updatedSince: since, page: 3, limit: 10 })
  expect(idsOf(third.rows)).toEqual(newestFirst.slice(20, 30))
  expect(third.total).toBe(newestFirst.length)
})

test('conversations changed since a moment are in order over all statuses, however unequal these are', async () => {
  const store = storage.forTenant('ten_2' as TenantId)
  // Imported, so that the moment of the change is not that of the order. Most are open; the changed ones come late in it.
  const rows = Array.from({ length: count }, (_, index) => ({
    _id: `con_${String(index).padStart(5, '0')}`,
    status: index % 50 === 0 ? ('closed' as const) : ('open' as const),
    createdAt: before,
    updatedAt: new Date(Date.parse(before) + index * 1000).toISOString(),
    importedAt: index < 200 || index % 100 === 0 ? after : before,
  }))
  await add(store, 'conversations', rows)
  const newestFirst = idsOf(rows.filter(({ importedAt }) => importedAt === after)).reverse()
  const list: ReadPage = (paging) => store.conversations.list({ updatedSince: since, ...paging })
  expect(await walk(list)).toEqual(newestFirst)
})
