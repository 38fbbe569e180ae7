import type { CustomerFilter } from '../../../ports/pages.ts'
import { isMomentValue } from '../../../storage/cursor.ts'
import { searchTerms } from '../../../storage/search-text.ts'
import { inIndex, textHasTerms } from '../search/search-conditions.ts'
import type { SearchQuery, SearchSource } from '../search/search-list.ts'
import type { SearchPlan } from '../search/search-query.ts'
import { hasLabels, labelArm } from './label-arms.ts'
import { type Condition, equals, type ListQuery, type Order, since } from './list-query.ts'

export const recordColumns = 'r.id, r.version, r.doc'

const orders: Record<CustomerFilter['sort'], { column: string; isDescending: boolean }> = {
  createdAt: { column: 'created_at', isDescending: false },
  '-createdAt': { column: 'created_at', isDescending: true },
  updatedAt: { column: 'updated_at', isDescending: false },
  '-updatedAt': { column: 'updated_at', isDescending: true },
  lastName: { column: 'last_name_key', isDescending: false },
}

const labelled = { table: 'customers', labelTable: 'customer_tags', sortedColumn: 'created_at' }

/** The starts of words and all trigrams are in one index, so short and long terms are one look-up. */
function sources({ match, unsure }: SearchPlan): SearchSource[] {
  const from = 'customer_search AS f CROSS JOIN customers AS t ON t.n = f.rowid AND t.tenant_id = @tenant'
  return [{ from, where: [...inIndex('customer_search', match), ...textHasTerms('search_text', unsure)] }]
}

function customerOrder(sort: CustomerFilter['sort']): Order {
  const isValue = sort === 'lastName' ? (value: unknown) => typeof value === 'string' : isMomentValue
  return { list: `customers:${sort}`, ...orders[sort], isValue }
}

function filterConditions({ tier, status, updatedSince }: CustomerFilter): Condition[] {
  return [...equals('tier', tier), ...equals('status', status), ...since('updated_at', updatedSince)]
}

/** The list in its order; with a search, every row on the way is compared. */
export function customerQuery(filter: CustomerFilter): ListQuery {
  const order = customerOrder(filter.sort)
  const terms = searchTerms(filter.search ?? '')
  const where = [...filterConditions(filter), ...textHasTerms('search_text', terms)]
  const labels = filter.tags ?? []
  return {
    table: 'customers',
    columns: recordColumns,
    order,
    arms: [labelArm(labelled, { order, labels, where })],
    paging: filter,
  }
}

/** The same list by the search index. Undefined when there is nothing to search for. */
export function customerSearch(filter: CustomerFilter): SearchQuery | undefined {
  const terms = searchTerms(filter.search ?? '')
  if (terms.length === 0) return undefined
  return {
    table: 'customers',
    columns: recordColumns,
    order: customerOrder(filter.sort),
    where: [...filterConditions(filter), ...hasLabels('customer_tags', filter.tags ?? [], 't.n')],
    paging: filter,
    terms,
    indexTable: 'customer_search',
    sources,
  }
}
