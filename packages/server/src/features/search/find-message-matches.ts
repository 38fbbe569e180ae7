import type { MessageMatch } from '@crmkit/core'
import { mergeTargetOf } from '../../shared/merged-conversation.ts'
import { plainTextOf } from '../../shared/plain-text.ts'
import type { Records } from '../../storage/kinds/registry.ts'
import type { Stored } from '../../storage/records.ts'
import { searchTerms } from '../../storage/search-text.ts'
import { findShownCustomer } from '../conversations/conversation-references.ts'
import { withUnread } from '../conversations/read-state.ts'
import { cutGroup, type GroupReader, type GroupSearch, isWanted, matchQueryOf } from './group-search.ts'
import { makeSnippet } from './make-snippet.ts'

type Message = Stored<Records['messages']>

/** Returns a match as the caller may see it; none when its conversation is deleted or not wanted. */
async function toMatch(reader: GroupReader, group: GroupSearch, message: Message): Promise<MessageMatch[]> {
  const { store, actor } = reader
  const conversation = await mergeTargetOf(store, await store.conversations.find(message.conversationId))
  if (conversation === undefined) return []
  if (!isWanted(group, await withUnread(reader, conversation))) return []
  const { content, contentType, type, direction, createdAt: at } = message
  const text = contentType === 'html' ? plainTextOf(content) : content
  return [
    {
      messageId: message._id,
      conversationId: conversation._id,
      subject: conversation.subject,
      customer: await findShownCustomer(store, { customerId: conversation.customerId, actor }),
      type,
      direction,
      at,
      ...makeSnippet(text, searchTerms(group.search.words)),
    },
  ]
}

/** Returns the messages that have all the words; none for a search of operators alone. */
export async function findMessageMatches(
  reader: GroupReader,
  group: GroupSearch,
): Promise<{ rows: MessageMatch[]; isPartial: boolean }> {
  if (group.search.words === '') return { rows: [], isPartial: false }
  const { rows, isPartial } = await reader.store.findMatches('messages', matchQueryOf(group))
  // Reads by id, all in one tick: MongoDB gets them as one command.
  const matches = await Promise.all(rows.map((message) => toMatch(reader, group, message)))
  return cutGroup(group, matches.flat(), { isPartial, read: rows.length })
}
