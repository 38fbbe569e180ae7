import type { Conversation, Message, StoredMessage, WidgetConversation, WidgetMessage } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { displayNameOf } from '../../shared/display-name-of.ts'
import { plainTextOf } from '../../shared/plain-text.ts'

/** More unread replies than these are counted as so many. */
const unreadMax = 100

/** Returns a conversation as its visitor sees it, without ids of the tenant, its users and its customers. */
export async function showConversation(store: TenantReads, row: Conversation): Promise<WidgetConversation> {
  const { _id, subject, status, createdAt, updatedAt, lastMessageAt, readAt, rating } = row
  const [unreadCount, agent] = await Promise.all([countUnread(store, row), findAgent(store, row.assignedTo)])
  return { _id, subject, status, createdAt, updatedAt, lastMessageAt, unreadCount, readAt, rating, agent }
}

async function findAgent(
  store: TenantReads,
  assignedTo: string | null,
): Promise<WidgetConversation['agent']> {
  const user = assignedTo === null ? undefined : await store.users.find(assignedTo)
  return user ? { name: user.firstName } : null
}

async function countUnread(
  store: TenantReads,
  { _id, lastMessageAt, readAt }: Conversation,
): Promise<number> {
  const since = readAt.customer ?? ''
  if (lastMessageAt === null || lastMessageAt <= since) return 0
  const filter = { conversationId: _id, sort: '-createdAt', page: 1, limit: unreadMax } as const
  const { rows } = await store.messages.listRows(filter)
  return rows.filter(({ direction, createdAt }) => direction === 'outbound' && createdAt > since).length
}

/** Whether the visitor may see a message: notes and activities are the team's. */
export function isShown({ direction }: Pick<Message, 'direction'>): boolean {
  return direction !== 'internal'
}

export type Format = 'text' | 'markdown'

/**
 * Returns a message as the visitor sees it: plain text, or Markdown for a program that asks for it, with addresses that a visitor
 * can read.
 */
export async function showMessage(
  store: TenantReads,
  message: StoredMessage,
  format: Format = 'text',
): Promise<WidgetMessage> {
  const { _id, conversationId, direction, contentType, clientMessageId, createdAt } = message
  const content = contentType === 'html' ? plainTextOf(message.content) : message.content
  return {
    _id,
    conversationId,
    direction,
    sender: { type: message.sender.type, name: await nameOf(store, message.sender) },
    content,
    // Signs in the text of a visitor mean nothing.
    contentType:
      format === 'markdown' && contentType === format && direction === 'outbound' ? format : 'text',
    // A file that the team does not keep any more is nothing to a visitor.
    attachments: message.attachments
      .filter(({ removedAt }) => removedAt === undefined)
      .map((file) => ({ ...file, url: visitorUrl(file.url) })),
    choices: message.choices ?? [],
    choice: message.choice ?? null,
    clientMessageId: direction === 'inbound' ? clientMessageId : null,
    createdAt,
  }
}

/** The stored address needs a credential of the team. It keeps the path under which the service is mounted. */
export function visitorUrl(url: string): string {
  return url.replace('/api/v1/attachments/', '/api/v1/widget/attachments/')
}

/**
 * Returns the first name of an agent, and never an address: where somebody has no name, it stands in for one. A customer has no
 * name here: the team may have taken the visitor for another one, whose name the visitor must not learn.
 */
async function nameOf(store: TenantReads, { type, _id, name }: Message['sender']): Promise<string | null> {
  if (type === 'customer') return null
  if (type === 'api') return displayNameOf(store, _id)
  const user = type === 'user' && _id !== null ? await store.users.find(_id) : undefined
  if (user) return user.firstName
  // The user was deleted. The message keeps the name.
  const shown = type === 'user' ? name?.split(' ', 1)[0] : name
  return shown === undefined || shown?.includes('@') ? null : shown
}
