import { isOwned } from '../../../storage/kinds/derive.ts'
import {
  type ColumnCondition,
  fewerRanges,
  type ListPlan,
  planList,
} from '../../../storage/kinds/plan-list.ts'
import type { ListedKind } from '../../../storage/kinds/registry.ts'
import type { ConversationFilter } from '../../../storage/pages.ts'
import { notErased } from '../erasure/erasures.ts'
import { snakeCase, tableOf } from '../rows/kinds.ts'
import { textHasTerms } from '../search/search-conditions.ts'
import type { SearchQuery, SearchSource } from '../search/search-list.ts'
import type { SearchPlan } from '../search/search-query.ts'
import { conversationSources, conversationTextHasTerms, otherMatches } from './conversation-search.ts'
import { countArms } from './count-arms.ts'
import { hasLabels, labelArm } from './label-arms.ts'
import {
  type Arm,
  type Condition,
  equals,
  isOneOf,
  type ListQuery,
  type Order,
  type PagingFilter,
  since,
  tableArm,
} from './list-query.ts'

const recordColumns = 'r.id, r.version, r.doc'

function orderOf({ order }: ListPlan): Order {
  const { list, by, isDescending, isValue } = order
  return { list, column: snakeCase(by), isDescending, isValue }
}

function conditionOf(condition: ColumnCondition): Condition[] {
  const column = snakeCase(condition.column)
  if ('since' in condition) return since(column, condition.since)
  if ('until' in condition) return [{ sql: `${column} <= ?`, params: [condition.until] }]
  if ('below' in condition) return [{ sql: `${column} < ?`, params: [condition.below] }]
  if ('oneOf' in condition) return isOneOf(column, condition.oneOf)
  const { equals: value } = condition
  // A column that also finds rows without a value holds an empty text for them.
  return equals(column, typeof value === 'boolean' ? Number(value) : (value ?? ''))
}

/** Whether an index of the column would find the rows, but not in the order of another one. */
function isRange(rule: ColumnCondition): boolean {
  return 'since' in rule || 'until' in rule || 'below' in rule
}

/** Returns the conditions on columns, without the one that divides the list, and without labels and texts. */
function columnConditions({ kind, conditions }: ListPlan, isErasing: boolean): Condition[] {
  const hidden = isErasing && isOwned(kind) ? [notErased(kind)] : []
  return [...conditions.flatMap(conditionOf), ...hidden]
}

/** Returns the conditions on conversations, called by the alias, that a search finds whatever their texts are. */
function othersOf(filter: PagingFilter, alias: string): Condition[] {
  return otherMatches(filter as ConversationFilter, alias)
}

interface Shown {
  /** An erasure is unfinished, so rows of the list may be hidden. */
  isErasing: boolean
  /** One of these makes a row a match, whatever its texts are. */
  others: Condition[]
}

function textConditions({ kind, terms }: ListPlan, { isErasing, others }: Shown): Condition[] {
  if (terms.length === 0) return []
  return kind === 'conversations'
    ? conversationTextHasTerms({ terms, others }, isErasing)
    : textHasTerms('search_text', terms)
}

/** At most a page of rows is found by its ids and sorted: in the list's order SQLite would read all rows up to the last one. */
function armOfIds(table: string, order: Order, where: Condition[]): Arm {
  const arm = tableArm(table, order, { where })
  return { ...arm, keys: { ...arm.keys, value: `+${arm.keys.value}` } }
}

/** So many rows are passed over before the ranges that nobody chose are looked up once, in place of each row's own. */
const deepOffset = 200

/**
 * Returns the condition of the chosen ranges in an order that they do not divide. Its index lacks the column, so each row that a
 * page passes over would be read; on a deep page the index of the ranges is asked for the other rows, where these are the fewer.
 */
function inChosenRanges(plan: ListPlan): Condition[] {
  const { kind, hasChosenRanges, ranges, isDivided, paging } = plan
  if (!hasChosenRanges || !ranges) return []
  const column = snakeCase(ranges.column)
  const others = isDivided ? [] : fewerRanges(plan)
  const passed = paging.cursor === undefined ? (paging.page - 1) * paging.limit : 0
  if (passed < deepOffset || others.length === 0) return isOneOf(column, ranges.values)
  return isOneOf(column, others).map(({ sql, params }) => ({
    sql: `n NOT IN (SELECT n FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND ${sql})`,
    params,
  }))
}

/** Returns a range for each value, to be merged: one index serves the list with and without a filter on that column. */
function armsOf(plan: ListPlan, order: Order, shown: Shown): Arm[] {
  const { table, labels: labelled } = tableOf(plan.kind)
  const texts = textConditions(plan, shown)
  const where = [...columnConditions(plan, shown.isErasing), ...texts]
  const chosen = inChosenRanges(plan)
  if (plan.conditions.some((rule) => 'oneOf' in rule))
    return [
      armOfIds(table, order, [
        ...chosen,
        ...where,
        ...(labelled ? hasLabels(labelled.table, plan.labels, 'n') : []),
      ]),
    ]
  const isScanned = plan.isDivided && texts.length > 0
  if (labelled && plan.labels.length > 0 && !isScanned && (plan.isDivided || plan.ranges === undefined)) {
    const helper = { table, labelTable: labelled.table, sortedColumn: snakeCase(labelled.sortedBy) }
    return [labelArm(helper, { order, labels: plan.labels, where: [...where, ...chosen] })]
  }
  const labels = labelled ? hasLabels(labelled.table, plan.labels, 'n') : []
  if (!plan.isDivided || plan.ranges === undefined) {
    return [tableArm(table, order, { where: [...chosen, ...where, ...labels] })]
  }
  const column = snakeCase(plan.ranges.column)
  return plan.ranges.values.map((value) =>
    tableArm(table, order, { range: equals(column, value), where: [...where, ...labels] }),
  )
}

/** Returns the query of a list in its order; with a search, every row is compared. */
export function kindQuery(kind: ListedKind, filter: PagingFilter, isErasing: boolean): ListQuery {
  const plan = planList(kind, filter)
  const order = orderOf(plan)
  const { table } = tableOf(kind)
  const isSince = plan.conditions.some((rule) => isRange(rule) && rule.column !== plan.order.by)
  const hasIds = plan.conditions.some((rule) => 'oneOf' in rule)
  return {
    table,
    columns: recordColumns,
    order,
    arms: armsOf(plan, order, { isErasing, others: othersOf(filter, 'conversations') }),
    isSorted: isSince && !hasIds && plan.terms.length === 0,
    countedBy: countArms(plan, isErasing),
    paging: plan.paging,
  }
}

/** Returns the search sources of a kind. Starts of words and trigrams are in one index, so one look-up serves all terms. */
function sourcesOf(kind: ListedKind): (plan: SearchPlan) => SearchSource[] {
  const { table, search } = tableOf(kind)
  return ({ unsure }) => [
    {
      indexTable: search?.table ?? '',
      table,
      rows: `${table} AS m ON m.n = f.rowid AND m.tenant_id = @tenant`,
      where: textHasTerms('m.search_text', unsure),
      listId: null,
      share: { sql: '1', params: [] },
    },
  ]
}

/** Returns the same list by the search index; undefined without search terms. */
export function kindSearch(
  kind: ListedKind,
  filter: PagingFilter,
  isErasing: boolean,
): SearchQuery | undefined {
  const plan = planList(kind, filter)
  if (plan.terms.length === 0) return undefined
  const { table, labels } = tableOf(kind)
  const chosen =
    plan.hasChosenRanges && plan.ranges ? isOneOf(snakeCase(plan.ranges.column), plan.ranges.values) : []
  return {
    table,
    columns: recordColumns,
    order: orderOf(plan),
    where: [
      ...columnConditions(plan, isErasing),
      ...chosen,
      ...(labels ? hasLabels(labels.table, plan.labels, 't.n') : []),
    ],
    paging: plan.paging,
    terms: plan.terms,
    also: othersOf(filter, 't'),
    sources: kind === 'conversations' ? conversationSources(plan.terms, isErasing) : sourcesOf(kind),
    scanned: () => kindQuery(kind, filter, isErasing),
    filtered: () => kindQuery(kind, { ...filter, search: undefined } as PagingFilter, isErasing),
  }
}
