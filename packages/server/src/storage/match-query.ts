import type { Records } from './kinds/registry.ts'
import type { Stored } from './records.ts'

/*
 * A search that people wait for while they type: it counts nothing, looks at no more than a bounded number of candidates, and stops
 * when its time is over. A list's search finds and counts everything instead.
 */

export type SearchedKind = 'customers' | 'conversations' | 'messages'

/** The rows that a group looks at, the newest of them, and no others. */
export const candidatesMax = 20_000

/** Conditions on a conversation, joined by AND; the values of one of them by OR. An empty list finds nothing. */
export interface ConversationRule {
  statuses?: readonly string[] | undefined
  inboxIds?: readonly string[] | undefined
  /** Folded. */
  labels?: readonly string[] | undefined
  /** Null: nobody. */
  assignedTo?: readonly (string | null)[] | undefined
  customerIds?: readonly string[] | undefined
  /** A customer waits for a reply. */
  isWaiting?: true | undefined
}

/** A row's time: of a message its own, of a conversation that of its last message, or of its creation without any. */
export interface TimeRange {
  /** At this time or later. */
  since?: string | undefined
  /** Earlier than this time. */
  before?: string | undefined
}

export interface MatchQuery {
  /** All of these words have to be in the row's own text; without any, only the rules decide. Messages and customers need some. */
  words: string
  /** Of the conversation, or of the message's conversation; customers have none. */
  rule: ConversationRule
  /** Customers have none. */
  time: TimeRange
  /** Only messages with a file. Conversations and customers have none. */
  hasFile: boolean
  limit: number
  /** How long it may look, in milliseconds. */
  budgetMs: number
}

export interface Matches<K extends SearchedKind> {
  /** The newest first: messages and customers by their creation, conversations by their last message. */
  rows: Stored<Records[K]>[]
  /** The time was over, or there are more candidates than it looks at: more rows may match. */
  isPartial: boolean
}

export function hasRule(rule: ConversationRule): boolean {
  return Object.values(rule).some((values) => values !== undefined)
}
