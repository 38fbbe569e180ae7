import { exactTotalMax } from '@crmkit/core/vocabulary'
import type { ConversationFilter } from '../../../ports/pages.ts'
import { type SearchTerm, searchTerms } from '../../../storage/search-text.ts'
import { allOf, type Filter, isNoneOf } from '../connection/filters.ts'
import type { CollectionAccess, StoredRow } from '../connection/scope.ts'
import { findErasures } from '../erasure/erasures.ts'
import { kindQuery } from '../lists/kind-list.ts'
import {
  type CountedPage,
  type ListQuery,
  type ListReader,
  type ReadRows,
  readPage,
  sortOf,
} from '../lists/list-query.ts'
import { searchConditions, textHasTerms } from './search-conditions.ts'

/** Conversations in whose subject, or in one of whose messages, all terms occur; undefined when there are more than are counted. */
async function findMatches(
  access: CollectionAccess,
  terms: readonly SearchTerm[],
  inSight: readonly Filter[],
): Promise<string[] | undefined> {
  const hasTerms = allOf(await searchConditions(access, 'conversations', terms))
  const bySubject = await access.find('conversations', hasTerms, { fields: ['id'], limit: exactTotalMax + 1 })
  if (bySubject.length > exactTotalMax) return undefined
  const byMessage = await access.pipe<{ _id: string }>('messages', [
    { $match: allOf([...(await searchConditions(access, 'messages', terms)), ...inSight]) },
    { $group: { _id: '$row.conversationId' } },
    { $limit: exactTotalMax + 1 },
  ])
  const ids = new Set([...bySubject.map(({ id }) => id), ...byMessage.map(({ _id }) => _id)])
  return ids.size > exactTotalMax ? undefined : [...ids]
}

/** Walks the list in its order and asks for each row: with so many matches, a page of them is met soon. */
function scan(
  access: CollectionAccess,
  query: ListQuery,
  { terms, inSight }: { terms: readonly SearchTerm[]; inSight: readonly Filter[] },
): ReadRows {
  const hasTerms = textHasTerms(terms)
  const inMessage = {
    from: 'messages',
    fields: ['id', 'row.conversationId'],
    where: [hasTerms, ...inSight],
  } as const
  return (where, { skip, limit }) =>
    access.pipe<StoredRow>('conversations', [
      { $match: allOf(where) },
      { $sort: sortOf(query.order) },
      access.lookup({ ...inMessage, as: 'hits' }),
      { $match: { $or: [hasTerms, { 'hits.0': { $exists: true } }] } },
      { $skip: skip },
      { $limit: limit },
      { $project: { hits: 0, text: 0, grams: 0 } },
    ])
}

/** A term may not be spread over texts: all must be in the subject, or all in one message. */
export async function readConversations(
  { access, readList }: { access: CollectionAccess; readList: ListReader },
  filter: ConversationFilter,
): Promise<CountedPage> {
  const erased = await findErasures(access)
  const listed = kindQuery('conversations', filter)
  const query = { ...listed, where: [...listed.where, ...isNoneOf('row.customerId', erased)] }
  const terms = searchTerms(filter.search ?? '')
  if (terms.length === 0) return readList(query)
  /** Of messages; their conversations have conditions of their own. */
  const inSight = isNoneOf('keys.authorCustomerId', erased)
  const ids = await findMatches(access, terms, inSight)
  if (!ids) {
    const count = async (limit: number) => limit
    return readPage(query, { read: scan(access, query, { terms, inSight }), count })
  }
  return readList({ ...query, where: [...query.where, access.among(ids)] })
}
