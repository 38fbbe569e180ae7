import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ConversationStatus, conversationStatuses } from '@crmkit/core'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertOf, sample } from '../../../../test/contracts/storage/samples.contract.ts'
import type { Storage } from '../../../ports/storage.ts'
import { mergedStatus } from '../../../storage/kinds/conversations.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'
import { kindQuery } from './kind-list.ts'

const tenantId = 'ten_1' as TenantId
const words = [...conversationStatuses, mergedStatus]
/** In the order of their creation; every fifth one was merged into another. */
const made = Array.from({ length: 600 }, (_, index) =>
  sample.conversations(tenantId, {
    _id: `con_${String(index).padStart(3, '0')}`,
    status: words[index % words.length] as ConversationStatus,
    labels: ['vip'],
    subject: 'A broken lamp',
    createdAt: new Date(1_760_000_000_000 + index * 60_000).toISOString(),
  }),
)
let folder: string
let storage: Storage

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'crm-deep-pages-'))
  storage = await openSqliteStorage({ path: path.join(folder, 'crm.db') })
  await storage.migrate()
  await storage.system.commit(tenantId, {
    writes: made.map((row) => insertOf('conversations', row)),
    events: [],
  })
})
afterAll(async () => {
  await storage.close()
  await rm(folder, { recursive: true })
})

describe.each(['createdAt', '-createdAt', 'priority'] as const)('conversations by %s', (sort) => {
  const status = [...conversationStatuses]

  test('deep pages hold the rows that follow the pages before them, without the merged ones', async () => {
    const list = (page: number, limit: number) =>
      storage.forTenant(tenantId).conversations.list({ page, limit, sort, status })
    const pages = await Promise.all(Array.from({ length: 10 }, (_, index) => list(index + 1, 50)))
    const whole = await list(1, 600)
    const expected = made.filter((row) => row.status !== mergedStatus)
    expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows)
    expect(new Set(whole.rows.map(({ _id }) => _id))).toEqual(new Set(expected.map(({ _id }) => _id)))
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => expected.length))
  })

  test.each([
    ['a label', { label: 'vip' }],
    ['a moment', { updatedSince: '2020-01-01T00:00:00.000Z' }],
    ['a search', { search: 'lamp' }],
  ])('deep pages with %s hold the rows of the whole list', async (_name, filter) => {
    const list = (page: number, limit: number) =>
      storage.forTenant(tenantId).conversations.list({ page, limit, sort, status, ...filter })
    const whole = await list(1, 600)
    const pages = await Promise.all(Array.from({ length: 10 }, (_, index) => list(index + 1, 50)))
    expect(whole.rows).toHaveLength(480)
    expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows)
  })

  test('a deep page reads only its own rows', () => {
    const db = new Database(path.join(folder, 'crm.db'), { readonly: true })
    const [arm] = kindQuery('conversations', { page: 400, limit: 20, sort, status } as never, false).arms
    const where = [...(arm?.range ?? []), ...(arm?.where ?? [])]
    const plan = db
      .prepare(
        `EXPLAIN QUERY PLAN SELECT n FROM ${arm?.from} WHERE ${where.map(({ sql }) => sql).join(' AND ')}
         ORDER BY ${arm?.keys.value}, id LIMIT 20 OFFSET 8000`.replaceAll('?', "+'open'"),
      )
      .all({ tenant: tenantId }) as { detail: string }[]
    db.close()
    const details = plan.map(({ detail }) => detail).filter((detail) => detail.startsWith('SEARCH'))
    expect(details.length).toBeGreaterThan(0)
    expect(details.filter((detail) => !detail.includes('COVERING INDEX'))).toEqual([])
  })
})
