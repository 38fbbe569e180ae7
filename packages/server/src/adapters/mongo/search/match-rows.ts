import mongoose from 'mongoose'
import {
  type ConversationRule,
  candidatesMax,
  hasRule,
  type MatchQuery,
  type SearchedKind,
  type TimeRange,
} from '../../../storage/match-query.ts'
import { searchTerms } from '../../../storage/search-text.ts'
import { waitingKeySplit } from '../../../storage/sort-keys.ts'
import type { CollectionAccess, FindOptions, StoredRow } from '../connection/access.ts'
import { allOf, below, type Filter, isNoneOf, isOneOf, trusted } from '../connection/filters.ts'
import { findErasures, visibleRows } from '../erasure/erasures.ts'
import { kindQuery } from '../lists/kind-list.ts'
import { isAfter, sortOf, sortValueOf } from '../lists/list-query.ts'
import { fewRowsMax, searchTextsByOne } from './search-texts.ts'

/*
 * Finds the newest matches in a bounded time. Few rows with the words are read by the search index and sorted. Many are found by
 * walking over the conversations that changed last: the server ends a command that takes too long, and what was found before stays.
 */

export interface MatchedRows {
  rows: readonly StoredRow[]
  isPartial: boolean
}

/** So many matches are enough to choose the newest from. */
const matchesMax = 200
const firstSlice = 200
const sliceMax = 2_000

const outOfTimeCode = 50

/** Thrown when the time is over, before a command or by the server. */
class OutOfTime extends Error {}

interface Search {
  access: CollectionAccess
  query: MatchQuery
  /** Finds rows in the time that is left. Throws `OutOfTime`. */
  find(name: SearchedKind, filter: Filter, options: FindOptions): Promise<StoredRow[]>
}

function searchWithin(access: CollectionAccess, query: MatchQuery): Search {
  const endsAt = performance.now() + query.budgetMs
  return {
    access,
    query,
    async find(name, filter, options) {
      const maxTimeMs = Math.floor(endsAt - performance.now())
      // The server takes 0 for no limit.
      if (maxTimeMs <= 0) throw new OutOfTime()
      try {
        return await access.find(name, filter, { ...options, maxTimeMs })
      } catch (error) {
        const isOver = error instanceof mongoose.mongo.MongoServerError && error.code === outOfTimeCode
        throw isOver ? new OutOfTime() : error
      }
    },
  }
}

/** Conditions on a conversation. */
function meetsRule(rule: ConversationRule): Filter[] {
  const { statuses, inboxIds, labels, assignedTo, customerIds, isWaiting } = rule
  return [
    ...(statuses === undefined ? [] : [isOneOf('row.status', statuses)]),
    ...(inboxIds === undefined ? [] : [isOneOf('row.inboxId', inboxIds)]),
    ...(labels === undefined ? [] : [isOneOf('labels', labels)]),
    ...(assignedTo === undefined ? [] : [isOneOf('row.assignedTo', assignedTo)]),
    ...(customerIds === undefined ? [] : [isOneOf('row.customerId', customerIds)]),
    ...(isWaiting ? [below('keys.waiting', waitingKeySplit)] : []),
  ]
}

const lastMessageAt = { $ifNull: ['$row.lastMessageAt', '$row.createdAt'] }

function isInTime(at: string | object, { since, before }: TimeRange): Filter[] {
  const checks = [
    ...(since === undefined ? [] : [{ $gte: [at, { $literal: since }] }]),
    ...(before === undefined ? [] : [{ $lt: [at, { $literal: before }] }]),
  ]
  return checks.length === 0 ? [] : [{ $expr: trusted({ $and: checks }) }]
}

const timeOf = {
  customers: ({ row }: StoredRow) => String(row['createdAt']),
  conversations: ({ row }: StoredRow) => String(row['lastMessageAt'] ?? row['createdAt']),
  messages: ({ row }: StoredRow) => String(row['createdAt']),
}

/** Sorts matches, the newest first. */
function newestFirst(kind: SearchedKind, rows: readonly StoredRow[]): StoredRow[] {
  const keyed = rows.map((row) => ({ row, at: timeOf[kind](row) }))
  keyed.sort((a, b) => (a.at === b.at ? (a.row.id < b.row.id ? 1 : -1) : a.at < b.at ? 1 : -1))
  return keyed.map(({ row }) => row)
}

async function findCustomers({ access, query, find }: Search): Promise<MatchedRows> {
  const terms = searchTerms(query.words)
  if (terms.length === 0) return { rows: [], isPartial: false }
  const { where, hasFewRows } = await searchTextsByOne(access, 'customers', terms)
  const options = { sort: { 'row.createdAt': -1, id: -1 }, limit: query.limit } as const
  const rows = await find('customers', allOf(where), { ...options, ...(hasFewRows && { index: 'search' }) })
  return { rows, isPartial: false }
}

/** The list of conversations in the order of their last change, whose index a walk over them reads. */
function conversationsOf({ rule, time }: MatchQuery, erased: ReadonlySet<string>) {
  const { order, where } = kindQuery('conversations', { page: 1, limit: 1 })
  const conditions = [
    ...(rule.statuses === undefined ? where : []),
    ...meetsRule(rule),
    ...isNoneOf('row.customerId', erased),
    ...isNoneOf('id', erased),
  ]
  return { order, where: conditions, inTime: isInTime(lastMessageAt, time) }
}

async function findConversations(search: Search, erased: ReadonlySet<string>): Promise<MatchedRows> {
  const { access, query, find } = search
  const terms = searchTerms(query.words)
  const { order, where, inTime } = conversationsOf(query, erased)
  const texts = await searchTextsByOne(access, 'conversations', terms)
  const isFew = texts.hasFewRows || (terms.length === 0 && query.rule.customerIds !== undefined)
  const filter = allOf([...where, ...inTime, ...texts.where])
  const fields = ['id', 'row.lastMessageAt', 'row.createdAt']
  const limit = isFew ? fewRowsMax : Math.max(matchesMax, query.limit)
  const sort = isFew ? {} : { sort: sortOf(order) }
  const index = texts.hasFewRows ? { index: 'search' } : {}
  const found = await find('conversations', filter, { limit, fields, ...sort, ...index })
  return { rows: newestFirst('conversations', found), isPartial: isFew && found.length >= fewRowsMax }
}

const messageFields = ['id', 'row.createdAt', 'row.conversationId']

function ownConditions({ time, hasFile }: MatchQuery, erased: ReadonlySet<string>): Filter[] {
  return [
    ...isInTime('$row.createdAt', time),
    ...(hasFile ? [{ 'row.attachments.json': trusted({ $ne: '[]' }) }] : []),
    ...isNoneOf('keys.authorCustomerId', erased),
  ]
}

/** Reads all messages with the words, and leaves out those whose conversation does not meet the rule. */
async function findFewMessages(
  { query, find, access }: Search,
  { texts, erased }: { texts: readonly Filter[]; erased: ReadonlySet<string> },
): Promise<MatchedRows> {
  const filter = allOf([...texts, ...ownConditions(query, erased)])
  const found = await find('messages', filter, { limit: fewRowsMax, fields: messageFields, index: 'search' })
  const isPartial = found.length >= fewRowsMax
  if (!hasRule(query.rule) && erased.size === 0) return { rows: newestFirst('messages', found), isPartial }
  const ids = [...new Set(found.map(({ row }) => String(row['conversationId'])))]
  const { where } = conversationsOf(query, erased)
  const kept = await find('conversations', allOf([access.among(ids), ...where]), { fields: ['id'] })
  const known = new Set(kept.map(({ id }) => id))
  const rows = found.filter(({ row }) => known.has(String(row['conversationId'])))
  return { rows: newestFirst('messages', rows), isPartial }
}

/** Walks over the conversations that changed last, and finds their messages with the words. */
async function findManyMessages(
  { query, find }: Search,
  { texts, erased }: { texts: readonly Filter[]; erased: ReadonlySet<string> },
): Promise<MatchedRows> {
  const { order, where } = conversationsOf(query, erased)
  const ofMessages = [...texts, ...ownConditions(query, erased)]
  let matches: StoredRow[] = []
  let after: Filter[] = []
  try {
    for (let passed = 0, length = firstSlice; ; passed += length, length = Math.min(2 * length, sliceMax)) {
      if (passed >= candidatesMax) return { rows: matches, isPartial: true }
      const fields = ['id', order.field, 'searchNumber']
      const slice = await find('conversations', allOf([...where, ...after]), {
        sort: sortOf(order),
        limit: length,
        fields,
      })
      const numbers = slice.map(({ searchNumber }) => searchNumber as number)
      const found = await find('messages', allOf([...ofMessages, isOneOf('searchNumber', numbers)]), {
        limit: fewRowsMax,
        fields: messageFields,
      })
      matches = newestFirst('messages', [...matches, ...found]).slice(0, matchesMax)
      const last = slice.at(-1)
      if (last === undefined || slice.length < length) return { rows: matches, isPartial: false }
      // No later conversation has a newer message than its own last change.
      const latest = matches[query.limit - 1]
      if (latest !== undefined && timeOf.messages(latest) >= String(sortValueOf(last, order.field)))
        return { rows: matches, isPartial: false }
      after = isAfter(order, { value: sortValueOf(last, order.field), id: last.id })
    }
  } catch (error) {
    if (error instanceof OutOfTime) return { rows: matches, isPartial: true }
    throw error
  }
}

async function findMessages(search: Search, erased: ReadonlySet<string>): Promise<MatchedRows> {
  const terms = searchTerms(search.query.words)
  if (terms.length === 0) return { rows: [], isPartial: false }
  const { where: texts, hasFewRows } = await searchTextsByOne(search.access, 'messages', terms)
  return (hasFewRows ? findFewMessages : findManyMessages)(search, { texts, erased })
}

async function orPartial(find: () => Promise<MatchedRows>): Promise<MatchedRows> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof OutOfTime) return { rows: [], isPartial: true }
    throw error
  }
}

/** Returns the matches, the newest first, whole. */
export async function matchRows(
  access: CollectionAccess,
  kind: SearchedKind,
  query: MatchQuery,
): Promise<MatchedRows> {
  const search = searchWithin(access, query)
  if (kind === 'customers') return orPartial(() => findCustomers(search))
  const erased = await findErasures(access)
  const read = kind === 'messages' ? findMessages : findConversations
  const { rows: found, isPartial } = await orPartial(() => read(search, erased))
  const chosen = found.slice(0, query.limit)
  if (chosen.length === 0) return { rows: [], isPartial }
  const rows = await access.find(kind, access.among(chosen.map(({ id }) => id)))
  const visible = await visibleRows(access, kind, { rows, erased })
  return { rows: newestFirst(kind, visible), isPartial }
}
