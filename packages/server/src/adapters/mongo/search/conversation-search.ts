import { exactTotalMax } from '@crmkit/core/vocabulary'
import type { ConversationFilter } from '../../../storage/pages.ts'
import { searchTerms } from '../../../storage/search-text.ts'
import type { CollectionAccess, StoredRow } from '../connection/access.ts'
import { allOf, type Filter, isNoneOf, isOneOf } from '../connection/filters.ts'
import { findErasures } from '../erasure/erasures.ts'
import { kindQuery } from '../lists/kind-list.ts'
import {
  type CountedPage,
  isAfter,
  type ListQuery,
  type ListReader,
  type ReadRows,
  readPage,
  sortOf,
  sortValueOf,
} from '../lists/list-query.ts'
import { numbersOf } from './search-numbers.ts'
import { searchTexts } from './search-texts.ts'

interface Texts {
  name: 'conversations' | 'messages'
  where: readonly Filter[]
}

/** A common word is in many messages of a conversation: so many texts mostly show that it is in too many conversations to count. */
const firstTextsMax = 2 * (exactTotalMax + 1)

/** Returns the numbers of the conversations with such texts; undefined when there are too many to count. */
async function findNumbers(access: CollectionAccess, texts: Texts): Promise<number[] | undefined> {
  const first = await numbersOf(access, { ...texts, textsMax: firstTextsMax, numbersMax: exactTotalMax })
  const isWhole = first.numbers.length > exactTotalMax || first.texts < firstTextsMax
  const { numbers } = isWhole ? first : await numbersOf(access, { ...texts, numbersMax: exactTotalMax })
  return numbers.length > exactTotalMax ? undefined : numbers
}

/** A conversation matches by its subject, by one of its messages, by its customer, or by a conversation that was merged into it. */
interface Conditions {
  subjects: Filter[]
  contents: Filter[]
  /** Each finds conversations, whatever their texts are. */
  others: Filter[]
}

/**
 * Returns the numbers of the conversations that match; undefined when there are too
 * many to count.
 */
async function findMatches(
  access: CollectionAccess,
  { subjects, contents, others }: Conditions,
): Promise<number[] | undefined> {
  const bySubject = await findNumbers(access, { name: 'conversations', where: subjects })
  if (!bySubject) return undefined
  const byMessage = await findNumbers(access, { name: 'messages', where: contents })
  if (!byMessage) return undefined
  const numbers = new Set([...bySubject, ...byMessage])
  for (const one of others) {
    const found = await findNumbers(access, { name: 'conversations', where: [one] })
    if (!found) return undefined
    for (const number of found) numbers.add(number)
  }
  return numbers.size > exactTotalMax ? undefined : [...numbers]
}

/** Slices of a list grow up to this length, so that few matches among many rows cost few commands. */
const firstSlice = 200
const sliceMax = 2_000

type FindAmong = (numbers: readonly number[]) => Promise<ReadonlySet<number>>

/**
 * Reads the list in its order, slice by slice, and keeps the rows that the search finds. With many matches, a page of them is
 * found soon. Undefined when it is not found in `rowsMax` rows.
 */
async function readSlices(
  access: CollectionAccess,
  { order, where, rowsMax }: { order: ListQuery['order']; where: Filter[]; rowsMax: number },
  { findAmong, skip, limit }: { findAmong: FindAmong; skip: number; limit: number },
): Promise<StoredRow[] | undefined> {
  const matches: string[] = []
  let after: Filter[] = []
  for (let passed = 0, length = firstSlice; ; passed += length, length = Math.min(2 * length, sliceMax)) {
    if (passed >= rowsMax) return undefined
    const fields = ['id', order.field, 'searchNumber']
    const options = { sort: sortOf(order), limit: length, fields }
    const slice = await access.find('conversations', allOf([...where, ...after]), options)
    const found = await findAmong(slice.map(({ searchNumber }) => searchNumber as number))
    matches.push(...slice.filter(({ searchNumber }) => found.has(searchNumber as number)).map(({ id }) => id))
    const last = slice.at(-1)
    if (matches.length >= skip + limit || slice.length < length || last === undefined) break
    after = isAfter(order, { value: sortValueOf(last, order.field), id: last.id })
  }
  const ids = matches.slice(skip, skip + limit)
  if (ids.length === 0) return []
  const rows = await access.find('conversations', access.among(ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

/** Reads the matches of a search that has too many to count: asks the search index for each slice of the list. */
function readUncounted(
  access: CollectionAccess,
  query: ListQuery,
  { subjects, contents, others }: Conditions,
): ReadRows {
  const findAmong: FindAmong = async (among) => {
    const isAmong = isOneOf('searchNumber', among)
    const found = await Promise.all([
      numbersOf(access, { name: 'conversations', where: [...subjects, isAmong], numbersMax: exactTotalMax }),
      numbersOf(access, { name: 'messages', where: [...contents, isAmong], numbersMax: exactTotalMax }),
      ...others.map((one) =>
        numbersOf(access, { name: 'conversations', where: [one, isAmong], numbersMax: exactTotalMax }),
      ),
    ])
    return new Set(found.flatMap(({ numbers }) => numbers))
  }
  const list = { order: query.order, rowsMax: Number.POSITIVE_INFINITY }
  return async (where, paging) =>
    (await readSlices(access, { ...list, where }, { findAmong, ...paging })) ?? []
}

/** So many matches are read and sorted sooner than they are found in the list. */
const sortedMax = 1_000
/** A page of more matches is mostly found in so many rows of the list, unless its filter leaves few of them. */
const listedMax = 6 * firstSlice

/** Reads the rows with these numbers. The index is named: MongoDB would use that of a search before, for another number of matches. */
function readNumbers(access: CollectionAccess, query: ListQuery, numbers: readonly number[]): ReadRows {
  const known = new Set(numbers)
  const findAmong: FindAmong = async () => known
  const list = { order: query.order, rowsMax: listedMax }
  return async (where, paging) => {
    const listed =
      numbers.length > sortedMax
        ? await readSlices(access, { ...list, where }, { findAmong, ...paging })
        : undefined
    if (listed) return listed
    const options = { sort: sortOf(query.order), ...paging, index: 'searchNumber' }
    return access.find('conversations', allOf([...where, isOneOf('searchNumber', numbers)]), options)
  }
}

async function countNumbers(
  access: CollectionAccess,
  where: readonly Filter[],
  limit: number,
): Promise<number> {
  const stages = [{ $match: allOf(where) }, { $limit: limit }, { $count: 'rows' }]
  const [counted] = await access.pipe<{ rows: number }>('conversations', stages, 'searchNumber')
  return counted?.rows ?? 0
}

/** Reads a page of conversations. A match has all terms in the subject, or all in one message. */
export async function readConversations(
  { access, readList }: { access: CollectionAccess; readList: ListReader },
  filter: ConversationFilter,
  isUncounted = false,
): Promise<CountedPage> {
  const erased = await findErasures(access)
  const listed = kindQuery('conversations', filter)
  const query = { ...listed, where: [...listed.where, ...isNoneOf('row.customerId', erased)], isUncounted }
  const terms = searchTerms(filter.search ?? '')
  if (terms.length === 0) return readList(query)
  const { where: subjects } = await searchTexts(access, 'conversations', terms)
  const { where: ofMessages } = await searchTexts(access, 'messages', terms)
  const contents = [...ofMessages, ...isNoneOf('keys.authorCustomerId', erased)]
  const { searchedCustomers = [], searchedConversations = [] } = filter
  const others = [
    ...(searchedCustomers.length === 0 ? [] : [isOneOf('row.customerId', searchedCustomers)]),
    ...(searchedConversations.length === 0 ? [] : [access.among(searchedConversations)]),
  ]
  const numbers = await findMatches(access, { subjects, contents, others })
  if (!numbers) {
    const count = async (limit: number) => limit
    return readPage(query, { read: readUncounted(access, query, { subjects, contents, others }), count })
  }
  const where = [...query.where, isOneOf('searchNumber', numbers)]
  const count = (limit: number) => countNumbers(access, where, limit)
  return readPage(query, { read: readNumbers(access, query, numbers), count })
}
