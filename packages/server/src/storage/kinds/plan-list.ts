import { foldLabel } from '@crmkit/core/vocabulary'
import { type CursorRule, isMomentValue } from '../cursor.ts'
import { cutPaging } from '../cut-lists.ts'
import type { Paging } from '../pages.ts'
import { type SearchTerm, searchTerms } from '../search-text.ts'
import type { Filter, ListRules } from './define-kind.ts'
import { defaultOrderOf, rulesOf } from './derive.ts'
import type { Field } from './fields.ts'
import { kinds, type ListedKind } from './registry.ts'

/** A condition on one column, joined to the others by AND. */
export type ColumnCondition =
  /** Null finds rows without a value. */
  | { readonly column: string; readonly equals: string | boolean | null }
  | { readonly column: string; readonly since: string | number }
  | { readonly column: string; readonly until: string }
  | { readonly column: string; readonly below: number }
  | { readonly column: 'id'; readonly oneOf: readonly string[] }

/** A list as it was requested, in the names of its declaration; each adapter turns it into a query. */
export interface ListPlan {
  readonly kind: ListedKind
  readonly order: CursorRule & {
    readonly by: string
    readonly isDescending: boolean
    /** Whether the ranges divide this order, which is not the default one, and after which columns an index has it so. */
    readonly isDividedToo: boolean
    readonly dividedWith: readonly string[]
  }
  readonly conditions: readonly ColumnCondition[]
  /** The values of the column that divides the list, all of them when no filter names some. */
  readonly ranges: { readonly column: string; readonly values: readonly string[] } | undefined
  /** Whether the ranges have to be merged: the list is in the order that they divide. */
  readonly isDivided: boolean
  /** Whether a filter chose the ranges. */
  readonly hasChosenRanges: boolean
  /** Folded; the row carries all of them. */
  readonly labels: readonly string[]
  readonly terms: readonly SearchTerm[]
  /** With no more rows than a page may have. */
  readonly paging: Paging
  /** Whether one range of an index holds the list, so that reading a page of it is short. */
  readonly isOneRange: boolean
}

type Values = Readonly<Record<string, unknown>>

function rulesOfList(kind: ListedKind): ListRules<string> {
  const { list } = rulesOf(kind)
  if (!list) throw new TypeError(`${kind} has no list`)
  return list
}

function orderOf(kind: ListedKind, list: ListRules<string>, sort: unknown): ListPlan['order'] {
  const names = Object.keys(list.orders)
  const name = typeof sort === 'string' ? sort : (names[0] ?? '')
  const order = list.orders[name]
  if (!order) throw new TypeError(`${kind} has no order ${name}`)
  const { by, isDescending, dividedWith } = order
  return {
    dividedWith: Object.values(dividedWith ?? {}),
    isDividedToo: dividedWith !== undefined,
    list: names.length > 1 ? `${kind}:${name}` : kind,
    by,
    isDescending,
    isValue: valueCheck(kind, by),
  }
}

/** Returns a check of the values of a column that a cursor may hold. */
function valueCheck(kind: ListedKind, column: string): CursorRule['isValue'] {
  const fields: Readonly<Record<string, Field<unknown>>> = kinds[kind].fields
  const type = fields[column]?.type ?? rulesOf(kind).computed?.[column]?.type
  if (type === 'moment') return isMomentValue
  return type === 'number' ? Number.isInteger : (value) => typeof value === 'string'
}

function conditionOf(filter: Filter<string>, value: unknown): ColumnCondition[] {
  if ('since' in filter) return [{ column: filter.since, since: String(value) }]
  if ('until' in filter) return [{ column: filter.until, until: String(value) }]
  if ('splits' in filter)
    return [
      value === true
        ? { column: filter.splits, below: filter.at }
        : { column: filter.splits, since: filter.at },
    ]
  if ('ids' in filter) return [{ column: 'id', oneOf: [...new Set(value as readonly string[])] }]
  if (!('matches' in filter)) return []
  const equals = value === filter.none ? null : (value as string | boolean)
  return [{ column: filter.matches, equals }]
}

type NamedFilter = readonly [string, Filter<string>]
const filtersOfLists = new Map<ListRules<string>, readonly NamedFilter[]>()

function filtersOf(list: ListRules<string>): readonly NamedFilter[] {
  const known = filtersOfLists.get(list)
  if (known) return known
  const filters = Object.entries(list.filters ?? {})
  filtersOfLists.set(list, filters)
  return filters
}

function isSet(filter: Filter<string>, value: unknown): boolean {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return false
  return !('searches' in filter && typeof value === 'string' && value.trim() === '')
}

/** The filters that were set, each with its value. */
function setFilters(list: ListRules<string>, values: Values): [Filter<string>, unknown][] {
  const set: [Filter<string>, unknown][] = []
  for (const [name, filter] of filtersOf(list))
    if (isSet(filter, values[name])) set.push([filter, values[name]])
  return set
}

export function planList(kind: ListedKind, asked: object & Paging): ListPlan {
  const list = rulesOfList(kind)
  const values = asked as unknown as Values
  const set = setFilters(list, values)
  if (list.needsOneOf && !list.needsOneOf.some((name) => values[name] !== undefined)) {
    throw new TypeError(`${kind}: one of the filters ${list.needsOneOf.join(', ')} has to be set`)
  }
  const order = orderOf(kind, list, values['sort'])
  const isDefaultOrder = order.by === defaultOrderOf(list).by
  // The labels of a row are sorted in the default order alone.
  const isDivided = isDefaultOrder || (order.isDividedToo && !set.some(([filter]) => 'labels' in filter))
  const chosen = chosenRanges(set)
  const labels = set.flatMap(([filter, value]) => ('labels' in filter ? [value].flat().map(String) : []))
  const terms = set.flatMap(([filter, value]) => ('searches' in filter ? searchTerms(String(value)) : []))
  const ranges = chosen ?? (list.ranges && { column: list.ranges.by, values: list.ranges.values })
  return {
    kind,
    order,
    conditions: set.flatMap(([filter, value]) => conditionOf(filter, value)),
    ranges: ranges && (chosen !== undefined || isDivided) ? ranges : undefined,
    isDivided: ranges !== undefined && isDivided,
    hasChosenRanges: chosen !== undefined,
    labels: labels.map(foldLabel),
    terms,
    paging: cutPaging(kind, asked),
    isOneRange: isOneRange(set, {
      order: order.by,
      isDefaultOrder,
      dividedWith: isDivided ? order.dividedWith : [],
    }),
  }
}

/** Returns the ranges that a filter leaves out, where they are known and fewer than the chosen ones; none where they are not. */
export function fewerRanges({ kind, ranges, hasChosenRanges }: ListPlan): readonly string[] {
  const all = rulesOfList(kind).ranges?.values ?? []
  const chosen = ranges?.values ?? []
  // Each row has one of the declared values, unless the list names only some of them.
  if (!hasChosenRanges || !chosen.every((value) => all.includes(value))) return []
  const others = all.filter((value) => !chosen.includes(value))
  return others.length < chosen.length ? others : []
}

/** The values that a filter has chosen, each of which is a range of an index; their rows are merged. */
function chosenRanges(set: readonly (readonly [Filter<string>, unknown])[]): ListPlan['ranges'] {
  for (const [filter, value] of set)
    if ('oneOf' in filter) return { column: filter.oneOf, values: [...new Set(value as readonly string[])] }
  return undefined
}

function isOneRange(
  set: readonly (readonly [Filter<string>, unknown])[],
  {
    order,
    isDefaultOrder,
    dividedWith,
  }: { order: string; isDefaultOrder: boolean; dividedWith: readonly string[] },
): boolean {
  if (set.length === 0) return true
  if (!isDefaultOrder && dividedWith.length === 0) return false
  const isSimple = set.every(([filter, value]) => {
    if ('searches' in filter || 'ids' in filter) return false
    if ('splits' in filter) return filter.splits === order
    if ('until' in filter) return filter.until === order
    if ('since' in filter) return filter.since === order
    if (!isDefaultOrder && 'matches' in filter) return dividedWith.includes(filter.matches)
    return !('labels' in filter) || ![value].flat()[1]
  })
  const labelled = set.some(([filter]) => 'labels' in filter)
  const chosen = set.some(([filter]) => 'oneOf' in filter)
  return isSimple && (set.length === 1 || (set.length === 2 && chosen && !labelled))
}
