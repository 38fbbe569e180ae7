import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { externalLinkId } from '../../storage/external-ids.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'

const pageSize = 50
/** Only the run itself has changed a conversation that it may remove. */
const activitiesMax = 100

interface Undone {
  conversation: ConversationRecord
  link: ImportLinkRecord
}

type FoundMessage = Awaited<ReturnType<TenantStore['messages']['list']>>['rows'][number]

/** Every message but an imported one raises `seq`, also one that was taken back since. */
function isWrittenIn({ seq, importedSeq = 0 }: ConversationRecord): boolean {
  // Rows of earlier versions have no `seq`.
  return (seq ?? 0) > importedSeq
}

/** A link of an earlier version does not name the description; it has the form of the customer's own words. */
function isDescription(message: FoundMessage, { descriptionId }: ImportLinkRecord): boolean {
  if (descriptionId !== undefined) return message._id === descriptionId
  const { type, direction, externalId, sender } = message
  return type === 'reply' && direction === 'inbound' && externalId === null && sender.type === 'customer'
}

/** Returns whether the conversation has a message that the run did not make: then it keeps all of them. */
export async function hasOtherMessages(
  store: TenantStore,
  { runId, conversation, link }: Undone & { runId: string },
): Promise<boolean> {
  if (isWrittenIn(conversation)) return true
  let cursor: string | undefined
  do {
    const paging = { page: 1, limit: pageSize, ...(cursor !== undefined && { cursor }) }
    const messages = await store.messages.listRows({ conversationId: conversation._id, ...paging })
    const isOwn = await Promise.all(
      messages.rows.map(async (message) => {
        if (message.externalId === null) return isDescription(message, link)
        const made = await store.importLinks.find(externalLinkId(message.externalId))
        return made?.madeBy === runId
      }),
    )
    if (isOwn.includes(false)) return true
    cursor = messages.nextCursor ?? undefined
  } while (cursor !== undefined)
  return false
}

/**
 * Returns the writes that remove the messages and the timeline of a conversation before it is removed itself; undefined when it has a
 * message beside its description, so that it stays. They conflict with a message that is written at the same moment: a
 * message raises `seq` and not the version of the row.
 */
export async function removalOfMessages(
  store: TenantStore,
  { conversation, link }: Undone,
): Promise<Write[] | undefined> {
  const { _id: id, seq, messageCount } = conversation
  if (isWrittenIn(conversation)) return undefined
  const { rows } = await store.messages.listRows({ conversationId: id, page: 1, limit: 2 })
  const activities = await store.activities.listRows({ conversationId: id, page: 1, limit: activitiesMax })
  if (activities.nextCursor !== null) return undefined
  if (!rows.every((message) => isDescription(message, link))) return undefined
  const unwritten: Write = { op: 'patch', kind: 'conversations', id, when: { seq, messageCount } }
  return [
    unwritten,
    ...rows.map((row) => removalOf('messages', row)),
    ...activities.rows.map((row) => removalOf('activities', row)),
  ]
}
