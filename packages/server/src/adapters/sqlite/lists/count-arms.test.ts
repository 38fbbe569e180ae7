import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { add } from '../../../../test/contracts/storage/samples.contract.ts'
import { isListed, rulesOf, storedKinds } from '../../../storage/kinds/derive.ts'
import { planList } from '../../../storage/kinds/plan-list.ts'
import type { ListedKind } from '../../../storage/kinds/registry.ts'
import type { TenantId } from '../../../storage/records.ts'
import { migrateDatabase } from '../connection/migrate.ts'
import { createSql, type SqlValue, withStablePlan } from '../connection/sql.ts'
import { generatedColumns } from '../rows/kinds.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'
import { countArms } from './count-arms.ts'
import { type Arm, countList } from './list-query.ts'

const paging = { page: 1, limit: 10 }

/** SQLite reads the row of a column that it computes, although the index has its value. */
function isComputed(step: string): boolean {
  return generatedColumns.some((name) => step.includes(`${name.split('.')[1]}=?`))
}

/** The filters of a kind that an index finds, each with a value. */
function filtersOf(kind: ListedKind): [string, unknown][] {
  const { list } = rulesOf(kind)
  return Object.entries(list?.filters ?? {}).flatMap(([name, filter]): [string, unknown][] => {
    if ('matches' in filter) return filter.onlySet ? [] : [[name, 'x']]
    if ('oneOf' in filter) return [[name, list?.ranges?.values.slice(0, 1) ?? ['x']]]
    return 'labels' in filter ? [[name, filter.labels === 'one' ? 'x' : ['x']]] : []
  })
}

const pairs = storedKinds.filter(isListed).flatMap((kind) => {
  const filters = filtersOf(kind)
  const { needsOneOf } = rulesOf(kind).list ?? {}
  return filters.flatMap((first, index) =>
    filters.slice(index + 1).flatMap((second) => {
      // Such a pair is no list: another filter has to be set.
      if (needsOneOf && ![first, second].some(([name]) => needsOneOf.includes(name))) return []
      const plan = planList(kind, { ...paging, ...Object.fromEntries([first, second]) })
      const arms = countArms(plan, false)
      return arms.length > 0 ? [{ kind, names: `${first[0]} and ${second[0]}`, arms }] : []
    }),
  )
})

describe('the way that several filters are counted', () => {
  let db: Database.Database
  beforeAll(() => {
    db = new Database(':memory:')
    migrateDatabase(db)
  })
  afterAll(() => {
    db.close()
  })

  /** Returns the steps in which SQLite counts by this arm. */
  function stepsOf(arm: Arm): string[] {
    const steps: string[] = []
    const sql = createSql(db, 'reader')
    const tenant = (tenantId: string) => ({
      ...sql.tenant(tenantId),
      get: <T>(text: string, ...params: SqlValue[]) => {
        const found = db
          .prepare(`EXPLAIN QUERY PLAN ${withStablePlan(text)}`)
          .all(...params, { tenant: tenantId })
        steps.push(...(found as { detail: string }[]).map(({ detail }) => detail))
        return undefined as T | undefined
      },
    })
    // Of one way alone the length is not looked at.
    countList({ ...sql, tenant }, 'ten_1', { query: { arms: [], countedBy: [arm, arm] }, isCapped: true })
    return steps.filter((step) => step.startsWith('SEARCH') || step.startsWith('SCAN'))
  }

  test('pairs of filters are found, of customers and of conversations', () => {
    const found = pairs.map(({ kind, names }) => `${kind}: ${names}`)
    expect(found).toContain('customers: tier and status')
    expect(found).toContain('conversations: status and label')
    expect(found).toContain('conversations: assignedTo and label')
    // One index holds both.
    expect(found).not.toContain('conversations: status and assignedTo')
    // One row has the value.
    expect(found).not.toContain('calls: status and callSid')
  })

  test.each(pairs)('$kind by $names reads indexes and no row', ({ arms }) => {
    for (const arm of arms) {
      const steps = stepsOf(arm)
      expect(steps.length).toBeGreaterThan(arms.length)
      const readsRows = steps.filter(
        (step) => !/^SCAN \(subquery|USING COVERING INDEX|USING PRIMARY KEY/.test(step) && !isComputed(step),
      )
      expect(readsRows).toEqual([])
      const places = steps.filter((step) => / (o|l) /.test(step) && /AND id=\?\)$/.test(step))
      expect(places).toHaveLength(arm.where.filter(({ sql }) => sql.startsWith('EXISTS')).length)
    }
  })
})

test('tier and status of customers are counted in one walk of one index, without look-ups', () => {
  const plan = planList('customers', { ...paging, tier: 'gold', status: 'inactive' } as never)
  const conditions = countArms(plan, false).map(({ where }) => where.map(({ sql }) => sql))
  expect(conditions).toEqual([['l.status = ?'], ['l.tier = ?']])
})

describe('the total of several filters', () => {
  let folder: string
  let storage: Awaited<ReturnType<typeof openSqliteStorage>>
  const store = () => storage.forTenant('ten_1' as TenantId)
  const [tiers, statuses, tags] = [
    ['gold', 'silver'] as const,
    ['active', 'inactive'] as const,
    ['a', 'b', 'c'],
  ]
  const [states, agents] = [['open', 'closed'] as const, ['usr_1', null]]
  const moments = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'] as const
  const pick = <T>(values: readonly T[], index: number) => values[index % values.length] as T
  const customers = Array.from({ length: 60 }, (_, index) => ({
    _id: `cus_${index}`,
    tier: pick(tiers, index),
    status: pick(statuses, Math.floor(index / 2)),
    tags: [pick(tags, Math.floor(index / 4)), 'all'],
    // Many rows of one moment: their ids alone tell them apart.
    createdAt: pick(moments, Math.floor(index / 7)),
  }))
  const conversations = Array.from({ length: 60 }, (_, index) => ({
    _id: `con_${index}`,
    status: pick(states, index),
    assignedTo: pick(agents, Math.floor(index / 2)),
    labels: [pick(tags, Math.floor(index / 4))],
    updatedAt: pick(moments, Math.floor(index / 7)),
  }))
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'crmkit-counts-'))
    storage = await openSqliteStorage({ path: path.join(folder, 'crm.db') })
    await add(store(), 'customers', customers)
    await add(store(), 'conversations', conversations)
    const other = storage.forTenant('ten_2' as TenantId)
    await add(other, 'customers', [{ _id: 'cus_other', tier: 'gold', status: 'active', tags: ['a', 'all'] }])
  })
  afterAll(async () => {
    await storage.close()
    await rm(folder, { recursive: true })
  })

  test.each(tiers.flatMap((tier) => statuses.map((status) => ({ tier, status }))))(
    'of customers counts $tier and $status, also beside tags and in another order',
    async ({ tier, status }) => {
      const both = customers.filter((row) => row.tier === tier && row.status === status)
      // A page of one row does not show the total.
      const one = { page: 1, limit: 1 }
      expect((await store().customers.list({ tier, status, ...one })).total).toBe(both.length)
      expect((await store().customers.list({ tier, status, sort: 'lastName', ...one })).total).toBe(
        both.length,
      )
      const tagged = both.filter((row) => row.tags.includes('b'))
      const filter = { tier, status, tags: ['b', 'all'] }
      expect((await store().customers.list({ ...filter, ...one })).total).toBe(tagged.length)
    },
  )

  test.each(states)(
    'of %s conversations counts those with a label, and of one agent or of nobody',
    async (state) => {
      const one = { page: 1, limit: 1, label: 'a' }
      const labelled = conversations.filter((row) => row.labels.includes('a'))
      const ofState = labelled.filter((row) => row.status === state)
      const total = async (filter: object) => (await store().conversations.list({ ...one, ...filter })).total
      expect(await total({ status: [state] })).toBe(ofState.length)
      expect(await total({ status: [state], sort: 'createdAt' })).toBe(ofState.length)
      expect(await total({ assignedTo: 'none' })).toBe(
        labelled.filter((row) => row.assignedTo === null).length,
      )
      const mine = ofState.filter((row) => row.assignedTo === 'usr_1')
      expect(await total({ assignedTo: 'usr_1', status: [state] })).toBe(mine.length)
    },
  )
})
