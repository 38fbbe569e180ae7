import { z } from 'zod'
import { draftAuthor } from '../drafts/draft-author.ts'
import { createdAt, ownId, tenantId, updatedAt } from '../shared/common-fields.ts'
import { requiredLines } from '../shared/text.ts'

const contentTypes = ['text', 'markdown'] as const
const contentLengthMax = 20_000
/** A merge may leave more of them at one customer. */
export const notesPerCustomerMax = 1000

const fieldText = {
  content: 'Text of the note.',
  contentType: 'Markup of `content`.',
}

export const customerNote = z
  .object({
    _id: ownId('customer note'),
    tenantId,
    customerId: z.string().describe('Id of the customer.'),
    content: z.string().describe(fieldText.content),
    contentType: z.enum(contentTypes).describe(fieldText.contentType),
    author: draftAuthor.describe('Author of the note: a user or an API key.'),
    version: z.int().describe('Number of the version; it rises with each change of the note.'),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'CustomerNote',
    description: 'A note of the team about a customer. The customer never sees it.',
  })
export type CustomerNote = z.infer<typeof customerNote>

/** A note as it is stored: the version is counted by the storage. */
export type StoredCustomerNote = Omit<CustomerNote, 'version'>

export const createCustomerNoteBody = z
  .strictObject({
    content: requiredLines(contentLengthMax).describe(fieldText.content),
    contentType: z
      .enum(contentTypes)
      .nullable()
      .optional()
      .describe(`${fieldText.contentType} Default: text.`),
  })
  .meta({ id: 'CreateCustomerNote', description: 'A new note about a customer.' })
export type CreateCustomerNoteBody = z.output<typeof createCustomerNoteBody>

export const updateCustomerNoteBody = z
  .strictObject({
    content: requiredLines(contentLengthMax).optional().describe(fieldText.content),
    contentType: z.enum(contentTypes).optional().describe(fieldText.contentType),
    expectedVersion: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .nullable()
      .optional()
      .describe('`version` that the note must have. Default: the note is changed whatever it is.'),
  })
  .meta({ id: 'UpdateCustomerNote', description: 'Changes of a note. An absent field keeps its value.' })
export type UpdateCustomerNoteBody = z.output<typeof updateCustomerNoteBody>
