import type { Conversation, ConversationsListQuery } from '@crmkit/sdk'

/** The lists of the inbox that every person has. */
export const viewNames = ['mine', 'unassigned', 'open', 'pending', 'snoozed', 'closed'] as const
export type ViewName = (typeof viewNames)[number]

/** A list of conversations: one of the views, one inbox, or a search. */
export interface ListName {
  readonly view: ViewName
  readonly inboxId?: string | undefined
  readonly search?: string | undefined
}

export function isViewName(name: string | undefined): name is ViewName {
  return viewNames.some((known) => known === name)
}

export function keyOf({ view, inboxId = '', search = '' }: ListName): string {
  return JSON.stringify([view, inboxId, search])
}

const notClosed = ['open', 'pending', 'snoozed'] as const

/** The request for a page of a list. */
export function queryOf({ view, inboxId, search }: ListName): ConversationsListQuery {
  const shared = { inboxId, search: search || undefined, limit: 100 }
  if (view === 'mine') return { ...shared, assignedTo: 'me', status: notClosed }
  if (view === 'unassigned') return { ...shared, assignedTo: 'none', status: notClosed }
  return { ...shared, status: view }
}

/**
 * Whether a changed conversation belongs to a list. Undefined: only the service knows, because it searches texts that the
 * console has not loaded.
 */
export function belongsTo(
  { view, inboxId, search }: ListName,
  conversation: Pick<Conversation, 'status' | 'assignedTo' | 'inboxId'>,
  myId: string,
): boolean | undefined {
  const { status, assignedTo } = conversation
  if (inboxId !== undefined && conversation.inboxId !== inboxId) return false
  const isOpen = status !== 'closed'
  const isIn =
    view === 'mine'
      ? isOpen && assignedTo === myId
      : view === 'unassigned'
        ? isOpen && assignedTo === null
        : status === view
  return isIn && search ? undefined : isIn
}
