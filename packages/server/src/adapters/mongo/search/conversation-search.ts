import { exactTotalMax } from '@crmkit/core/vocabulary'
import type { ConversationFilter } from '../../../ports/pages.ts'
import { type SearchTerm, searchTerms } from '../../../storage/search-text.ts'
import { allOf, type Filter, isNoneOf, isOneOf } from '../connection/filters.ts'
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

interface Texts {
  name: 'conversations' | 'messages'
  where: readonly Filter[]
  /** Reads no more texts, which may leave matches out. */
  textsMax?: number
}

/** Returns the numbers of the conversations that texts belong to, and how many texts were read, at most one conversation too many. */
async function numbersOf(access: CollectionAccess, { name, where, textsMax }: Texts) {
  const [found] = await access.pipe<{ numbers: number[]; texts: number }>(name, [
    { $match: allOf(where) },
    ...(textsMax === undefined ? [] : [{ $limit: textsMax }]),
    { $group: { _id: '$searchNumber', texts: { $sum: 1 } } },
    { $limit: exactTotalMax + 1 },
    { $group: { _id: null, numbers: { $push: '$_id' }, texts: { $sum: '$texts' } } },
  ])
  return found ?? { numbers: [], texts: 0 }
}

/** A common word is in many messages of a conversation: so many texts mostly show that it is in too many conversations to count. */
const firstTextsMax = 2 * (exactTotalMax + 1)

/** Returns the numbers of the conversations with such texts; undefined when there are too many to count. */
async function findNumbers(access: CollectionAccess, texts: Texts): Promise<number[] | undefined> {
  const first = await numbersOf(access, { ...texts, textsMax: firstTextsMax })
  const isWhole = first.numbers.length > exactTotalMax || first.texts < firstTextsMax
  const { numbers } = isWhole ? first : await numbersOf(access, texts)
  return numbers.length > exactTotalMax ? undefined : numbers
}

/**
 * Returns the numbers of the conversations with all terms in their subject or in one message; undefined when there are too
 * many to count.
 */
async function findMatches(
  access: CollectionAccess,
  terms: readonly SearchTerm[],
  isVisible: readonly Filter[],
): Promise<number[] | undefined> {
  const subjects = await searchConditions(access, 'conversations', terms)
  const bySubject = await findNumbers(access, { name: 'conversations', where: subjects })
  if (!bySubject) return undefined
  const contents = await searchConditions(access, 'messages', terms)
  const byMessage = await findNumbers(access, { name: 'messages', where: [...contents, ...isVisible] })
  if (!byMessage) return undefined
  const numbers = new Set([...bySubject, ...byMessage])
  return numbers.size > exactTotalMax ? undefined : [...numbers]
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
  const numbers = await findMatches(access, terms, isVisible)
  if (!numbers) {
    const count = async (limit: number) => limit
    return readPage(query, { read: scan(access, query, { terms, isVisible }), count })
  }
  return readList({ ...query, where: [...query.where, isOneOf('searchNumber', numbers)] })
}
