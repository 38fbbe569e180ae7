import { z } from 'zod'

/** The views that every user has; each inbox is one more, by its id. `unsent` counts drafts, `mentions` notes, the others conversations. */
export const countedViews = [
  'mine',
  'unassigned',
  'waiting',
  'open',
  'pending',
  'snoozed',
  'closed',
  'unsent',
  'mentions',
] as const
export type CountedView = (typeof countedViews)[number]
/** The view of admins that counts mails. */
export const mailNeedsYou = 'mailNeedsYou'

/** Unread conversations are counted among so many, the last changed first. */
export const countedUnreadMax = 10_000

export const viewCount = z
  .object({
    total: z
      .int()
      .min(0)
      .describe(
        'Conversations of the view, drafts of `unsent`, notes of `mentions`, or mails of `mailNeedsYou`.',
      ),
    unread: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Conversations of the view with messages that the signed-in user has not read, among the 10,000 that changed last and are not closed; null for `closed`, `unsent`, `mentions` and `mailNeedsYou`.',
      ),
    isEstimate: z.boolean().describe('Whether `total` may be wrong: above 10,000 rows it is not exact.'),
  })
  .meta({ id: 'ViewCount', description: 'The number of conversations in a view.' })
export type ViewCount = z.infer<typeof viewCount>

export const conversationCounts = z
  .object({
    views: z
      .record(z.string(), viewCount)
      .describe(
        'By name: `mine` (assigned to the signed-in user, not closed), `unassigned` (not closed), `waiting` (open or pending, and the customer waits for a reply), `open`, `pending`, `snoozed`, `closed`, `unsent` (own drafts that were to be sent and were not), `mentions` (notes that mention the signed-in user, who has not read them), the id of an inbox (not closed), and to admins `mailNeedsYou` (mails that need a person).',
      ),
  })
  .meta({ id: 'ConversationCounts', description: 'The number of conversations in each view.' })
export type ConversationCounts = z.infer<typeof conversationCounts>
