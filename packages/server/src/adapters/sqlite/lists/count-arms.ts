import { isFoundByUnique, rulesOf } from '../../../storage/kinds/derive.ts'
import type { ListPlan } from '../../../storage/kinds/plan-list.ts'
import { snakeCase, tableOf } from '../rows/kinds.ts'
import { type Arm, type Condition, equals, isOneOf } from './list-query.ts'

/*
 * Several filters that no index begins with are counted by the indexes of each: one range is walked, and every other
 * filter is compared in the same index where it holds the column, or else its own index is asked whether it has the same place. All of them are in the list's default order and end with the id, so
 * a place is one look-up in a covering index; the rows themselves, many times larger and far apart, are not read.
 */

/** One range of an index, whose rows are ordered by `value` and `id`. */
interface Range {
  /** The table with its index, under this name. */
  from(name: string): string
  value: string
  /** The conditions on the columns by which the index begins, after the tenant. */
  where: Condition[]
  /** The filter, where it is the value of a column. */
  filter?: { column: string; condition: Condition[] }
  /** Columns of other filters that the index holds too. */
  alsoHolds: readonly string[]
}

/** Returns the range of each filter; undefined when a filter has no such index. */
function rangesOf(plan: ListPlan, column: (name: string) => string): Range[] | undefined {
  const { kind, labels } = plan
  const { list } = rulesOf(kind)
  const { table, labels: labelled } = tableOf(kind)
  const order = column(Object.values(list?.orders ?? {})[0]?.by ?? '')
  const filters = Object.entries(list?.filters ?? {})
  const divided = plan.ranges ?? (list?.ranges && { column: list.ranges.by, values: list.ranges.values })
  const inRanges = divided ? isOneOf(column(divided.column), divided.values) : []
  const rangeIn = (index: string, where: Condition[]): Range => ({
    from: (name) => `${table} AS ${name} INDEXED BY ${table}_by_${snakeCase(index)}`,
    value: order,
    where: [...where, ...inRanges],
    alsoHolds: [],
  })

  const found: (Range | undefined)[] = plan.conditions.map((condition) => {
    const filter = filters.find(([, one]) => 'matches' in one && one.matches === condition.column)
    // A page of ids is counted by its rows.
    if (!('equals' in condition)) return undefined
    if (!filter || !('matches' in filter[1]) || filter[1].onlySet) return undefined
    // One row has the value, and is read.
    if (isFoundByUnique(kind, filter[1].matches)) return undefined
    const { equals: value } = condition
    const stored = typeof value === 'boolean' ? Number(value) : (value ?? '')
    const matched = { column: column(condition.column), condition: equals(column(condition.column), stored) }
    return {
      ...rangeIn(filter[1].index ?? filter[0], matched.condition),
      filter: matched,
      alsoHolds: (filter[1].alsoHolds ?? []).map(column),
    }
  })
  const chosen = filters.find(([, one]) => 'oneOf' in one)
  // The indexes of the other filters begin with the ranges already.
  if (plan.hasChosenRanges && found.length === 0 && chosen) {
    const [name, filter] = chosen
    found.push(rangeIn(('oneOf' in filter && filter.index) || name, []))
  }
  const labelRanges = labels.map((label): Range | undefined => {
    if (!labelled) return undefined
    const { table: from } = labelled
    return {
      from: (name) => `${from} AS ${name}`,
      value: 'sorted_at',
      where: equals('label', label),
      alsoHolds: [],
    }
  })
  const all = [...labelRanges, ...found]
  return all.every((range) => range !== undefined) ? all : undefined
}

const bindsTenant = (name: string): Condition => ({ sql: `${name}.tenant_id = @tenant`, params: [] })
const named = (name: string, where: readonly Condition[]) =>
  where.map(({ sql, params }) => ({ sql: `${name}.${sql}`, params }))

/** Returns the condition that the range holds the place of `l`. */
function holdsPlace({ from, value, where }: Range, place: string): Condition {
  const conditions = [bindsTenant('o'), ...named('o', where)]
  const sql = conditions.map((condition) => condition.sql).join(' AND ')
  return {
    sql: `EXISTS (SELECT 1 FROM ${from('o')} WHERE ${sql} AND o.${value} = l.${place} AND o.id = l.id)`,
    params: conditions.flatMap(({ params }) => params),
  }
}

/** Returns the conditions that a row of the walked range, called `l`, has to meet to be in another range too. */
function isAlsoIn(walked: Range, other: Range): Condition[] {
  const { filter } = other
  if (filter && walked.alsoHolds.includes(filter.column)) return named('l', filter.condition)
  return [holdsPlace(other, walked.value)]
}

/**
 * Returns the ways to count a list by covering indexes, each walking the range of another filter; none when the list is
 * such a range itself, or a filter has no such index.
 */
export function countArms(plan: ListPlan, isErasing: boolean): Arm[] {
  const ranges = isErasing || plan.terms.length > 0 ? undefined : rangesOf(plan, snakeCase)
  // One range is the list itself, unless the list is in an order that its chosen ranges do not divide.
  const isListItself = plan.isDivided || !plan.hasChosenRanges
  if (ranges === undefined || ranges.length === 0 || (ranges.length === 1 && isListItself)) return []
  return ranges.map((range) => ({
    from: range.from('l'),
    keys: { n: 'l.n', value: `l.${range.value}`, id: 'l.id' },
    range: [bindsTenant('l'), ...named('l', range.where)],
    where: ranges.filter((one) => one !== range).flatMap((one) => isAlsoIn(range, one)),
  }))
}
