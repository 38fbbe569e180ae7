import { noEmailSettings } from '@crmkit/core'
import { describe, expect, test } from 'vitest'
import type { Write } from '../../../src/ports/change.ts'
import type { Storage, TenantStore } from '../../../src/ports/storage.ts'
import { UniqueConflict, VersionConflict } from '../../../src/storage/errors.ts'
import type { Order } from '../../../src/storage/kinds/define-kind.ts'
import {
  isListed,
  ownedKinds,
  ownersOf,
  rulesOf,
  storedKinds,
  tenantKinds,
} from '../../../src/storage/kinds/derive.ts'
import { type Kind, kinds, type ListedKind, type OwnedKind } from '../../../src/storage/kinds/registry.ts'
import type { PageOf, Paging, RowsOf } from '../../../src/storage/pages.ts'
import type { Document, TenantId } from '../../../src/storage/records.ts'
import { fileOfKind } from './derived-row.contract.ts'
import { type Harness, type Open, rejection, useFreshStorage, useSharedStorage } from './harness.contract.ts'
import { type FilterCase, filterCases, neededCase } from './list-cases.contract.ts'
import { readEverything } from './read-everything.contract.ts'
import { at, insertOf, sample } from './samples.contract.ts'

/* Every guarantee that follows from a declaration, for every declared kind: a new kind needs no test here. */

type Row = Document & { _id: string }
interface KindStore {
  find(id: string): Promise<Row | undefined>
  findAll(ids: readonly string[]): Promise<Row[]>
  list(filter: Paging & Record<string, unknown>): Promise<PageOf<Row>>
  listRows(filter: Paging & Record<string, unknown>): Promise<RowsOf<Row>>
}

export function storeOf(store: TenantStore, kind: Kind): KindStore {
  return (store as unknown as Readonly<Record<string, KindStore>>)[kind] as KindStore
}

async function foundOneByOne(store: KindStore, ids: readonly string[]) {
  const found = await Promise.all(ids.map((id) => store.find(id)))
  return new Set(found.filter((row) => row !== undefined))
}

function sampleRow(kind: Kind, tenantId: TenantId, fields: object = {}): Row {
  return sample[kind](tenantId, fields as never) as unknown as Row
}

type AnyWrite = Parameters<Storage['system']['commit']>[1]['writes'][number]

/** Also accepts kinds that no handler of a tenant may write. */
async function insert(storage: Storage, kind: Kind, tenantId: TenantId, rows: readonly Row[]): Promise<void> {
  const writes = rows.map((row) => insertOf(kind, row as never) as unknown as AnyWrite)
  await storage.system.commit(tenantId, { writes, events: [] })
}

function without<T extends object>(row: T, names: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))) as Partial<T>
}

/** The same row with as little in it as its declaration allows. */
function emptied(kind: Kind, row: Row): Row {
  const fields = Object.entries(kinds[kind].fields)
  const absent = fields.filter(([, { isOptional }]) => isOptional).map(([name]) => name)
  const empty = fields.filter(([, { isNullable, type, isOptional }]) => {
    return isNullable && type !== 'json' && !isOptional
  })
  return { ...(without(row, absent) as Row), ...Object.fromEntries(empty.map(([name]) => [name, null])) }
}

function describeRows(open: Open): void {
  describe('rows of each declared kind', () => {
    const harness = useSharedStorage(open)

    test.each(tenantKinds)('%s: every field comes back as it was stored, with version 1', async (kind) => {
      const { id, store } = harness.newTenant()
      const row = sampleRow(kind, id, { _id: `ключ/${kind}:"';--%_\\ 🔑` })
      await insert(harness.storage, kind, id, [row])
      expect(await storeOf(store, kind).find(row._id)).toStrictEqual({ ...row, version: 1 })
      expect(await storeOf(store, kind).find(`${row._id} `)).toBeUndefined()
      const ids = [row._id, `${row._id} `, row._id]
      expect(await storeOf(store, kind).findAll(ids)).toStrictEqual([{ ...row, version: 1 }])
      expect(await storeOf(store, kind).findAll([])).toEqual([])
    })

    test.each(tenantKinds)('%s: fields that are null or absent come back null or absent', async (kind) => {
      const { id, store } = harness.newTenant()
      const row = emptied(kind, sampleRow(kind, id))
      await insert(harness.storage, kind, id, [row])
      expect(await storeOf(store, kind).find(row._id)).toStrictEqual({ ...row, version: 1 })
    })

    test.each(tenantKinds)(
      '%s: an update replaces the fields and raises the version by one',
      async (kind) => {
        const { id, store } = harness.newTenant()
        const [row, other] = [sampleRow(kind, id), sampleRow(kind, id)]
        await insert(harness.storage, kind, id, [row])
        const set = without(other, ['_id', 'tenantId'])
        const update = { op: 'update', kind, id: row._id, expectVersion: 1, set } as never
        await store.commit({ writes: [update], events: [] })
        const after = { ...row, ...set, version: 2 }
        expect(await storeOf(store, kind).find(row._id)).toStrictEqual(after)
        const error = await rejection(store.commit({ writes: [update], events: [] }))
        expect(error).toBeInstanceOf(VersionConflict)
        expect(error).toMatchObject({ kind })
        expect(await storeOf(store, kind).find(row._id)).toStrictEqual(after)
      },
    )

    test.each(tenantKinds)(
      '%s: a row is removed at the version that was read, and its id can be used again',
      async (kind) => {
        const { id, store } = harness.newTenant()
        const row = sampleRow(kind, id)
        // The compiler compares at most 25 kinds one by one.
        const removal = (expectVersion: number) => {
          const write = { op: 'remove', kind, id: row._id, expectVersion } as Write
          return { writes: [write], events: [] }
        }
        await insert(harness.storage, kind, id, [row])
        await store.commit(removal(1))
        expect(await storeOf(store, kind).find(row._id)).toBeUndefined()
        const error = await rejection(store.commit(removal(1)))
        expect(error).toBeInstanceOf(VersionConflict)
        expect(error).toMatchObject({ kind, row: { op: 'remove', id: row._id, version: null } })
        await insert(harness.storage, kind, id, [row])
        const stale = await rejection(store.commit(removal(2)))
        expect(stale).toMatchObject({ name: 'VersionConflict', kind, row: { op: 'remove', version: 1 } })
        expect(await storeOf(store, kind).find(row._id)).toMatchObject({ version: 1 })
      },
    )
  })
}

interface UniqueCase {
  kind: Kind
  key: string
  columns: readonly string[]
  /** Whether rows of other tenants have to differ too. */
  isOfServer: boolean
}

/** A row that shares only these columns with another one. */
function rival(kind: Kind, tenantId: TenantId, { columns }: UniqueCase, row: Row): Row {
  const isField = columns.every((column) => column in kinds[kind].fields)
  const shared = Object.fromEntries(columns.map((column) => [column, row[column]]))
  const other = sampleRow(kind, tenantId)
  const sources = sourcesOf[columns[0] ?? '']
  if (sources) return { ...other, ...Object.fromEntries(sources.map((field) => [field, row[field]])) }
  return isField ? { ...other, ...shared } : { ...row, _id: other._id, tenantId }
}

/** The fields that a computed value is made of, where a copy of the whole row would share other unique values too. */
const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  provenAddress: ['email'],
  inboundToken: ['inboundTokenHash'],
  previousInboundToken: ['previousInboundTokenHash'],
  threadKey: ['conversationId', 'rfcMessageId', 'status', 'duplicateOf'],
}

/** Fields of a row that has a computed value. Most samples have one anyway. */
const withValue: Readonly<Record<string, object>> = {
  openDeletion: { type: 'deletion', status: 'pending' },
  activeOf: { status: 'queued' },
  // Without a widget, so that the address is the only value that two rows share.
  provenAddress: {
    widget: { enabled: false, publicKey: null },
    email: { ...noEmailSettings, address: 'help@example.com', domainProvenAt: '2026-01-01T00:00:00.000Z' },
  },
  inboundToken: { inboundTokenHash: 'the same hash' },
  previousInboundToken: { previousInboundTokenHash: 'the same hash' },
  threadKey: {
    status: 'processed',
    conversationId: 'con_same',
    rfcMessageId: 'the-same@example.com',
    duplicateOf: null,
  },
}

/** Rows without a value do not conflict. */
function withoutNulls({ key, columns }: UniqueCase, row: Row): object {
  if (withValue[key]) return withValue[key]
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? 'the same value']))
}

const uniqueCases = storedKinds.flatMap((kind): UniqueCase[] => {
  const { unique, acrossTenants, owner } = rulesOf(kind)
  const isOfServer = owner === 'server'
  return [
    { kind, key: 'id', columns: ['_id'], isOfServer },
    ...Object.entries(unique ?? {}).map(([key, columns]) => ({ kind, key, columns, isOfServer })),
    ...Object.values(acrossTenants ?? {}).flatMap(({ columns, isUnique }) =>
      isUnique ? [{ kind, key: columns[0] ?? '', columns, isOfServer: true }] : [],
    ),
  ]
})

function describeUniqueKeys(open: Open): void {
  describe('unique keys of each declared kind', () => {
    const harness = useSharedStorage(open)

    test.each(uniqueCases)(
      '$kind: a second row with the same $key is refused by that name',
      async (unique) => {
        const { kind, key, isOfServer } = unique
        const [own, other] = [harness.newTenant().id, harness.newTenant().id]
        const sampled = sampleRow(kind, own)
        const row = { ...sampled, ...withoutNulls(unique, sampled) }
        await insert(harness.storage, kind, own, [row])
        const error = await rejection(insert(harness.storage, kind, own, [rival(kind, own, unique, row)]))
        expect(error).toBeInstanceOf(UniqueConflict)
        expect(error).toMatchObject({ name: 'UniqueConflict', kind, key })
        if (kind === 'tenants') return // The id of a tenant row is the tenant.
        const elsewhere = insert(harness.storage, kind, other, [rival(kind, other, unique, row)])
        if (isOfServer) expect(await rejection(elsewhere)).toMatchObject({ kind, key })
        else await elsewhere
      },
    )
  })
}

const listedKinds = storedKinds.filter(isListed)
const orders = listedKinds.flatMap((kind) =>
  Object.entries(rulesOf(kind).list?.orders ?? {}).map(([sort, order]) => ({ kind, sort, order })),
)

/** Values that occur several times, so that only the id makes the order stable. */
function withTies(kind: ListedKind, column: string, index: number): object {
  const { ranges } = rulesOf(kind).list ?? {}
  const divided = ranges ? { [ranges.by]: ranges.values[index % ranges.values.length] } : {}
  const fields: Readonly<Record<string, { type: string } | undefined>> = kinds[kind].fields
  // No two rows share a unique value.
  const isUnique = Object.values(rulesOf(kind).unique ?? {}).some((columns) => columns.includes(column))
  const tie = isUnique ? index : index % 4
  switch (fields[column]?.type) {
    case 'moment':
      return { ...divided, [column]: at(tie) }
    case 'number':
      return { ...divided, [column]: tie }
    case 'text':
      return { ...divided, [column]: `value ${tie}` }
    default:
      return divided
  }
}

function sortedIds(kind: Kind, { by, isDescending }: Order<string>, rows: readonly Row[]): string[] {
  const sortValue = (row: Row) => (rulesOf(kind).computed?.[by]?.of(row) ?? row[by]) as string | number
  const ascending = rows.toSorted((a, b) => {
    const [one, other] = [sortValue(a), sortValue(b)]
    if (one !== other) return one < other ? -1 : 1
    return a._id < b._id ? -1 : 1
  })
  return (isDescending ? ascending.toReversed() : ascending).map(({ _id }) => _id)
}

const first = { page: 1, limit: 100 }

function describeLists(open: Open): void {
  describe('lists of each declared kind', () => {
    const harness = useSharedStorage(open)

    test.each(orders)('$kind by $sort: pages and cursors give every row once, in its order', async (of) => {
      const { kind, sort, order } = of
      const { id, store } = harness.newTenant()
      const needed = neededCase(kind)
      const rows = Array.from({ length: 11 }, (_, index) =>
        sampleRow(kind, id, {
          ...needed?.hit,
          ...withTies(kind, order.by, index),
          _id: `${kind}_${(index * 7) % 11}`,
        }),
      )
      await insert(harness.storage, kind, id, rows)
      const asked = needed && { [needed.filter]: needed.asked(rows[0]!, rows[1]!) }
      const ids = await readEverything(async (paging) => {
        const page = await storeOf(store, kind).list({ ...paging, ...asked, sort })
        const uncounted = await storeOf(store, kind).listRows({ ...paging, ...asked, sort })
        expect(uncounted).toEqual({ rows: page.rows, nextCursor: page.nextCursor })
        return page
      }, 3)
      expect(ids).toEqual(sortedIds(kind, order, rows))
    })

    /** Stores one row that all of the filters find and, for each filter, one row that it alone does not find. */
    async function findsOnlyTheHit(kind: ListedKind, cases: readonly FilterCase[]): Promise<void> {
      const { id, store } = harness.newTenant()
      const needed = neededCase(kind)
      const isNeeded = cases.every(({ filter }) => !rulesOf(kind).list?.needsOneOf?.includes(filter))
      const all = needed && isNeeded ? [needed, ...cases] : cases
      const hits = Object.assign({}, ...all.map(({ hit }) => hit))
      const hit = sampleRow(kind, id, { ...hits, _id: 'hit' })
      const misses = cases.map(({ filter, miss }) =>
        sampleRow(kind, id, { ...hits, ...miss, _id: `not by ${filter}` }),
      )
      await insert(harness.storage, kind, id, [hit, ...misses])
      const asked = Object.fromEntries(
        all.map(({ filter, asked: ask }, index) => [filter, ask(hit, misses[index] ?? hit)]),
      )
      for (const sort of Object.keys(rulesOf(kind).list?.orders ?? {})) {
        const { rows, total } = await storeOf(store, kind).list({ ...first, ...asked, sort })
        const message = `${kind} by ${sort}, ${JSON.stringify(asked)}, as ${fileOfKind(kind)} declares it`
        expect({ ids: rows.map(({ _id }) => _id), total }, message).toEqual({ ids: ['hit'], total: 1 })
        const uncounted = await storeOf(store, kind).listRows({ ...first, ...asked, sort })
        expect(uncounted, message).toEqual({ rows, nextCursor: null })
      }
    }

    const single = listedKinds.flatMap((kind) =>
      filterCases(kind).map((one) => ({ kind, filter: one.filter, one })),
    )
    test.each(single)('$kind by the filter $filter, in every order, shows what it names', ({ kind, one }) =>
      findsOnlyTheHit(kind, [one]),
    )

    const paired = listedKinds.flatMap((kind) => {
      const pairs = filterPairs(kind)
      return pairs.length > 0 ? [{ kind, pairs }] : []
    })
    test.each(paired)('$kind: two filters together show what both name', async ({ kind, pairs }) => {
      for (const pair of pairs) await findsOnlyTheHit(kind, pair)
    })
  })
}

/** Each two filters of a kind that can name the same row and different others. */
function filterPairs(kind: ListedKind) {
  // No two rows have the same unique value, so a second filter has nothing to leave out.
  const cases = filterCases(kind).filter(({ hit }) => !isUniqueAlone(kind, Object.keys(hit)))
  return cases.flatMap((one, index) =>
    cases.slice(index + 1).flatMap((other) => {
      const isSameColumn = Object.keys(one.hit).some((name) => name in other.hit)
      return one.filter !== other.filter && !isSameColumn ? [[one, other]] : []
    }),
  )
}

function isUniqueAlone(kind: ListedKind, columns: readonly string[]): boolean {
  const keys = Object.values(rulesOf(kind).unique ?? {})
  return keys.some((key) => key.length === 1 && columns.includes(key[0] ?? ''))
}

const endingKinds = storedKinds.filter((kind) => rulesOf(kind).retention !== 'permanent')

function describeRetention(open: Open): void {
  describe('the retention of each declared kind', () => {
    const harness = useFreshStorage(open)

    test.each(endingKinds)('%s: a row is removed once its time is over, and not before', async (kind) => {
      const { id } = harness.newTenant()
      const moments = (moment: string) =>
        Object.fromEntries(
          Object.entries(kinds[kind].fields).flatMap(([name, { type }]) =>
            type === 'moment' ? [[name, moment]] : [],
          ),
        )
      await insert(harness.storage, kind, id, [
        sampleRow(kind, id, { ...moments(at(10)), _id: 'old' }),
        sampleRow(kind, id, { ...moments(at(1_000)), _id: 'new' }),
      ])
      const sweep = (seconds: number) =>
        harness.storage.system.removeExpired({ now: at(seconds), logsBefore: at(0), limit: 100 })
      expect(await sweep(9)).toBe(0)
      expect(await sweep(500)).toBe(1)
      expect(await sweep(500)).toBe(0)
      expect(await sweep(1_001)).toBe(1)
    })
  })
}

/** Fields of a row whose owner is derived from it. */
const ownedBy: Readonly<Record<string, (ownerId: string) => object>> = {
  'messages.customers': (_id) => ({ sender: { type: 'customer', _id, name: null } }),
}

function fieldsOfOwned(kind: OwnedKind, owner: Kind, ownerId: string): object {
  const column = Object.fromEntries(ownersOf(kind))[owner] ?? ''
  const own = ownedBy[`${kind}.${owner}`]
  if (own) return own(ownerId)
  if (column in kinds[kind].fields) return { [column]: ownerId }
  throw new TypeError(
    `${kind} belongs to ${owner} by ${column}, which is computed (${fileOfKind(kind)}): say in ` +
      'packages/server/test/contracts/storage/kinds.contract.ts which fields make a row belong to an owner',
  )
}

/** Returns the path from a kind that can be erased down to this one, through its owners. */
function lineOf(kind: Kind, below: readonly Kind[] = []): Kind[] {
  const line = [kind, ...below]
  if (rulesOf(kind).erasure.rows === 'deleted' && 'task' in rulesOf(kind).erasure) return line
  const [above] = ownersOf(kind)
  if (!above) throw new TypeError(`${fileOfKind(kind)}: no owner of ${kind} can be erased`)
  return lineOf(above[0], line)
}

const ownerships = ownedKinds
  .filter((kind) => rulesOf(kind).erasure.rows === 'deleted')
  .flatMap((kind) => ownersOf(kind).map(([owner]) => ({ kind, owner })))

/** The owners that a row names and that have owners themselves: without them it counts as erased. */
export function ownersNamedBy(kind: Kind, row: Document): { kind: Kind; id: string }[] {
  return ownersOf(kind).flatMap(([owner, column]) => {
    const id = row[column]
    return typeof id === 'string' && ownersOf(owner).length > 0 ? [{ kind: owner, id }] : []
  })
}

/** Inserts these owners and the owners that they name, where they are missing. */
async function insertOwners(
  storage: Harness['storage'],
  tenantId: TenantId,
  owners: readonly { kind: Kind; id: string }[],
): Promise<void> {
  for (const { kind, id } of owners) {
    if (await storeOf(storage.forTenant(tenantId), kind).find(id)) continue
    const row = sampleRow(kind, tenantId, { _id: id })
    await insertOwners(storage, tenantId, ownersNamedBy(kind, row))
    await insert(storage, kind, tenantId, [row])
  }
}

async function insertLine({ storage }: Harness, tenantId: TenantId, line: readonly Kind[], mark: string) {
  for (const [index, kind] of line.entries()) {
    const owner = line[index - 1]
    const fields = owner ? fieldsOfOwned(kind as OwnedKind, owner, `${mark}_${owner}`) : {}
    const row = sampleRow(kind, tenantId, { ...fields, _id: `${mark}_${kind}` })
    const others = ownersNamedBy(kind, row).filter((other) => other.kind !== owner)
    await insertOwners(storage, tenantId, others)
    await insert(storage, kind, tenantId, [row])
  }
}

function describeOwners(open: Open): void {
  describe('rows that belong to an owner', () => {
    const harness = useSharedStorage(open)

    test.each(ownerships)('$kind are erased with their $owner, and others stay', async ({ kind, owner }) => {
      const { id, store } = harness.newTenant()
      const line = lineOf(owner, [kind])
      await insertLine(harness, id, line, 'gone')
      await insertLine(harness, id, line, 'kept')
      const subject = { kind: line[0], id: `gone_${line[0]}`, at: at(900) } as never
      await store.commit({ writes: [{ op: 'erase', ...(subject as object) } as never], events: [] })
      const ids = [`gone_${kind}`, `kept_${kind}`]
      const hidden = await storeOf(store, kind).findAll(ids)
      expect(new Set(hidden)).toEqual(await foundOneByOne(storeOf(store, kind), ids))
      while ((await store.eraseNext({ ...(subject as object), limit: 10 } as never)) > 0);
      const { erasure } = rulesOf(kind)
      const leftover = 'leftover' in erasure ? erasure.leftover?.(at(900)) : undefined
      const found = await storeOf(store, kind).find(`gone_${kind}`)
      if (leftover) expect(found).toMatchObject(leftover)
      else expect(found).toBeUndefined()
      expect(await storeOf(store, kind).find(`kept_${kind}`)).toMatchObject({ version: 1 })
    })
  })
}

/** Tests the guarantees that follow from the declarations. */
export function describeKinds(open: Open): void {
  describeRows(open)
  describeUniqueKeys(open)
  describeLists(open)
  describeRetention(open)
  describeOwners(open)
}
