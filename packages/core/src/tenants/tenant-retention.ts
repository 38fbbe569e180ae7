import { z } from 'zod'
import { queryInteger } from '../shared/page.ts'

export const retentionMonthsMax = 120

const texts = {
  conversations:
    'Months after which a closed conversation in which nothing has changed since is erased; null: never.',
  attachments: 'Months after which a file of a message is removed; null: never.',
}

const months = z.int().min(1).max(retentionMonthsMax).nullable()

export const retentionSettings = z
  .object({
    closedConversationMonths: z.int().nullable().describe(texts.conversations),
    attachmentMonths: z.int().nullable().describe(texts.attachments),
  })
  .meta({ id: 'Retention', description: 'How long a tenant keeps what it does not need any more.' })
export type RetentionSettings = z.infer<typeof retentionSettings>

export const updateRetention = z
  .strictObject({
    closedConversationMonths: months.optional().describe(texts.conversations),
    attachmentMonths: months.optional().describe(texts.attachments),
  })
  .meta({ id: 'UpdateRetention', description: 'Changes of the retention. An absent field keeps its value.' })

const queryMonths = queryInteger({ min: 1, max: retentionMonthsMax }).optional()

export const retentionQuery = z.object({
  closedConversationMonths: queryMonths.describe(
    'Counts for this value instead of the setting, before it is switched on.',
  ),
  attachmentMonths: queryMonths.describe('Counts for this value instead of the setting.'),
})

const countText = (of: string) => `Number of ${of} that would go now. At most 10,000 are counted.`
const isMoreText = 'Whether there are more than were counted.'

export const retentionPreview = z
  .object({
    closedConversationMonths: z
      .int()
      .nullable()
      .describe('Months that conversations were counted for; null: none were.'),
    attachmentMonths: z.int().nullable().describe('Months that files were counted for; null: none were.'),
    conversations: z
      .object({
        count: z.int().describe(countText('conversations')),
        isMore: z.boolean().describe(isMoreText),
      })
      .describe('Closed conversations that would be erased.'),
    attachments: z
      .object({
        count: z.int().describe(countText('files')),
        bytes: z.int().describe('Their size in bytes.'),
        isMore: z.boolean().describe(isMoreText),
      })
      .describe('Files that would be removed, those of the conversations not among them by that alone.'),
  })
  .meta({
    id: 'RetentionPreview',
    description: 'Counts of the rows that a retention would remove, if it were applied now.',
  })
export type RetentionPreview = z.infer<typeof retentionPreview>
