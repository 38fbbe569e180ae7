import { z } from 'zod'
import { activity } from '../activities/activity.ts'
import { pagination, successFlag } from '../contract/envelopes.ts'
import { draft } from '../drafts/draft.ts'
import { message } from '../messages/message.ts'
import { populatedConversation } from './conversation.ts'
import { replyRecipients } from './reply-recipients.ts'

/** The parts that a screen reads with a conversation that it opens. */
export const lookParts = ['messages', 'activities', 'drafts', 'recipients'] as const

/** Rows of each list of a look. */
export const lookRowsMax = 50

function firstPageOf<S extends z.ZodType>(rows: S) {
  return z.object({
    data: z.array(rows).describe('Rows.'),
    pagination: pagination.describe('Position of the page.'),
  })
}

const included = z
  .object({
    messages: firstPageOf(message).optional().describe('The newest 50 messages, newest first.'),
    activities: firstPageOf(activity)
      .optional()
      .describe('The newest 50 changes, newest first; older ones by `kind=activity` of the timeline.'),
    drafts: firstPageOf(draft).optional().describe('The first 50 drafts of all authors, oldest first.'),
    recipients: replyRecipients
      .nullable()
      .optional()
      .describe('How the next reply leaves, and who gets it; null without `read:customers`.'),
  })
  .meta({ id: 'ConversationIncluded', description: 'The parts that `include` names, and no others.' })

export const conversationLook = z
  .object({
    success: successFlag,
    data: populatedConversation.describe('The conversation.'),
    included: included.optional().describe('Only with `include`.'),
  })
  .meta({ id: 'ConversationLook', description: 'A conversation with what `include` names.' })
