import { conversationStatuses } from '@crmkit/core/vocabulary'
import {
  type ConversationRule,
  candidatesMax,
  hasRule,
  type MatchQuery,
  type SearchedKind,
  type TimeRange,
} from '../../../storage/match-query.ts'
import { type SearchTerm, searchTerms } from '../../../storage/search-text.ts'
import { waitingKeySplit } from '../../../storage/sort-keys.ts'
import type { Sql, SqlValue } from '../connection/sql.ts'
import { hasErasures, notErased } from '../erasure/erasures.ts'
import { allOf, type Condition, paramsOf } from '../lists/list-query.ts'
import type { RecordRow } from '../rows/records.ts'
import { contentHasTerms, inIndex, textHasTerms } from './search-conditions.ts'
import { planSearch } from './search-query.ts'
import { createStatistics, type SearchStatistics } from './search-statistics.ts'

/*
 * Looks at candidates one by one, the newest first, with an eye on the clock: each step of the statement is one candidate, whether
 * it matches or not.
 */

export interface MatchRequest {
  tenantId: string
  kind: SearchedKind
  query: MatchQuery
}

export interface MatchedRows {
  rows: RecordRow[]
  isPartial: boolean
}

/** So many matches are enough to choose the newest from. */
const matchesMax = 2_000

const indexTables = {
  customers: 'customer_search',
  conversations: 'conversation_search',
  messages: 'message_search',
} as const

function isAmong(value: string, values: readonly string[] | undefined): Condition[] {
  if (values === undefined) return []
  return [{ sql: `${value} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(values)] }]
}

/** Conditions on `t`, a conversation. */
function meetsRule(rule: ConversationRule): Condition[] {
  const { statuses, inboxIds, labels, assignedTo, customerIds, isWaiting } = rule
  const labelled = `EXISTS (SELECT 1 FROM conversation_labels AS l WHERE l.tenant_id = @tenant
    AND l.sorted_at = t.updated_at AND l.id = t.id AND l.label IN (SELECT value FROM json_each(?)))`
  return [
    ...isAmong('t.status', statuses),
    ...isAmong('t.inbox_id', inboxIds),
    // The column holds an empty text for nobody.
    ...isAmong(
      't.assigned_to',
      assignedTo?.map((id) => id ?? ''),
    ),
    ...isAmong('t.customer_id', customerIds),
    ...(labels === undefined ? [] : [{ sql: labelled, params: [JSON.stringify(labels)] }]),
    ...(isWaiting ? [{ sql: 't.waiting < ?', params: [waitingKeySplit] }] : []),
  ]
}

function isInTime(at: string, { since, before }: TimeRange): Condition[] {
  return [
    ...(since === undefined ? [] : [{ sql: `${at} >= ?`, params: [since] }]),
    ...(before === undefined ? [] : [{ sql: `${at} < ?`, params: [before] }]),
  ]
}

interface Candidates {
  /** Tables and joins; `m` is the row. */
  from: string
  where: Condition[]
  order: string
  /** The time by which matches are ordered. */
  at: string
  /** A candidate that meets all of them is a match. */
  isMatch: Condition[]
}

const ownTime = {
  customers: 'm.created_at',
  conversations: "coalesce(m.doc ->> '$.lastMessageAt', m.created_at)",
  messages: 'm.created_at',
} as const

const ofConversation = ' CROSS JOIN conversations AS t ON t.tenant_id = @tenant AND t.id = m.conversation_id'

/** The row is its own conversation, which the conditions of the rule call `t`. */
const itself = ' CROSS JOIN conversations AS t ON t.tenant_id = @tenant AND t.n = m.n'

function joinOf(kind: SearchedKind, rule: ConversationRule): string {
  if (kind === 'customers' || !hasRule(rule)) return ''
  return kind === 'messages' ? ofConversation : itself
}

function ownConditions({ kind, query }: MatchRequest, isErasing: boolean): Condition[] {
  if (kind === 'customers') return []
  const { rule, time, hasFile } = query
  return [
    ...meetsRule(rule),
    ...isInTime(ownTime[kind], time),
    ...(hasFile ? [{ sql: "m.doc ->> '$.attachments' <> '[]'", params: [] }] : []),
    ...(isErasing ? [notErased(kind, 'm.')] : []),
  ]
}

function wordConditions(kind: SearchedKind, terms: readonly SearchTerm[]): Condition[] {
  return kind === 'messages' ? contentHasTerms('m.doc', terms) : textHasTerms('m.search_text', terms)
}

/** The rows that the full-text index finds, the last ones first. */
function byWords(
  request: MatchRequest,
  { terms, statistics }: { terms: readonly SearchTerm[]; statistics: SearchStatistics },
): Omit<Candidates, 'at'> {
  const { kind, query } = request
  const plan = planSearch(terms, statistics)
  const index = indexTables[kind]
  return {
    from: `${index} AS f CROSS JOIN ${kind} AS m ON m.n = f.rowid AND m.tenant_id = @tenant${joinOf(kind, query.rule)}`,
    where: inIndex(index, plan.match),
    order: 'f.rowid DESC',
    isMatch: wordConditions(kind, plan.unsure),
  }
}

/** The conversations of customers, or those that changed last, of each status. */
function byRule({ kind, query }: MatchRequest): Omit<Candidates, 'at'>[] {
  const { customerIds, statuses = conversationStatuses } = query.rule
  const from = `conversations AS m${joinOf(kind, query.rule)}`
  const ofTenant = { sql: 'm.tenant_id = @tenant', params: [] }
  if (customerIds !== undefined) {
    const where = [ofTenant, ...isAmong('m.customer_id', customerIds)]
    // The plus keeps SQLite from reading every conversation in this order.
    return [{ from, where, order: '+m.n DESC', isMatch: [] }]
  }
  return statuses.map((status) => ({
    from,
    where: [ofTenant, { sql: 'm.status = ?', params: [status] }],
    order: 'm.updated_at DESC, m.id DESC',
    isMatch: [],
  }))
}

interface Hit {
  n: number
  id: string
  at: string
}

interface Search {
  endsAt: number
  hits: Hit[]
  isPartial: boolean
}

type Scoped = ReturnType<Sql['tenant']>

const isTrue: Condition = { sql: '1', params: [] }

/** Walks over candidates until there are enough matches, no more candidates, or no more time. */
function walk(scoped: Scoped, { from, where, order, at, isMatch }: Candidates, search: Search): void {
  const text = `SELECT m.n AS n, m.id AS id, ${at} AS at, (${allOf([isTrue, ...isMatch])}) AS hit
    FROM ${from} WHERE ${allOf(where)} ORDER BY ${order} LIMIT ${candidatesMax}`
  const params: SqlValue[] = [...paramsOf(isMatch), ...paramsOf(where)]
  let seen = 0
  let found = 0
  for (const row of scoped.iterate<Hit & { hit: number | null }>(text, ...params)) {
    seen += 1
    if (row.hit) {
      search.hits.push(row)
      found += 1
    }
    if (found >= matchesMax) return
    if (performance.now() >= search.endsAt) {
      search.isPartial = true
      return
    }
  }
  if (seen >= candidatesMax) search.isPartial = true
}

const newestFirst = (a: Hit, b: Hit) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1)

export type Matcher = (request: MatchRequest) => MatchedRows

export function createMatcher(sql: Sql): Matcher {
  const statistics = {
    customers: createStatistics(sql, { table: 'customers', indexTable: indexTables.customers }),
    conversations: createStatistics(sql, { table: 'conversations', indexTable: indexTables.conversations }),
    messages: createStatistics(sql, { table: 'messages', indexTable: indexTables.messages }),
  }

  function candidatesOf(request: MatchRequest, isErasing: boolean): Candidates[] {
    const { kind, query, tenantId } = request
    const terms = searchTerms(query.words)
    const found =
      terms.length > 0
        ? [byWords(request, { terms, statistics: statistics[kind](tenantId) })]
        : kind === 'conversations'
          ? byRule(request)
          : []
    const own = ownConditions(request, isErasing)
    return found.map((one) => ({ ...one, at: ownTime[kind], isMatch: [...one.isMatch, ...own] }))
  }

  return (request) => {
    const { tenantId, kind, query } = request
    const scoped = sql.tenant(tenantId)
    const search: Search = { endsAt: performance.now() + query.budgetMs, hits: [], isPartial: false }
    const isErasing = kind !== 'customers' && hasErasures(scoped)
    for (const candidates of candidatesOf(request, isErasing)) walk(scoped, candidates, search)
    const chosen = search.hits.sort(newestFirst).slice(0, query.limit)
    const text = `SELECT version, doc FROM ${kind} WHERE tenant_id = @tenant AND n = ?`
    const rows = chosen.flatMap(({ n }) => scoped.get<RecordRow>(text, n) ?? [])
    return { rows, isPartial: search.isPartial }
  }
}
