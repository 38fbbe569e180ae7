import type { Filter } from '../../src/storage/kinds/define-kind.ts'
import { isFoundByUnique, rulesOf } from '../../src/storage/kinds/derive.ts'
import type { ListedKind } from '../../src/storage/kinds/registry.ts'
import type { Document, TenantId } from '../../src/storage/records.ts'
import { fileOfKind } from '../contracts/storage/derived-row.contract.ts'
import { filterCases, neededCase } from '../contracts/storage/list-cases.contract.ts'
import { sample } from '../contracts/storage/samples.contract.ts'

/** One way to request a list, which an index has to serve. */
export interface AskedList {
  readonly kind: ListedKind
  readonly name: string
  readonly filter: { page: number; limit: number } & Record<string, unknown>
  /**
   * No index holds the rows since a moment, or those of some ids, in the order of another column: the rows are found, then
   * sorted. The one row with a unique value needs no order.
   */
  readonly isSortedByIndex: boolean
  /** The column of the filter, `labels` for labels: the index finds rows by it. Undefined for texts and moments. */
  readonly foundBy: string | undefined
}

const page = { page: 1, limit: 20 }

function columnOf(rule: Filter<string>): string | undefined {
  if ('matches' in rule) return rule.matches
  if ('oneOf' in rule) return rule.oneOf
  if ('ids' in rule) return 'id'
  return 'labels' in rule ? 'labels' : undefined
}

function isSorted(rule: Filter<string>, kind: ListedKind, orderedBy: string | undefined): boolean {
  if ('ids' in rule) return false
  if ('since' in rule) return rule.since === orderedBy
  if ('until' in rule) return rule.until === orderedBy
  if ('splits' in rule) return rule.splits === orderedBy
  return !('matches' in rule && isFoundByUnique(kind, rule.matches))
}

/** Returns the name of the order that a filter asks for; undefined for the default one. */
function sortOf(kind: ListedKind, rule: Filter<string> | undefined): string | undefined {
  const by = rule !== undefined && 'matches' in rule ? rule.sortedBy : undefined
  const orders = Object.entries(rulesOf(kind).list?.orders ?? {})
  return orders.find(([, order]) => order.by === by)?.[0]
}

/** Returns every order of a list without a filter, every filter in the default order, and in those that are divided with it. */
export function askedLists(kind: ListedKind): AskedList[] {
  const list = rulesOf(kind).list
  const [[first, order] = []] = Object.entries(list?.orders ?? {})
  const rows = filterCases(kind).map(({ hit, miss }) =>
    [hit, miss].map((fields) => sample[kind]('ten_1' as TenantId, fields as never) as unknown as Document),
  )
  const needed = neededCase(kind)
  const base = needed ? { [needed.filter]: needed.asked({} as Document, {} as Document) } : {}
  // A list that needs a filter has another order only with the filters that name it.
  const served = Object.entries(list?.orders ?? {}).filter(([, { by }]) => !needed || by === order?.by)
  const orders = served.map(([sort]) => {
    const name = `without a filter, by ${sort}`
    const foundBy = undefined
    return { kind, name, filter: { ...page, ...base, sort }, isSortedByIndex: true, foundBy }
  })
  const filters = filterCases(kind).map(({ filter, asked }, index) => {
    const [hit, miss] = rows[index] as [Document, Document]
    const rule = list?.filters?.[filter]
    const isNeeded = list?.needsOneOf?.includes(filter)
    const value = asked(hit, miss)
    return {
      kind,
      name: `by ${filter} ${JSON.stringify(value)}`,
      filter: { ...page, ...(!isNeeded && base), [filter]: value, sort: sortOf(kind, rule) ?? first },
      isSortedByIndex: !rule || isSorted(rule, kind, order?.by),
      foundBy: rule && columnOf(rule),
    }
  })
  // The orders that have indexes with filters of their own.
  const divided = Object.entries(list?.orders ?? {}).flatMap(([sort, { dividedWith = {} }]) =>
    Object.values(dividedWith).flatMap((column) =>
      filters
        .filter(({ foundBy }) => foundBy === column)
        .map((asked) => ({
          ...asked,
          name: `${asked.name}, by ${sort}`,
          filter: { ...asked.filter, sort },
        })),
    ),
  )
  return [...orders, ...filters, ...divided]
}

/** Returns the message about a list that no index serves. */
export function unservedList({ kind, name }: AskedList, why: string, file: string): string {
  return `The list of ${kind} ${name} ${why}: declare what it needs in ${fileOfKind(kind)}, and make it in ${file}`
}
