import { z } from 'zod'
import { ownId, tenantId } from '../shared/common-fields.ts'
import { optionalTimestamp, timestamp } from '../shared/text.ts'

/** The most users whom one note mentions. Further ones stay text. */
export const mentionedUsersMax = 50

export const mention = z
  .object({
    _id: ownId('mention'),
    tenantId,
    conversationId: z.string().describe('Id of the conversation.'),
    messageId: z.string().describe('Id of the note.'),
    userId: z.string().describe('Id of the user whom the note mentions.'),
    by: z.string().nullable().describe('Id of the user who wrote the note; null for an API key.'),
    at: timestamp.describe('Time of the note.'),
    readAt: optionalTimestamp.describe('Time at which the mentioned user has read the note.'),
    note: z
      .object({
        subject: z.string().nullable().describe('Subject of its conversation.'),
        content: z.string().describe('Text of the note, with mentions as `@[usr_…]`.'),
      })
      .nullable()
      .optional()
      .describe('Only with `include=note`: the note; null when it does not exist any more.'),
  })
  .meta({ id: 'Mention', description: 'A note that mentions a user.' })
export type Mention = z.infer<typeof mention>

export const mentionIncludes = ['note'] as const

const idInText = /@\[(usr_[0-9A-Z]{26})\]/g

/** Returns the ids of the users whom a text names as `@[usr_…]`, each once, in the order of the text. */
export function mentionedIdsOf(content: string): string[] {
  const ids = new Set<string>()
  for (const [, id = ''] of content.matchAll(idInText)) {
    ids.add(id)
    if (ids.size === mentionedUsersMax) break
  }
  return [...ids]
}
