import { exactTotalMax } from '@crmkit/core'
import { type SearchTerm, searchTerms } from '../../ports/search-text.ts'
import type { ConversationFilter } from '../../ports/storage.ts'
import { allOf, type Filter } from './filters.ts'
import { textHasTerms } from './grams.ts'
import { type CountedPage, type ListQuery, type ReadRows, readList, readPage, sortOf } from './list-query.ts'
import { conversationQuery } from './lists.ts'
import type { Reach, StoredRow } from './scope.ts'

/** Conversations with a message in which all terms occur; undefined when there are more than are counted. */
async function findByMessages(reach: Reach, terms: readonly SearchTerm[]): Promise<string[] | undefined> {
  const found = await reach.pipe<{ _id: string }>('messages', [
    { $match: allOf(textHasTerms(terms)) },
    { $group: { _id: '$row.conversationId' } },
    { $limit: exactTotalMax + 1 },
  ])
  return found.length > exactTotalMax ? undefined : found.map(({ _id }) => _id)
}

/** Walks the list in its order and asks for each row: with so many matches, a page of them is met soon. */
function scan(reach: Reach, query: ListQuery, terms: readonly SearchTerm[]): ReadRows {
  const inSubject = allOf(textHasTerms(terms))
  const inMessage = {
    from: 'messages',
    fields: ['id', 'row.conversationId'],
    where: textHasTerms(terms),
  } as const
  return (where, { skip, limit }) =>
    reach.pipe<StoredRow>('conversations', [
      { $match: allOf(where) },
      { $sort: sortOf(query.order) },
      reach.lookup({ ...inMessage, as: 'hits' }),
      { $match: { $or: [inSubject, { 'hits.0': { $exists: true } }] } },
      { $skip: skip },
      { $limit: limit },
      { $project: { hits: 0, text: 0, grams: 0 } },
    ])
}

/** A term may not be spread over texts: all must be in the subject, or all in one message. */
export async function readConversations(reach: Reach, filter: ConversationFilter): Promise<CountedPage> {
  const query = conversationQuery(filter)
  const terms = searchTerms(filter.search ?? '')
  if (terms.length === 0) return readList(reach, query)
  const ids = await findByMessages(reach, terms)
  if (!ids) {
    const count = async (limit: number) => limit
    return readPage(query, { read: scan(reach, query, terms), count })
  }
  const either: Filter[] = [allOf(textHasTerms(terms)), ...(ids.length > 0 ? [reach.among(ids)] : [])]
  return readList(reach, { ...query, where: [...query.where, { $or: either }] })
}
