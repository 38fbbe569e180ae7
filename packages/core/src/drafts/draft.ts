import { z } from 'zod'
import { attachment, attachmentsPerMessageMax } from '../attachments/attachment.ts'
import { storedConversation } from '../conversations/conversation.ts'
import { customer, customerName } from '../customers/customer.ts'
import { contentLengthMax, contentTypes, recipientsMax } from '../messages/message.ts'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { referenceTo } from '../shared/reference.ts'
import { lines, moment, optionalTimestamp, requiredEmail } from '../shared/text.ts'
import { draftAuthor } from './draft-author.ts'
import { agreedBasis, draftBasis } from './draft-basis.ts'

export const draftTypes = ['reply', 'note'] as const

/** The longest time for which a draft can be scheduled. */
export const draftDelayMaxDays = 366

const fieldText = {
  type: 'Kind of the message that it becomes: `reply` to the customer or `note` for the team.',
  content: 'Text of the draft; it may be empty.',
  contentType: 'Markup of `content`.',
  to: 'Recipients of the e-mail. A save that names none fixes those of a reply that names none.',
  cc: 'Recipients of a copy. A save that names no recipients fixes those of a reply that names none.',
  bcc: 'Hidden recipients of a copy.',
  sendUnlessReplied:
    'Whether a message of the customer, or a reply of somebody else, after the last change of the draft stops it.',
  basedOn: 'Id of the draft of somebody else that this one is an edited form of.',
  ifSeq:
    '`seq` of the conversation that the author has read. A reply or a note of somebody else of the team after it stops the draft at `sendAt`, as `If-Conversation-Seq` refuses a reply.',
}

export const draft = z
  .object({
    _id: ownId('draft'),
    tenantId,
    conversationId: z.string().describe('Id of the conversation.'),
    author: draftAuthor.describe('Author of the draft: a user or an API key.'),
    type: z.enum(draftTypes).describe(fieldText.type),
    content: z.string().describe(fieldText.content),
    contentType: z.enum(contentTypes).describe(fieldText.contentType),
    attachments: z.array(attachment).describe('Files of the draft.'),
    to: z.array(z.string()).describe(fieldText.to),
    cc: z.array(z.string()).describe(fieldText.cc),
    bcc: z.array(z.string()).describe(fieldText.bcc),
    basis: draftBasis
      .nullable()
      .default(null)
      .describe(
        'On what the recipients were chosen at the last save. The draft is not sent while it is another one; null for a note, and for drafts of earlier versions.',
      ),
    recipientsHidden: z
      .boolean()
      .default(false)
      .describe(
        'Whether the caller, without read:customers, is not shown the recipients that the service chose.',
      ),
    sendAt: optionalTimestamp.describe('Time at which the service sends it; null: nobody has planned it.'),
    sendUnlessReplied: z.boolean().describe(fieldText.sendUnlessReplied),
    basedOn: z
      .string()
      .nullable()
      .default(null)
      .describe(`${fieldText.basedOn} It ends with this one when that is sent. Null: none.`),
    ifSeq: z.int().nullable().default(null).describe(`${fieldText.ifSeq} Null: nothing is compared.`),
    sendError: z
      .string()
      .nullable()
      .describe(
        'Reason why it was not sent at `sendAt`, which is null then: `REPLIED`, `RECIPIENT_CHANGED`, `AUTHOR_GONE`, or the code of the error.',
      ),
    version: z.int().describe('Number of the version; it rises with each change of the draft.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Draft', description: 'A message that is not sent yet. An author has one in a conversation.' })
export type Draft = z.infer<typeof draft>

export const ownDraftStates = ['unsent', 'planned'] as const

const { _id, subject, status, channel } = storedConversation.shape

export const ownDraft = z
  .object({
    ...draft.shape,
    conversation: z
      .object({
        _id,
        subject,
        status,
        channel,
        customer: z
          .object({
            _id: customer.shape._id,
            profile: z
              .union([customer.shape.profile, customerName.shape.profile])
              .describe('Contact data, or the name alone without `read:customers`.'),
          })
          .nullable()
          .describe('The customer; null when there is none.'),
      })
      .describe('The conversation of the draft.'),
  })
  .meta({ id: 'OwnDraft', description: 'A draft of the signed-in user, with its conversation.' })

const recipientList = (text: string) =>
  z.array(requiredEmail).max(recipientsMax).nullable().optional().describe(text)

const expectedVersion = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().optional()

export const saveDraftBody = z
  .strictObject({
    content: lines(contentLengthMax).nullable().optional().describe(`${fieldText.content} Default: empty.`),
    type: z.enum(draftTypes).nullable().optional().describe(`${fieldText.type} Default: reply.`),
    contentType: z
      .enum(contentTypes)
      .nullable()
      .optional()
      .describe(`${fieldText.contentType} Default: text.`),
    attachments: z
      .array(referenceTo('attachment'))
      .max(attachmentsPerMessageMax)
      .nullable()
      .optional()
      .describe('Ids of uploaded files. While the draft names a file, it is not removed.'),
    to: recipientList(fieldText.to),
    cc: recipientList(fieldText.cc),
    bcc: recipientList(fieldText.bcc),
    sendAt: moment
      .nullable()
      .optional()
      .describe(
        `Time at which the service sends the draft: in the future, at most ${draftDelayMaxDays} days from now, and only with a text or a file. Default: null, not at all.`,
      ),
    sendUnlessReplied: z
      .boolean()
      .nullable()
      .optional()
      .describe(`${fieldText.sendUnlessReplied} Default: true.`),
    ifSeq: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .nullable()
      .optional()
      .describe(`${fieldText.ifSeq} Default: nothing is compared.`),
    basedOn: referenceTo('draft')
      .nullable()
      .optional()
      .describe(
        `${fieldText.basedOn} The message will name its author as \`draftedBy\`, and its files may be named here. Default: as before; null: none.`,
      ),
    expectedVersion: expectedVersion.describe(
      '`version` that the draft must have, 0 for none yet. Default: the draft is replaced whatever it is.',
    ),
  })
  .meta({ id: 'SaveDraft', description: 'A draft, as it replaces the one before.' })
export type SaveDraftBody = z.output<typeof saveDraftBody>

export const sendDraftBody = z
  .strictObject({
    expectedVersion: expectedVersion.describe(
      '`version` of the draft that the sender has read. Default: the draft is sent whatever it is.',
    ),
    basis: agreedBasis
      .nullable()
      .optional()
      .describe(
        '`details.now` of a `RECIPIENT_CHANGED`: the sender agrees to it, and recipients that the service chose are chosen anew.',
      ),
  })
  .meta({
    id: 'SendDraft',
    description: 'The version of a draft that is sent, and the consent to other recipients.',
  })
