import type { TenantReads } from '../ports/storage.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { matchesText, type PersonPart, personText, searchTerms } from '../storage/search-text.ts'

/** So many customers of a search are looked at, the newest ones. */
const peopleMax = 1_000

export interface PeopleSearch {
  words: string
  /** The parts of a customer that the caller may search: a hit in another one would tell what they may not read. */
  parts: readonly PersonPart[]
  budgetMs: number
}

export interface FoundPeople {
  people: Stored<CustomerRecord>[]
  /** There may be more. */
  isPartial: boolean
}

/** Returns the newest customers all of whose words are in some parts of them. */
export async function findPeople(
  store: TenantReads,
  { words, parts, budgetMs }: PeopleSearch,
): Promise<FoundPeople> {
  const terms = searchTerms(words)
  if (terms.length === 0) return { people: [], isPartial: false }
  const query = { words, rule: {}, time: {}, hasFile: false, limit: peopleMax, budgetMs }
  const { rows, isPartial } = await store.findMatches('customers', query)
  return {
    people: rows.filter((row) => matchesText(personText(row, parts), terms)),
    isPartial: isPartial || rows.length >= peopleMax,
  }
}

/** The parts of a customer that a search of conversations compares: no company, and addresses only where they may be read. */
export function searchedParts({
  permissions,
}: {
  readonly permissions: readonly string[]
}): readonly PersonPart[] {
  return permissions.includes('read:customers') ? ['name', 'email', 'phone'] : ['name']
}
