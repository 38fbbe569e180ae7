import type { ConversationFilter } from '../../../storage/pages.ts'
import type { SearchTerm } from '../../../storage/search-text.ts'
import { notErased } from '../erasure/erasures.ts'
import { contentHasTerms, textHasTerms } from '../search/search-conditions.ts'
import type { SearchSource } from '../search/search-list.ts'
import type { SearchPlan } from '../search/search-query.ts'
import { allOf, type Condition, paramsOf } from './list-query.ts'

/* A search of conversations reads their messages too, which the declaration of the kind cannot express. */

function messageHasTerms(name: string, terms: readonly SearchTerm[], isErasing: boolean): Condition[] {
  return [...contentHasTerms(`${name}.doc`, terms), ...(isErasing ? [notErased('messages', `${name}.`)] : [])]
}

/** So many messages of a conversation are compared to estimate in how many of them the terms are. */
const comparedMax = 30

/**
 * Returns the part of its conversation that a message with the terms is: a half when two messages have them. A long
 * conversation counts as nothing.
 */
function shareOfConversation(terms: readonly SearchTerm[], isErasing: boolean): Condition {
  const where = messageHasTerms('o', terms, isErasing)
  const messages = `SELECT * FROM messages AS x WHERE x.tenant_id = @tenant
    AND x.conversation_id = m.conversation_id LIMIT ${comparedMax + 1}`
  return {
    sql: `(SELECT CASE WHEN count(*) > ${comparedMax} THEN 0 ELSE 1.0 / max(total(${allOf(where)}), 1) END
      FROM (${messages}) AS o)`,
    params: paramsOf(where),
  }
}

/** Returns the sources of matches, which have all terms in the subject, or all in one message: the larger source first. */
export function conversationSources(terms: readonly SearchTerm[], isErasing: boolean) {
  return ({ unsure }: SearchPlan): SearchSource[] => [
    {
      indexTable: 'message_search',
      table: 'messages',
      rows: 'messages AS m ON m.n = f.rowid AND m.tenant_id = @tenant',
      where: messageHasTerms('m', unsure, isErasing),
      listId: 'm.conversation_id',
      share: shareOfConversation(terms, isErasing),
    },
    {
      indexTable: 'conversation_search',
      table: 'conversations',
      rows: 'conversations AS m ON m.n = f.rowid AND m.tenant_id = @tenant',
      where: textHasTerms('m.search_text', unsure),
      listId: 'm.id',
      share: { sql: '1', params: [] },
    },
  ]
}

/** Returns the conditions of which one makes a conversation, called by the alias, a match, whatever its texts are. */
export function otherMatches(
  {
    searchedCustomers = [],
    searchedConversations = [],
  }: Pick<ConversationFilter, 'searchedCustomers' | 'searchedConversations'>,
  alias: string,
): Condition[] {
  const isAmong = (column: string, ids: readonly string[]): Condition[] =>
    ids.length === 0
      ? []
      : [
          {
            sql: `${alias}.${column} IN (SELECT value FROM json_each(?))`,
            params: [JSON.stringify(ids)],
          },
        ]
  return [...isAmong('customer_id', searchedCustomers), ...isAmong('id', searchedConversations)]
}

interface SearchedConversations {
  terms: readonly SearchTerm[]
  /** On `conversations`. */
  others: readonly Condition[]
}

/** Returns the condition that all terms are in the subject, or all in the content of one message, or one of the others. */
export function conversationTextHasTerms(
  { terms, others }: SearchedConversations,
  isErasing: boolean,
): Condition[] {
  const subject = textHasTerms('search_text', terms)
  const message = messageHasTerms('m', terms, isErasing)
  const sql = `((${allOf(subject)}) OR EXISTS (SELECT 1 FROM messages AS m WHERE m.tenant_id = @tenant
    AND m.conversation_id = conversations.id AND ${allOf(message)})${others.map(({ sql }) => ` OR ${sql}`).join('')})`
  return [{ sql, params: [...paramsOf(subject), ...paramsOf(message), ...paramsOf([...others])] }]
}
