import type { SearchTerm } from '../../../storage/search-text.ts'
import { notErased } from '../erasure/erasures.ts'
import { inIndex, textHasTerms } from '../search/search-conditions.ts'
import type { SearchSource } from '../search/search-list.ts'
import type { SearchPlan } from '../search/search-query.ts'
import type { Condition } from './list-query.ts'

/* A search of conversations reads their messages too, which the declaration of the kind cannot express. */

/** Returns the sources of matches, which have all terms in the subject, or all in one message. */
export function conversationSources({ match, unsure }: SearchPlan, isErasing: boolean): SearchSource[] {
  const subjects =
    'conversation_search AS f CROSS JOIN conversations AS t ON t.n = f.rowid AND t.tenant_id = @tenant'
  const messages = `message_search AS f CROSS JOIN messages AS m ON m.n = f.rowid AND m.tenant_id = @tenant
    CROSS JOIN conversations AS t ON t.id = m.conversation_id AND t.tenant_id = @tenant`
  const inMessage = { sql: 'matches_content(m.doc, ?)', params: [JSON.stringify(unsure)] }
  return [
    {
      from: subjects,
      where: [...inIndex('conversation_search', match), ...textHasTerms('search_text', unsure)],
    },
    {
      from: messages,
      where: [
        ...inIndex('message_search', match),
        inMessage,
        ...(isErasing ? [notErased('messages', 'm.')] : []),
      ],
    },
  ]
}

/** Returns the condition that all terms are in the subject, or all in the content of one message. */
export function conversationTextHasTerms(terms: readonly SearchTerm[], isErasing: boolean): Condition[] {
  const json = JSON.stringify(terms)
  const isShown = isErasing ? ` AND ${notErased('messages', 'm.').sql}` : ''
  const sql = `(matches_text(search_text, ?) OR EXISTS (SELECT 1 FROM messages AS m WHERE m.tenant_id = @tenant
    AND m.conversation_id = conversations.id AND matches_content(m.doc, ?)${isShown}))`
  return [{ sql, params: [json, json] }]
}
