import type { Conversation, Unread } from '@crmkit/core'
import type { ConversationRule, MatchQuery } from '../../storage/match-query.ts'
import type { HandlerContext } from '../handler.ts'
import type { ParsedSearch } from './parse-search.ts'

/** The words, rules and bounds of one group. */
export interface GroupSearch {
  search: ParsedSearch
  rule: ConversationRule
  limit: number
  budgetMs: number
}

export type GroupReader = Pick<HandlerContext, 'store' | 'actor'>

/** So many matches are read to find those that the caller has not read: the database does not know them. */
const lookedAtMax = 100

/** Returns how many matches to read. */
function readLimit({ search, limit }: GroupSearch): number {
  return search.isUnread ? lookedAtMax : limit
}

export function matchQueryOf(group: GroupSearch): MatchQuery {
  const { search, rule, budgetMs } = group
  const time = { since: search.since, before: search.before }
  return { words: search.words, rule, time, hasFile: search.hasFile, limit: readLimit(group), budgetMs }
}

/** Whether a search of unread ones keeps the conversation. An API key has read nothing and has nothing unread. */
export function isWanted(
  { search }: GroupSearch,
  { unread }: Conversation & { unread: Unread | null },
): boolean {
  return !search.isUnread || (unread?.count ?? 0) > 0
}

/** Cuts a group to its limit, and says whether there may be more than was found. */
export function cutGroup<T>(
  { search, limit }: GroupSearch,
  rows: readonly T[],
  { isPartial, read }: { isPartial: boolean; read: number },
): { rows: T[]; isPartial: boolean } {
  const isCutShort = search.isUnread && read >= lookedAtMax && rows.length < limit
  return { rows: rows.slice(0, limit), isPartial: isPartial || isCutShort }
}
