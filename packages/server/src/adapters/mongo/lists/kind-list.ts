import { type ColumnCondition, fewerRanges, planList } from '../../../storage/kinds/plan-list.ts'
import type { Kind, ListedKind } from '../../../storage/kinds/registry.ts'
import { below, equals, type Filter, hasAll, isOneOf, since, until } from '../connection/filters.ts'
import { fieldOf } from '../rows/fields.ts'
import type { ListQuery, PagingFilter } from './list-query.ts'

function filterOf(kind: Kind, condition: ColumnCondition): Filter[] {
  const field = fieldOf(kind, condition.column)
  if ('since' in condition) return since(field, condition.since)
  if ('until' in condition) return [until(field, condition.until)]
  if ('below' in condition) return [below(field, condition.below)]
  if ('oneOf' in condition) return [isOneOf(field, condition.oneOf)]
  return condition.equals === null ? [{ [field]: null }] : equals(field, condition.equals)
}

/** Returns the query of a list by its declaration. It names all values of the dividing column, so that an index serves the order. */
export function kindQuery(kind: ListedKind, filter: PagingFilter): ListQuery {
  const plan = planList(kind, filter)
  const { order, conditions, ranges, labels, terms, paging } = plan
  const isNearlyAll = ranges && !plan.isDivided && fewerRanges(plan).length > 0
  return {
    collection: kind,
    order: {
      list: order.list,
      field: fieldOf(kind, order.by),
      isDescending: order.isDescending,
      isValue: order.isValue,
    },
    where: [
      ...(ranges ? [isOneOf(fieldOf(kind, ranges.column), ranges.values)] : []),
      ...conditions.flatMap((condition) => filterOf(kind, condition)),
      ...hasAll('labels', labels),
    ],
    // Conversations are searched together with their messages, in `conversation-search.ts`.
    ...(kind !== 'conversations' && { terms }),
    ...(isNearlyAll && { nearlyAll: fieldOf(kind, ranges.column) }),
    paging,
  }
}
