import { z } from 'zod'
import { unread } from './conversation.ts'

export const readState = z
  .object({
    conversationId: z.string().describe('Id of the conversation.'),
    seq: z.int().describe('`seq` of the conversation up to which the signed-in user has read.'),
    unread: unread.describe('Messages and notes that are unread.'),
  })
  .meta({ id: 'ReadState', description: 'How far the signed-in user has read a conversation.' })
