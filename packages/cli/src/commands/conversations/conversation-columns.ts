import type { Conversation, PopulatedConversation } from '@crmkit/sdk'
import type { Column, Tone } from '../../output/column.ts'
import { type Names, nameOfCustomer, nameOfUser } from './read-names.ts'

type Ids = Pick<Conversation, 'customerId' | 'assignedTo' | 'inboxId'>
type Plain = Omit<Conversation, keyof Ids>

const tones: Readonly<Record<string, Tone>> = { urgent: 'bad', high: 'attention', closed: 'quiet' }
const toneOf = (value: string) => tones[value]

const subject: Column<Plain> = {
  title: 'Subject',
  value: (row) => row.subject,
  isFlexible: true,
  isMain: true,
}
const status: Column<Plain> = {
  title: 'Status',
  value: (row) => row.status,
  tone: (row) => toneOf(row.status),
}
const priority: Column<Plain> = {
  title: 'Priority',
  value: (row) => row.priority,
  isOptional: true,
  tone: (row) => toneOf(row.priority),
}
const channel: Column<Plain> = { title: 'Channel', value: (row) => row.channel, isOptional: true }
const labels: Column<Plain> = {
  title: 'Labels',
  value: (row) => row.labels,
  isFlexible: true,
  isOptional: true,
}
const snoozedUntil: Column<Plain> = {
  title: 'Snoozed until',
  value: (row) => row.snoozedUntil,
  isDeadline: true,
  isDetail: true,
}
const messages: Column<Plain> = { title: 'Messages', value: (row) => row.messageCount, isOptional: true }
const unread: Column<Conversation> = {
  title: 'Unread',
  value: (row) => row.unread?.count || null,
  textForPeople: ({ unread }) => (unread?.count === 100 ? '100 or more' : `${unread?.count || ''}`),
  isOptional: true,
}
const waiting: Column<Plain> = {
  title: 'Waiting since',
  value: (row) => row.waitingSince,
  isTime: true,
  isDetail: true,
}
const lastMessage: Column<Plain> = {
  title: 'Last message',
  value: (row) => row.lastMessage?.preview ?? null,
  isFlexible: true,
  isDetail: true,
}
const updated: Column<Plain> = { title: 'Updated', value: (row) => row.updatedAt, isTime: true }
const id: Column<Plain> = { title: 'Id', value: (row) => row._id }

/** The columns of a pipe, which stay as they are. */
export const conversationColumns: readonly Column<Conversation>[] = [
  id,
  subject,
  status,
  priority,
  channel,
  { title: 'Assigned to', value: (row) => row.assignedTo, isFlexible: true, isOptional: true },
  labels,
  { title: 'Customer', value: (row) => row.customerId, isDetail: true },
  { title: 'Inbox', value: (row) => row.inboxId, isDetail: true },
  snoozedUntil,
  messages,
  updated,
]

/** The columns of a terminal: people by their names, and what an agent reads first at the left. */
export function namedColumns(names: Names): readonly Column<Conversation>[] {
  return [
    subject,
    {
      title: 'Customer',
      value: (row) => names.customers.get(row.customerId ?? '') ?? row.customerId,
      isFlexible: true,
      isOptional: true,
    },
    status,
    {
      title: 'Assigned to',
      value: (row) => names.users.get(row.assignedTo ?? '') ?? row.assignedTo,
      isFlexible: true,
      isOptional: true,
    },
    unread,
    waiting,
    updated,
    lastMessage,
    priority,
    { title: 'Inbox', value: (row) => names.inboxes.get(row.inboxId) ?? row.inboxId, isDetail: true },
    snoozedUntil,
    messages,
    labels,
    channel,
    id,
  ]
}

/** The columns of `get`, where customer and assignee are objects. */
export const populatedColumns: readonly Column<PopulatedConversation>[] = [
  id,
  subject,
  status,
  priority,
  channel,
  { title: 'Assigned to', value: ({ assignedTo }) => assignedTo && nameOfUser(assignedTo) },
  labels,
  {
    title: 'Customer',
    value: ({ customerId }) => customerId && `${nameOfCustomer(customerId)} (${customerId._id})`,
    isDetail: true,
  },
  { title: 'Inbox', value: (row) => row.inboxId, isDetail: true },
  snoozedUntil,
  { ...messages, textForPeople: (row) => `${row.messageCount}, notes not counted` },
  waiting,
  lastMessage,
  updated,
]
