import { z } from 'zod'
import { channels, conversationStatuses, priorities } from '../conversations/conversation-values.ts'
import { customerStatuses, customerTiers } from '../customers/customer.ts'
import { contentTypes, messageStatuses } from '../messages/message.ts'
import { offeredChoices } from '../messages/message-choices.ts'
import { customFields } from '../shared/custom-fields.ts'
import { rule } from '../shared/rule.ts'
import { moment } from '../shared/text.ts'
import { callDirections, callKinds } from '../telephony/call-values.ts'
import type { PackageKind } from './package-values.ts'

const id = z.string().min(1).max(200)
const reference = (to: string) => id.nullable().optional().describe(`Id of the ${to}; null: none.`)
const text = (description: string) => z.string().max(2_000).nullable().optional().describe(description)
const time = (description: string) => moment.nullable().optional().describe(description)
const flag = (description: string) => z.boolean().nullable().optional().describe(description)
const texts = (description: string) =>
  z.array(z.string().max(2_000)).max(1_000).nullable().optional().describe(description)

const common = {
  externalUrl: text('Address of the record at the source.'),
  customFields: customFields.nullable().optional().describe('Further fields. At most 200 fields and 32 KB.'),
}

export const packageAuthor = z
  .strictObject({
    type: z
      .enum(['agent', 'person', 'participant', 'system'])
      .describe('`agent`: of the team; `person`: one of `people`; `participant`: somebody else; `system`.'),
    id: reference('agent or the person'),
    name: text('Name.'),
    email: text('E-mail address.'),
  })
  .meta({ id: 'PackageAuthor', description: 'The author of a message or a note.' })
export type PackageAuthor = z.infer<typeof packageAuthor>

const named = z.strictObject({ address: z.string().max(320), name: text('Name.') })
const recipients = (description: string) =>
  z.array(named).max(500).nullable().optional().describe(description)
const content = z.string().describe('Text.')
const contentType = z.enum(contentTypes).describe('Markup of the text.')
const attachmentIds = z.array(id).max(100).nullable().optional().describe('Ids of its files.')
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const agents = z.strictObject({
  id,
  email: text('E-mail address: a user with it is the agent here.'),
  name: z.string().max(2_000).describe('Name.'),
  role: text('Role, in the words of the source.'),
  isActive: flag('Whether the agent works there still.'),
  ...common,
})

const inboxes = z.strictObject({
  id,
  name: z.string().max(2_000).describe('Name.'),
  channel: z.enum(channels).nullable().optional().describe('Channel.'),
  address: text('E-mail address or number.'),
  ...common,
})

const labels = z.strictObject({
  id,
  name: z.string().max(2_000).describe('Name.'),
  color: text('Colour.'),
  ...common,
})

const replies = z.strictObject({
  id,
  title: z.string().max(2_000).describe('Title.'),
  content,
  contentType: contentType.nullable().optional(),
  shortcut: text('Word by which an agent finds it.'),
  ...common,
})

const organisations = z.strictObject({
  id,
  name: z.string().max(2_000).describe('Name.'),
  domains: texts('Domains of its people.'),
  ...common,
})

const people = z.strictObject({
  id,
  firstName: text('First name.'),
  lastName: text('Last name.'),
  name: text('Whole name, where the source does not divide it.'),
  emails: z
    .array(z.strictObject({ address: z.string().max(320), isPrimary: flag('Whether it is the first one.') }))
    .max(100)
    .nullable()
    .optional()
    .describe('E-mail addresses.'),
  phones: z
    .array(z.strictObject({ number: z.string().max(100), isPrimary: flag('Whether it is the first one.') }))
    .max(100)
    .nullable()
    .optional()
    .describe('Phone numbers.'),
  organisationId: reference('organisation'),
  company: text('Company, where it is no organisation.'),
  jobTitle: text('Position in the company.'),
  tags: texts('Tags.'),
  tier: z.enum(customerTiers).nullable().optional().describe('Service level.'),
  status: z.enum(customerStatuses).nullable().optional().describe('State of the relationship.'),
  isBlocked: flag('Whether the person is blocked.'),
  createdAt: time('Time of creation.'),
  updatedAt: time('Time of the last change.'),
  ...common,
})

const conversations = z.strictObject({
  id,
  subject: z.string().max(10_000).describe('Subject; may be empty.'),
  status: z.enum(conversationStatuses).describe('State.'),
  statusWord: text('State, in the words of the source.'),
  snoozedUntil: time('Time at which it opens again.'),
  priority: z.enum(priorities).nullable().optional().describe('Priority.'),
  channel: z.enum(channels).nullable().optional().describe('Channel.'),
  personId: reference('person'),
  participants: recipients('People who take part beside the person.'),
  assigneeId: reference('agent'),
  inboxId: reference('inbox'),
  labels: texts('Names of its labels.'),
  createdAt: moment.describe('Time of creation.'),
  updatedAt: time('Time of the last change.'),
  closedAt: time('Time at which it was closed.'),
  lastMessageAt: time('Time of its last message; absent: that of its last message in the package.'),
  firstResponseAt: time('Time of the first reply of an agent; absent: worked out; null: none.'),
  previousId: reference('conversation before it'),
  mergedInto: reference('conversation that it was merged into'),
  ...common,
})

const messages = z.strictObject({
  id,
  conversationId: id.describe('Id of the conversation.'),
  direction: z
    .enum(['inbound', 'outbound'])
    .describe('`inbound` from the customer, `outbound` to the customer.'),
  author: packageAuthor,
  content,
  contentType,
  createdAt: moment.describe('Time at which it was written.'),
  subject: text('Subject of the mail.'),
  to: recipients('Recipients.'),
  cc: recipients('Recipients of a copy.'),
  messageId: text('Message-ID of the mail, by which replies find the conversation.'),
  inReplyTo: text('Message-ID of the mail before it.'),
  references: texts('Message-IDs of all mails before it.'),
  choices: offeredChoices.describe('Replies that the message offered to a visitor as buttons, at most 6.'),
  choice: z
    .strictObject({ messageId: id.describe('Id of the message that offered it.'), choiceId: id })
    .nullable()
    .optional()
    .describe('The choice that the visitor made by this message; null: none.'),
  status: z.enum(messageStatuses).nullable().optional().describe('Progress of the transmission.'),
  attachmentIds,
  truncated: flag('Whether the source gave a part of the text only.'),
  ...common,
})

const notes = z
  .strictObject({
    id,
    conversationId: reference('conversation'),
    personId: reference('person, for a note about no conversation'),
    author: packageAuthor,
    content,
    contentType,
    createdAt: moment.describe('Time at which it was written.'),
    attachmentIds,
    ...common,
  })
  .refine(
    ({ conversationId, personId }) => Boolean(conversationId ?? personId),
    rule('required', 'must name a conversation or a person'),
  )

const calls = z.strictObject({
  id,
  kind: z.enum(callKinds).nullable().optional().describe('Kind of activity. Default: call.'),
  direction: z.enum(callDirections).nullable().optional().describe('Direction, seen from the team.'),
  from: text('Number of the caller.'),
  to: text('Number that was called.'),
  personId: reference('person'),
  conversationId: reference('conversation'),
  agentId: reference('agent'),
  startedAt: time('Time at which it began.'),
  endedAt: time('Time at which it ended.'),
  durationSeconds: z.int().min(0).nullable().optional().describe('Length in seconds.'),
  notes: z.string().nullable().optional().describe('Notes of the team.'),
  attachmentIds,
  ...common,
})

const ratings = z.strictObject({
  conversationId: id.describe('Id of the conversation.'),
  score: z.number().describe('Score.'),
  scale: z.number().describe('Largest score.'),
  comment: z.string().nullable().optional().describe('Words of the customer.'),
  at: moment.describe('Time of the rating.'),
  ...common,
})

const attachments = z
  .strictObject({
    id,
    filename: z.string().max(2_000).describe('Name of the file.'),
    contentType: text('Media type.'),
    size: z.int().min(0).describe('Size in bytes.'),
    sha256: sha256.nullable().describe('SHA-256 of the bytes, in hexadecimal; null: they are missing.'),
    missing: text('Reason why the bytes are missing.'),
    isInline: flag('Whether the text shows it.'),
    contentId: text('Id by which the text names it.'),
    ...common,
  })
  .refine(
    ({ sha256: digest, missing }) => digest !== null || Boolean(missing),
    rule('required', 'must say why its bytes are missing'),
  )

const suppressions = z.strictObject({
  address: z.string().max(320).describe('E-mail address to which nothing is sent.'),
  reason: z.string().max(2_000).describe('Reason.'),
  ...common,
})

/** The schema of one line of each kind. */
export const packageRecords = {
  agents,
  inboxes,
  labels,
  replies,
  organisations,
  people,
  conversations,
  messages,
  notes,
  calls,
  ratings,
  attachments,
  suppressions,
} as const satisfies Readonly<Record<PackageKind, z.ZodObject>>

/** A record as a writer gives it. */
export type PackageRecordInput<K extends PackageKind> = z.input<(typeof packageRecords)[K]>
/** A record as it is read: times in UTC. */
export type PackageRecord<K extends PackageKind> = z.output<(typeof packageRecords)[K]>

/** The field whose month the figures of a kind go by. */
export const timeFields: Readonly<Partial<Record<PackageKind, string>>> = {
  people: 'createdAt',
  conversations: 'createdAt',
  messages: 'createdAt',
  notes: 'createdAt',
  calls: 'startedAt',
  ratings: 'at',
}

/** Returns the month of a record in UTC, as `YYYY-MM`; null for one without a time, undefined for a kind without times. */
export function monthOf(kind: PackageKind, record: object): string | null | undefined {
  const field = timeFields[kind]
  if (field === undefined) return undefined
  const value: unknown = Reflect.get(record, field)
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 7)
}
