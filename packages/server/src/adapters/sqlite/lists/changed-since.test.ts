import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { add } from '../../../../test/contracts/storage/samples.contract.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'

const before = '2026-01-01T00:00:00.000Z'
const since = '2026-06-01T00:00:00.000Z'
const after = '2026-07-01T00:00:00.000Z'

/** Longer than the part of a list that is read before an index of the changes is. */
const count = 2_300

test('customers changed since a moment are complete and in order, whether they are new or old', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-changed-'))
  const storage = await openSqliteStorage({ path: path.join(folder, 'crm.db') })
  try {
    const store = storage.forTenant('ten_1' as TenantId)
    const isChanged = (index: number) => index < 40 || (index > 2_200 && index % 5 === 0)
    const rows = Array.from({ length: count }, (_, index) => ({
      _id: `cus_${String(index).padStart(5, '0')}`,
      createdAt: before,
      updatedAt: isChanged(index) ? after : before,
    }))
    await add(store, 'customers', rows)
    const newestFirst = rows.filter((_, index) => isChanged(index)).reverse()
    const found: string[] = []
    let cursor: string | undefined
    do {
      const paging = cursor === undefined ? {} : { cursor }
      const filter = { updatedSince: since, page: 1, limit: 10, ...paging } as const
      const page = await store.customers.list(filter)
      found.push(...page.rows.map(({ _id }) => _id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(found).toEqual(newestFirst.map(({ _id }) => _id))
    const third = await store.customers.list({ updatedSince: since, page: 3, limit: 10 })
    expect(third.rows.map(({ _id }) => _id)).toEqual(found.slice(20, 30))
    expect(third.total).toBe(newestFirst.length)
  } finally {
    await storage.close()
    await rm(folder, { recursive: true })
  }
})
