import { exactTotalMax } from '@crmkit/core/vocabulary'
import { decodeCursor, encodeCursor } from '../../../storage/cursor.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { SearchTerm } from '../../../storage/search-text.ts'
import type { CollectionAccess, StoredRow } from '../connection/access.ts'
import { type CollectionName, collections } from '../connection/collections.ts'
import { allOf, type Filter, trusted } from '../connection/filters.ts'
import { searchTexts } from '../search/search-texts.ts'

export interface Order {
  /** Identifies the list and its order in cursors. */
  list: string
  /** The sort field; rows with equal values are ordered by id. */
  field: string
  isDescending: boolean
  isValue(value: unknown): boolean
}

export interface PagingFilter {
  page: number
  limit: number
  cursor?: string | undefined
}

export interface ListQuery {
  collection: CollectionName
  order: Order
  where: Filter[]
  /** Terms that the rows' own text must hold. */
  terms?: readonly SearchTerm[]
  /** The field of a condition that most rows meet, so that no index is chosen for it. */
  nearlyAll?: string
  paging: PagingFilter
  /** The total is not shown, and is 0. */
  isUncounted?: boolean
}

export interface CountedPage {
  rows: StoredRow[]
  total: number
  totalIsEstimate: boolean
  nextCursor: string | null
}

/** Reads at most `limit` rows of a list in its order. */
export type ReadRows = (where: Filter[], options: { skip: number; limit: number }) => Promise<StoredRow[]>

interface Position {
  offset: number
  /** The conditions that a cursor adds to the filter. */
  after: Filter[]
}

/** Returns the conditions of the rows after a row. The range is a bound of the index; rows with its own value are skipped. */
export function isAfter(order: Order, { value, id }: { value: string | number; id: string }): Filter[] {
  const [within, passed] = order.isDescending ? (['$lte', '$gte'] as const) : (['$gte', '$lte'] as const)
  const isPassed = { [order.field]: value, id: trusted({ [passed]: id }) }
  return [{ [order.field]: trusted({ [within]: value }) }, { $nor: [isPassed] }]
}

function positionOf({ order, paging }: ListQuery): Position {
  if (paging.cursor === undefined) return { offset: (paging.page - 1) * paging.limit, after: [] }
  return { offset: 0, after: isAfter(order, decodeCursor(paging.cursor, order)) }
}

export function sortOf({ field, isDescending }: Order): Record<string, 1 | -1> {
  const direction = isDescending ? -1 : 1
  return { [field]: direction, id: direction }
}

export function sortValueOf(row: StoredRow, field: string): string | number {
  const [part, name] = field.split('.') as ['row' | 'keys', string]
  return row[part]?.[name] as string | number
}

function exact(total: number): Pick<CountedPage, 'total' | 'totalIsEstimate'> {
  return { total, totalIsEstimate: total > exactTotalMax }
}

/** Reads a page by `read`, and counts the rows unless the page itself shows the total. */
export async function readPage(
  query: ListQuery,
  { read, count }: { read: ReadRows; count: (limit: number) => Promise<number> },
): Promise<CountedPage> {
  const { order, where, paging } = query
  const { offset, after } = positionOf(query)
  const found = await read([...where, ...after], { skip: offset, limit: paging.limit + 1 })
  const hasMore = found.length > paging.limit
  const rows = hasMore ? found.slice(0, paging.limit) : found
  const last = rows.at(-1)
  const nextCursor =
    hasMore && last ? encodeCursor(order.list, { value: sortValueOf(last, order.field), id: last.id }) : null
  const isWhole = !hasMore && after.length === 0 && (rows.length > 0 || offset === 0)
  const total = isWhole ? offset + rows.length : await count(exactTotalMax + 1)
  return { rows, nextCursor, ...exact(total) }
}

/** Beyond it a page has an index of its own choice; see `servingIndex`. */
const deepOffset = 200

function isEqualTo(value: unknown): boolean {
  return typeof value !== 'object' || value === null || '$in' in value
}

/**
 * Returns the index that holds exactly the filter's fields, but one that most rows meet, and then the order. MongoDB finds it too, but plans a deep
 * page anew each time that shallow ones came before it, and tries every index for as long as the page is deep.
 */
export function servingIndex({ collection, order, where, nearlyAll }: ListQuery): string | undefined {
  const conditions = where
    .flatMap(Object.entries)
    .filter(([field]) => field !== order.field && field !== nearlyAll)
  if (!conditions.every(([, value]) => isEqualTo(value))) return undefined
  const wanted = new Set(conditions.map(([field]) => field))
  const found = Object.entries(collections[collection].indexes).find(([, { fields, only }]) => {
    // Behind the id come columns that are only counted.
    const [tenantId, ...others] = fields.slice(0, fields.indexOf('id') + 1)
    const filtered = others.slice(0, -2)
    const isOrdered = others.at(-2) === order.field
    const isFiltered = filtered.length === wanted.size && filtered.every((field) => wanted.has(field))
    return !only && tenantId === 'tenantId' && isOrdered && isFiltered
  })
  return found?.[0]
}

export type ListReader = (query: ListQuery) => Promise<CountedPage>

/** How long a list that was too long to count is not counted again. */
const longForMs = 10_000
const longListsMax = 100

/** Reads the lists of one tenant whose filters need only their own collection. */
export function createListReader(access: CollectionAccess): ListReader {
  const longUntil = new Map<string, number>()

  async function count({ collection }: ListQuery, where: Filter[], limit: number): Promise<number> {
    const key = JSON.stringify([collection, where])
    if ((longUntil.get(key) ?? 0) > Date.now()) return limit
    const total = await access.count(collection, allOf(where), limit)
    if (longUntil.size >= longListsMax) longUntil.clear()
    if (total >= limit) longUntil.set(key, Date.now() + longForMs)
    return total
  }

  return async (query) => {
    const { collection, order, terms } = query
    // Only kinds have texts.
    const texts = await searchTexts(access, collection as Kind, terms ?? [])
    const where = [...query.where, ...texts.where]
    return readPage(
      { ...query, where },
      {
        read: (conditions, options) => {
          const deepIndex = options.skip >= deepOffset ? servingIndex({ ...query, where }) : undefined
          const index = texts.hasFewRows ? 'search' : deepIndex
          const hint = index === undefined ? {} : { index }
          return access.find(collection, allOf(conditions), { sort: sortOf(order), ...options, ...hint })
        },
        count: async (limit) => (query.isUncounted ? 0 : count(query, where, limit)),
      },
    )
  }
}
