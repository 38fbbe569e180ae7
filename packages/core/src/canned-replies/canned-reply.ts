import { z } from 'zod'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { referenceTo } from '../shared/reference.ts'
import { requiredLines, requiredText } from '../shared/text.ts'
import { unknownVariables } from '../shared/text-variables.ts'

/** Variables that the text of a canned reply may name. */
const variableNames = [
  'customer.firstName',
  'customer.lastName',
  'customer.email',
  'customer.phone',
  'customer.company',
  'agent.firstName',
  'agent.lastName',
  'agent.email',
  'inbox.name',
  'conversation._id',
  'conversation.subject',
] as const
/** The values of the variables; null is shown as nothing. */
export type CannedReplyValues = Readonly<Record<(typeof variableNames)[number], string | null>>

const contentTypes = ['text', 'markdown'] as const
const inboxesMax = 100

export const shortcutOfReply = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be 1 to 40 small letters, digits, - and _')

const fieldText = {
  shortcut:
    'Word that finds the canned reply in the composer: 1 to 40 small letters, digits, `-` and `_`. No two shared ones have the same, and no two of one user.',
  title: 'Title, for people.',
  content: `Text of the reply. \`{{customer.firstName}}\` is replaced by its value, and \`{{customer.firstName|there}}\` by \`there\` when there is none. Variables: ${variableNames.map((name) => `\`${name}\``).join(', ')}.`,
  contentType: 'Markup of `content`.',
  inboxIds: 'Ids of the inboxes in which it is offered. Empty: in all of them.',
  isShared: 'Whether the whole team has it. Otherwise only its owner sees it.',
}

export const cannedReply = z
  .object({
    _id: ownId('canned reply'),
    tenantId,
    shortcut: z.string().describe(fieldText.shortcut),
    title: z.string().describe(fieldText.title),
    content: z.string().describe(fieldText.content),
    contentType: z.enum(contentTypes).describe(fieldText.contentType),
    inboxIds: z.array(z.string()).describe(fieldText.inboxIds),
    isShared: z.boolean().describe(fieldText.isShared),
    ownerId: z
      .string()
      .nullable()
      .describe(
        'Id of the user who made it, or took it for themselves. Null: an API key made it, or the user was deleted.',
      ),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'CannedReply',
    description: 'A prepared reply, which an agent inserts and changes before sending.',
  })
export type CannedReply = z.infer<typeof cannedReply>

const unknownIn = (text: string) => unknownVariables(text, variableNames)
const content = requiredLines(20_000).refine((text) => unknownIn(text).length === 0, {
  error: ({ input }) => `has unknown variables: ${unknownIn(String(input)).join(', ')}`,
  params: { rule: 'variable' },
})

const settings = {
  shortcut: shortcutOfReply.describe(fieldText.shortcut),
  title: requiredText(100).describe(fieldText.title),
  content: content.describe(fieldText.content),
  contentType: z.enum(contentTypes).optional().describe(`${fieldText.contentType} Default: text.`),
  inboxIds: z.array(referenceTo('inbox')).max(inboxesMax).optional().describe(fieldText.inboxIds),
  isShared: z
    .boolean()
    .optional()
    .describe(`${fieldText.isShared} Default: true. An API key makes shared ones alone.`),
}

export const createCannedReplyBody = z
  .strictObject(settings)
  .meta({ id: 'CreateCannedReply', description: 'The fields of a new canned reply.' })
export type CreateCannedReplyBody = z.output<typeof createCannedReplyBody>

export const updateCannedReplyBody = z.strictObject(settings).partial().meta({
  id: 'UpdateCannedReply',
  description: 'Changes of a canned reply. An absent field keeps its value.',
})
export type UpdateCannedReplyBody = z.output<typeof updateCannedReplyBody>

export const renderCannedReplyBody = z
  .strictObject({
    conversationId: referenceTo('conversation').describe('Conversation that the values are of.'),
  })
  .meta({ id: 'RenderCannedReply', description: 'The conversation for which a canned reply is filled.' })

export const renderedReply = z
  .object({
    content: z.string().describe('Text with the values. Nothing in a value is replaced again.'),
    contentType: z.enum(contentTypes).describe('Markup of `content`. In Markdown the values are escaped.'),
    missing: z
      .array(z.string())
      .describe('Variables that had neither a value nor a default: nothing stands in their place.'),
  })
  .meta({ id: 'RenderedReply', description: 'A canned reply with the values of a conversation.' })
export type RenderedReply = z.infer<typeof renderedReply>
