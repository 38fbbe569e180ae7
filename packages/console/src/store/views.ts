import type { Conversation, ConversationsListQuery, CreateView, View } from '@crmkit/sdk'

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
type Order = NonNullable<ConversationsListQuery['sort']>

/** How the rows of a list are narrowed and ordered; an absent field changes nothing. */
export interface ListFilter {
  readonly priority?: string | undefined
  readonly channel?: string | undefined
  /** Without regard to case. */
  readonly label?: string | undefined
  /** Id of a user; `none` for conversations without one. */
  readonly assignedTo?: string | undefined
  readonly sort?: string | undefined
  /** Begun at this moment or later, in any state: the list behind a figure. ISO 8601. */
  readonly createdSince?: string | undefined
  /** Begun at this moment or before. */
  readonly createdUntil?: string | undefined
}

export const filterFields = [
  'priority',
  'channel',
  'label',
  'assignedTo',
  'sort',
  'createdSince',
  'createdUntil',
] as const

/** A list of conversations: one of the views, one inbox, or a search. */
export interface ListName {
  /** Of no meaning beside a saved view. */
  readonly view: ViewName
  /** The id of a saved view. */
  readonly savedId?: string | undefined
  /** The saved view of `savedId`, once it is known. */
  readonly saved?: View | undefined
  readonly inboxId?: string | undefined
  readonly search?: string | undefined
  readonly filter?: ListFilter | undefined
}

export function isViewName(name: string | undefined): name is ViewName {
  return viewNames.some((known) => known === name)
}

export function keyOf({ view, savedId, saved, inboxId = '', search = '', filter = {} }: ListName): string {
  const ofView = savedId === undefined ? view : [savedId, saved?.filter, saved?.sort]
  return JSON.stringify([ofView, inboxId, search, filterFields.map((field) => filter[field] || '')])
}

/** Whether a list is a saved view that is not read yet, or not there. */
export function isUnknown({ savedId, saved }: ListName): boolean {
  return savedId !== undefined && saved === undefined
}

/** Returns a list with its saved view, if it has one that is among these. */
export function withSaved(list: ListName, views: readonly View[] = []): ListName {
  return list.savedId === undefined ? list : { ...list, saved: views.find(({ _id }) => _id === list.savedId) }
}

/** Returns what a list shows as the filter and the order of a saved view. */
export function savedOf(name: ListName): Required<Pick<CreateView, 'filter' | 'sort'>> {
  const { limit: _limit, sort = '-updatedAt', status, ...rest } = queryOf(name)
  const values = Object.entries({ ...rest, status: status && [status].flat() })
  return { filter: Object.fromEntries(values.filter(([, value]) => value !== undefined)), sort }
}

/** The order of a list that names none: where somebody has work to do, whoever waits longest comes first. */
export function defaultOrderOf({ view, inboxId, saved }: ListName): Order {
  // The service gives words that its list takes.
  if (saved !== undefined) return saved.sort as Order
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

/** The moment of an address, which may hold anything. */
function momentOf(text: string | undefined): string | undefined {
  return text !== undefined && Number.isFinite(Date.parse(text)) ? text : undefined
}

const notClosed = ['open', 'pending', 'snoozed'] as const

/** The request for a page of a list. */
export function queryOf(name: ListName): ConversationsListQuery {
  const { view, inboxId, search, filter = {}, saved } = name
  const shared = {
    inboxId,
    search: search || undefined,
    limit: 100,
    priority: oneOf(priorities, filter.priority),
    channel: oneOf(channels, filter.channel),
    label: filter.label || undefined,
    assignedTo: filter.assignedTo || undefined,
    sort: orderOf(name),
    createdSince: momentOf(filter.createdSince),
    createdUntil: momentOf(filter.createdUntil),
  }
  if (saved !== undefined) {
    const words = [saved.filter.search, search].filter(Boolean).join(' ')
    const narrowed = Object.entries(shared).filter(([, value]) => value !== undefined)
    const filter = saved.filter as ConversationsListQuery
    return { ...filter, ...Object.fromEntries(narrowed), search: words || undefined }
  }
  if (view === 'mine') return { ...shared, assignedTo: 'me', status: notClosed }
  if (view === 'waiting') return { ...shared, waiting: true, status: ['open', 'pending'] }
  if (view === 'unassigned') return { ...shared, assignedTo: 'none', status: notClosed }
  return shared.createdSince ? shared : { ...shared, status: view }
}

type Listed = Pick<
  Conversation,
  | 'status'
  | 'assignedTo'
  | 'inboxId'
  | 'customerId'
  | 'priority'
  | 'channel'
  | 'labels'
  | 'waitingSince'
  | 'createdAt'
  | 'updatedAt'
>

/**
 * Whether a changed conversation belongs to a list. Undefined: only the service knows, because it searches texts that the
 * console has not loaded.
 */
export function belongsTo(name: ListName, conversation: Listed, myId: string): boolean | undefined {
  const { inboxId, search, filter = {}, saved } = name
  if (inboxId !== undefined && conversation.inboxId !== inboxId) return false
  if (!passes(filter, conversation, myId)) return false
  const isIn = saved === undefined ? isInView(name, conversation, myId) : isInSaved(saved, conversation, myId)
  return isIn && (search || saved?.filter.search) ? undefined : isIn
}

function isInView(
  { view, filter }: ListName,
  { status, assignedTo, waitingSince }: Listed,
  myId: string,
): boolean {
  const isOpen = status !== 'closed'
  if (view === 'mine') return isOpen && assignedTo === myId
  if (view === 'unassigned') return isOpen && assignedTo === null
  if (view === 'waiting') return isOpen && status !== 'snoozed' && waitingSince !== null
  return status === view || momentOf(filter?.createdSince) !== undefined
}

function isInSaved({ filter }: View, conversation: Listed, myId: string): boolean {
  const { status = [], inboxId, customerId, waiting } = filter
  const { updatedSince = '', createdSince = '', createdUntil = 'Z' } = filter
  const waits = conversation.waitingSince !== null && conversation.status !== 'closed'
  return (
    passes(filter, conversation, myId) &&
    (status.length === 0 || status.includes(conversation.status)) &&
    (inboxId === undefined || conversation.inboxId === inboxId) &&
    (customerId === undefined || conversation.customerId === customerId) &&
    (waiting === undefined || waits === waiting) &&
    conversation.updatedAt >= updatedSince &&
    conversation.createdAt >= createdSince &&
    conversation.createdAt <= createdUntil
  )
}

function passes(
  { priority, channel, label, assignedTo, createdSince, createdUntil }: ListFilter,
  conversation: Pick<Conversation, 'assignedTo' | 'priority' | 'channel' | 'labels' | 'createdAt'>,
  myId: string,
): boolean {
  const assignee = assignedTo === 'me' ? myId : assignedTo
  return (
    (!priority || conversation.priority === priority) &&
    (!channel || conversation.channel === channel) &&
    (!createdSince || conversation.createdAt >= createdSince) &&
    (!createdUntil || conversation.createdAt <= createdUntil) &&
    (!assignee || (conversation.assignedTo ?? 'none') === assignee) &&
    (!label || conversation.labels.some((one) => one.toLowerCase() === label.toLowerCase()))
  )
}

/** Whether a conversation stands before another one in a list. Two of one time or priority stand by their ids. */
export function standsBefore(name: ListName): (a: Conversation, b: Conversation) => boolean {
  const order = orderOf(name)
  const isDescending = order.startsWith('-') || order === 'priority'
  const key = (conversation: Conversation): string => {
    if (order === 'priority') return String(priorities.indexOf(conversation.priority as never))
    const { createdAt, updatedAt, lastMessageAt, waitingSince } = conversation
    const activity = lastMessageAt ?? createdAt
    if (order === 'waiting') return waitingSince ?? `Z${1e14 - Date.parse(activity)}`
    if (order === 'updatedAt' || order === '-updatedAt') return updatedAt
    return order === '-lastMessageAt' || order === 'lastMessageAt' ? activity : createdAt
  }
  return (a, b) => {
    const [first, second] = isDescending ? [b, a] : [a, b]
    const [firstKey, secondKey] = [key(first), key(second)]
    return firstKey === secondKey ? first._id < second._id : firstKey < secondKey
  }
}
