import { expect, it } from 'vitest'
import { withCutLists } from '../../../test/support/refuse-cut-lists.ts'
import { kindQuery as mongoQuery } from '../../adapters/mongo/lists/kind-list.ts'
import { kindQuery as sqliteQuery } from '../../adapters/sqlite/lists/kind-list.ts'
import type { Log } from '../../ports/log.ts'
import { logCutLists } from './log-cut-lists.ts'

const asked = { page: 1, limit: 1_000_000 }

it('a list that asks for too many rows is cut on both databases, with one line in the log for each kind', async () => {
  const lines: unknown[] = []
  const stop = logCutLists({ error: (fields: unknown) => lines.push(fields) } as unknown as Log)
  try {
    await withCutLists(() => {
      expect(sqliteQuery('customers', asked, false).paging.limit).toBe(1_000)
      expect(mongoQuery('customers', asked).paging.limit).toBe(1_000)
      expect(sqliteQuery('customers', { page: 1, limit: 1_000 }, false).paging.limit).toBe(1_000)
      sqliteQuery('users', asked, false)
    })
  } finally {
    stop()
  }
  expect(lines).toEqual([
    { kind: 'customers', limit: 1_000_000, rows: 1_000 },
    { kind: 'users', limit: 1_000_000, rows: 1_000 },
  ])
})

it('in a test such a list throws', () => {
  expect(() => sqliteQuery('customers', asked, false)).toThrow('A list of customers asks for 1000000 rows')
})
