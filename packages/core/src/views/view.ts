import { z } from 'zod'
import { conversationSorts } from '../conversations/conversation-operations.ts'
import { channels, conversationStatuses, priorities } from '../conversations/conversation-values.ts'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { type ReferenceKind, referenceTo } from '../shared/reference.ts'
import { moment, requiredText, timestamp } from '../shared/text.ts'

/** The most views of one user alone, and of the team. */
export const ownViewsMax = 100
export const sharedViewsMax = 200

const idOf = (kind: ReferenceKind) => referenceTo(kind, z.string().min(1).max(128))
const fieldText = {
  name: 'Name of the view, for people.',
  filter:
    'Parameters of the list of conversations, which choose those that the view shows. Without any it shows all of them. It loses a customer who is erased, and a user who is removed.',
  sort: 'Order of the conversations, as in their list.',
  isShared: 'Whether the whole team sees it. Otherwise only its owner does.',
}

const filterText = {
  status: 'Only conversations in one of these states.',
  priority: 'Only conversations of this priority.',
  channel: 'Only conversations of this channel.',
  assignedTo: 'Only conversations of this user; `me` is whoever looks, `none` finds the unassigned.',
  inboxId: 'Only conversations of this inbox.',
  customerId: 'Only conversations of this customer.',
  label: 'Only conversations with this label.',
  search: 'Terms that must all occur in the subject, in one message, or in the customer.',
  updatedSince: 'Only conversations that changed at or after this time.',
  createdSince: 'Only conversations that began at or after this time.',
  createdUntil: 'Only conversations that began at or before this time.',
  waiting: 'True: only conversations whose customer waits for a reply; false: only the others.',
}
const words = {
  status: z
    .array(z.enum(conversationStatuses))
    .max(conversationStatuses.length)
    .optional()
    .describe(filterText.status),
  priority: z.enum(priorities).optional().describe(filterText.priority),
  channel: z.enum(channels).optional().describe(filterText.channel),
  waiting: z.boolean().optional().describe(filterText.waiting),
}
const shownText = z.string().optional()

const viewFilter = z
  .object({
    ...words,
    assignedTo: shownText.describe(filterText.assignedTo),
    inboxId: shownText.describe(filterText.inboxId),
    customerId: shownText.describe(filterText.customerId),
    label: shownText.describe(filterText.label),
    search: shownText.describe(filterText.search),
    updatedSince: timestamp.optional().describe(filterText.updatedSince),
    createdSince: timestamp.optional().describe(filterText.createdSince),
    createdUntil: timestamp.optional().describe(filterText.createdUntil),
  })
  .meta({ id: 'ViewFilter', description: 'The parameters that choose the conversations of a view.' })
export type ViewFilter = z.infer<typeof viewFilter>

/** The parameters of the list of conversations, as JSON. */
const newViewFilter = z
  .strictObject({
    ...words,
    assignedTo: idOf('user').optional().describe(filterText.assignedTo),
    inboxId: idOf('inbox').optional().describe(filterText.inboxId),
    customerId: idOf('customer').optional().describe(filterText.customerId),
    label: requiredText(64).optional().describe(filterText.label),
    search: requiredText(200).optional().describe(filterText.search),
    updatedSince: moment.optional().describe(filterText.updatedSince),
    createdSince: moment.optional().describe(filterText.createdSince),
    createdUntil: moment.optional().describe(filterText.createdUntil),
  })
  .meta({
    id: 'NewViewFilter',
    description: 'The parameters that are to choose the conversations of a view.',
  })

export const view = z
  .object({
    _id: ownId('view'),
    tenantId,
    name: z.string().describe(fieldText.name),
    filter: viewFilter.describe(fieldText.filter),
    sort: z.enum(conversationSorts).describe(fieldText.sort),
    isShared: z.boolean().describe(fieldText.isShared),
    ownerId: z
      .string()
      .nullable()
      .describe('Id of the user who made it, or took it for themselves. Null: the user was removed.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'View', description: 'A saved list of conversations: a filter and an order with a name.' })
export type View = z.infer<typeof view>

const settings = {
  name: requiredText(100).describe(fieldText.name),
  filter: newViewFilter.describe(fieldText.filter),
  sort: z.enum(conversationSorts).optional().describe(`${fieldText.sort} Default: \`-updatedAt\`.`),
  isShared: z.boolean().optional().describe(`${fieldText.isShared} Default: false.`),
}

export const createViewBody = z
  .strictObject(settings)
  .meta({ id: 'CreateView', description: 'The fields of a new view.' })

export const updateViewBody = z.strictObject(settings).partial().meta({
  id: 'UpdateView',
  description: 'Changes of a view. An absent field keeps its value; a filter replaces the whole filter.',
})
export type UpdateViewBody = z.output<typeof updateViewBody>
