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

/** Returns the conversations with all terms in their subject or in one message; undefined when there are too many to count. */
async function findMatches(
  access: CollectionAccess,
  terms: readonly SearchTerm[],
  isVisible: readonly Filter[],
): Promise<string[] | undefined> {
  const hasTerms = allOf(await searchConditions(access, 'conversations', terms))
  const bySubject = await access.find('conversations', hasTerms, { fields: ['id'], limit: exactTotalMax + 1 })
  if (bySubject.length > exactTotalMax) return undefined
  const byMessage = await access.pipe<{ _id: string }>('messages', [
    { $match: allOf([...(await searchConditions(access, 'messages', terms)), ...isVisible]) },
    { $group: { _id: '$row.conversationId' } },
    { $limit: exactTotalMax + 1 },
  ])
  const ids = new Set([...bySubject.map(({ id }) => id), ...byMessage.map(({ _id }) => _id)])
  return ids.size > exactTotalMax ? undefined : [...ids]
}

interface MessageSearch {
  terms: readonly SearchTerm[]
  /** Conditions on messages; their conversations have conditions of their own. */
  isVisible: readonly Filter[]
}

/** Reads the list in its order and checks each row: with so many matches, a page of them is found soon. */
function scan(access: CollectionAccess, query: ListQuery, { terms, isVisible }: MessageSearch): ReadRows {
  const hasTerms = textHasTerms(terms)
  const inMessage = {
    from: 'messages',
    fields: ['id', 'row.conversationId'],
    where: [hasTerms, ...isVisible],
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

/** Reads a page of conversations. A match has all terms in the subject, or all in one message. */
export async function readConversations(
  { access, readList }: { access: CollectionAccess; readList: ListReader },
  filter: ConversationFilter,
): Promise<CountedPage> {
  const erased = await findErasures(access)
  const listed = kindQuery('conversations', filter)
  const query = { ...listed, where: [...listed.where, ...isNoneOf('row.customerId', erased)] }
  const terms = searchTerms(filter.search ?? '')
  if (terms.length === 0) return readList(query)
  const isVisible = isNoneOf('keys.authorCustomerId', erased)
  const ids = await findMatches(access, terms, isVisible)
  if (!ids) {
    const count = async (limit: number) => limit
    return readPage(query, { read: scan(access, query, { terms, isVisible }), count })
  }
  return readList({ ...query, where: [...query.where, access.among(ids)] })
}
