import type { Conversation, ConversationsListQuery } from '@crmkit/sdk'

/** The lists of the inbox that every person has. */
export const viewNames = ['mine', 'unassigned', 'waiting', 'open', 'pending', 'snoozed', 'closed'] as const
export type ViewName = (typeof viewNames)[number]

export const priorities = ['low', 'medium', 'high', 'urgent'] as const
/** In the order of the menu. */
export const channels = [
  'email',
  'chat',
  'phone',
  'whatsapp',
  'instagram',
  'twitter',
  'facebook',
  'sms',
] as const
export const orders = ['waiting', '-lastMessageAt', 'createdAt', '-createdAt', 'priority'] as const
type Order = (typeof orders)[number]

/** How the rows of a list are narrowed and ordered; an absent field changes nothing. */
export interface ListFilter {
  readonly priority?: string | undefined
  readonly channel?: string | undefined
  /** Without regard to case. */
  readonly label?: string | undefined
  /** Id of a user; `none` for conversations without one. */
  readonly assignedTo?: string | undefined
  readonly sort?: string | undefined
}

export const filterFields = ['priority', 'channel', 'label', 'assignedTo', 'sort'] as const

/** A list of conversations: one of the views, one inbox, or a search. */
export interface ListName {
  readonly view: ViewName
  readonly inboxId?: string | undefined
  readonly search?: string | undefined
  readonly filter?: ListFilter | undefined
}

export function isViewName(name: string | undefined): name is ViewName {
  return viewNames.some((known) => known === name)
}

export function keyOf({ view, inboxId = '', search = '', filter = {} }: ListName): string {
  return JSON.stringify([view, inboxId, search, filterFields.map((field) => filter[field] || '')])
}

/** The order of a list that names none: where somebody has work to do, whoever waits longest comes first. */
export function defaultOrderOf({ view, inboxId }: ListName): Order {
  const isWork = view === 'mine' || view === 'unassigned' || view === 'waiting'
  return isWork && inboxId === undefined ? 'waiting' : '-lastMessageAt'
}

function orderOf(name: ListName): Order {
  return oneOf(orders, name.filter?.sort) ?? defaultOrderOf(name)
}

/** The value of a filter of the address, which may hold anything. */
function oneOf<T extends string>(values: readonly T[], value: string | undefined): T | undefined {
  return values.find((known) => known === value)
}

const notClosed = ['open', 'pending', 'snoozed'] as const

/** The request for a page of a list. */
export function queryOf(name: ListName): ConversationsListQuery {
  const { view, inboxId, search, filter = {} } = name
  const shared = {
    inboxId,
    search: search || undefined,
    limit: 100,
    priority: oneOf(priorities, filter.priority),
    channel: oneOf(channels, filter.channel),
    label: filter.label || undefined,
    assignedTo: filter.assignedTo || undefined,
    sort: orderOf(name),
  }
  if (view === 'mine') return { ...shared, assignedTo: 'me', status: notClosed }
  if (view === 'waiting') return { ...shared, waiting: true, status: ['open', 'pending'] }
  if (view === 'unassigned') return { ...shared, assignedTo: 'none', status: notClosed }
  return { ...shared, status: view }
}

/**
 * Whether a changed conversation belongs to a list. Undefined: only the service knows, because it searches texts that the
 * console has not loaded.
 */
export function belongsTo(
  { view, inboxId, search, filter = {} }: ListName,
  conversation: Pick<
    Conversation,
    'status' | 'assignedTo' | 'inboxId' | 'priority' | 'channel' | 'labels' | 'waitingSince'
  >,
  myId: string,
): boolean | undefined {
  const { status, assignedTo } = conversation
  if (inboxId !== undefined && conversation.inboxId !== inboxId) return false
  if (!passes(filter, conversation)) return false
  const isOpen = status !== 'closed'
  const isIn =
    view === 'mine'
      ? isOpen && assignedTo === myId
      : view === 'unassigned'
        ? isOpen && assignedTo === null
        : view === 'waiting'
          ? isOpen && status !== 'snoozed' && conversation.waitingSince !== null
          : status === view
  return isIn && search ? undefined : isIn
}

function passes(
  { priority, channel, label, assignedTo }: ListFilter,
  conversation: Pick<Conversation, 'assignedTo' | 'priority' | 'channel' | 'labels'>,
): boolean {
  return (
    (!priority || conversation.priority === priority) &&
    (!channel || conversation.channel === channel) &&
    (!assignedTo || (conversation.assignedTo ?? 'none') === assignedTo) &&
    (!label || conversation.labels.some((one) => one.toLowerCase() === label.toLowerCase()))
  )
}

/** Whether a conversation stands before another one in a list. Two of one time or priority stand by their ids. */
export function standsBefore(name: ListName): (a: Conversation, b: Conversation) => boolean {
  const order = orderOf(name)
  const isDescending = order !== 'createdAt' && order !== 'waiting'
  const key = (conversation: Conversation): string => {
    if (order === 'priority') return String(priorities.indexOf(conversation.priority as never))
    const { createdAt, lastMessageAt, waitingSince } = conversation
    const activity = lastMessageAt ?? createdAt
    if (order === 'waiting') return waitingSince ?? `Z${1e14 - Date.parse(activity)}`
    return order === '-lastMessageAt' ? activity : createdAt
  }
  return (a, b) => {
    const [first, second] = isDescending ? [b, a] : [a, b]
    const [firstKey, secondKey] = [key(first), key(second)]
    return firstKey === secondKey ? first._id < second._id : firstKey < secondKey
  }
}
