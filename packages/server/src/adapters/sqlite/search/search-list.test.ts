import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { add } from '../../../../test/contracts/storage/samples.contract.ts'
import type { TenantStore } from '../../../ports/storage.ts'
import type { TenantId } from '../../../storage/records.ts'
import { searchTerms } from '../../../storage/search-text.ts'
import { openReaderDatabase } from '../connection/database.ts'
import { createSql, type Sql } from '../connection/sql.ts'
import { kindSearch } from '../lists/kind-list.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'
import { estimateMatches } from './estimate-matches.ts'
import { findSearchKeys, readSearchPage, type SearchQuery } from './search-list.ts'
import { planSearch } from './search-query.ts'
import { createStatistics } from './search-statistics.ts'

interface Opened {
  store: TenantStore
  reader: Sql
}

/** Runs with the store of a tenant, and with a reader of the same new file. */
async function withReader(use: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-search-'))
  const file = path.join(folder, 'crm.db')
  const storage = await openSqliteStorage({ path: file })
  const reader = openReaderDatabase({ path: file })
  try {
    await use({ store: storage.forTenant('ten_1' as TenantId), reader: createSql(reader, 'reader') })
  } finally {
    reader.close()
    await storage.close()
    await rm(folder, { recursive: true })
  }
}

test('a search of messages reads the index by its rarest tokens first, wherever they are in the text', () =>
  withReader(async ({ store, reader }) => {
    const contents = [...Array(30).fill('the-stones-of-a-field'), 'the-stones-of-a-zebra']
    await add(store, 'customers', [{}])
    await add(store, 'conversations', [{}])
    await add(
      store,
      'messages',
      contents.map((content, index) => ({ _id: `msg_${index}`, content })),
    )
    const counted = createStatistics(reader, { table: 'messages', indexTable: 'message_search' })('ten_1')
    const plan = planSearch(searchTerms('the-stones-of-a-zebra'), counted)
    const tokens = plan.match.split(' AND ')
    expect(['"a-z"', '"-ze"', '"zeb"', '"ebr"', '"bra"']).toContain(tokens[0])
    expect(tokens.length).toBeLessThanOrEqual(12)
  }))

test('a match that is deleted while its page is read does not end the list before the others', () =>
  withReader(async ({ store, reader }) => {
    const ids = ['cus_1', 'cus_2', 'cus_3', 'cus_4'] as const
    await add(
      store,
      'customers',
      ids.map((_id) => ({ _id, createdAt: '2026-11-21T09:30:00.000Z' })),
    )
    const filter = { search: 'ada', sort: 'createdAt', page: 1, limit: 2 } as const
    const query = kindSearch('customers', filter, false) as SearchQuery
    const plan = planSearch(
      query.terms,
      createStatistics(reader, { table: 'customers', indexTable: 'customer_search' })('ten_1'),
    )
    const keys = findSearchKeys(reader, 'ten_1', { query, plan }) ?? []
    await store.commit({
      writes: [{ op: 'remove', kind: 'customers', id: 'cus_1', expectVersion: 1 }],
      events: [],
    })
    const first = readSearchPage(reader, 'ten_1', { query, keys })
    expect(first.rows.map(({ id }) => id)).toEqual(['cus_2'])
    const cursor = first.nextCursor ?? ''
    const rest = readSearchPage(reader, 'ten_1', { query: { ...query, paging: { ...filter, cursor } }, keys })
    expect(rest.rows.map(({ id }) => id)).toEqual(['cus_3', 'cus_4'])
    expect(rest.nextCursor).toBeNull()
  }))

async function conversationsFound(store: TenantStore, search: string) {
  const { rows, total } = await store.conversations.list({ page: 1, limit: 5, sort: 'createdAt', search })
  return { ids: rows.map(({ _id }) => _id), total }
}

test('a conversation with more matching messages than are counted hides no other one', () =>
  withReader(async ({ store }) => {
    await add(store, 'customers', [{}])
    await add(store, 'conversations', [{ _id: 'con_long' }, { _id: 'con_short' }])
    const long = Array.from({ length: 10_003 }, (_, index) => ({
      _id: `msg_${index}`,
      conversationId: 'con_long',
      content: 'a zebra',
    }))
    await add(store, 'messages', long)
    await add(store, 'messages', [{ _id: 'msg_last', conversationId: 'con_short', content: 'a zebra' }])
    const { ids, total } = await conversationsFound(store, 'zebra')
    expect([ids.toSorted(), total]).toEqual([['con_long', 'con_short'], 2])
  }))

test('only matches that are spread over all rows are taken for too many to count', () =>
  withReader(async ({ store, reader }) => {
    const rows = 15_000
    await add(
      store,
      'customers',
      Array.from({ length: rows }, (_, index) => ({
        _id: `cus_${index}`,
        profile: {
          firstName: 'Common',
          lastName: index % 4 === 0 ? 'Seldom' : null,
          email: null,
          phone: null,
          company: index < rows / 3 ? 'Imported' : null,
        },
      })),
    )
    const statistics = createStatistics(reader, { table: 'customers', indexTable: 'customer_search' })(
      'ten_1',
    )
    const isMany = (search: string) => {
      const filter = { search, sort: 'createdAt', page: 1, limit: 2 } as const
      const query = kindSearch('customers', filter, false) as SearchQuery
      const plan = planSearch(query.terms, statistics)
      return estimateMatches(reader, 'ten_1', { query, plan }).isMany
    }
    expect(['common', 'imported', 'seldom', 'nothing'].map(isMany)).toEqual([true, false, false, false])
  }))
