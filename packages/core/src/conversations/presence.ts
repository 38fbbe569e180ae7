import { z } from 'zod'
import { successFlag } from '../contract/envelopes.ts'
import { readState } from './read-state.ts'

const presenceStates = ['viewing', 'replying'] as const
export type PresenceState = (typeof presenceStates)[number]

export const presence = z
  .object({
    user: z
      .object({
        _id: z.string().describe('Id of the user.'),
        firstName: z.string().nullable().describe('First name of the user.'),
        lastName: z.string().nullable().describe('Last name of the user.'),
      })
      .describe('The user.'),
    state: z
      .enum(presenceStates)
      .describe('`replying` while the user writes a reply, in any window; else `viewing`.'),
    since: z.iso.datetime().describe('Time at which the user came.'),
  })
  .meta({ id: 'Presence', description: 'A user who has a conversation open.' })
export type Presence = z.infer<typeof presence>

export const setPresenceBody = z
  .strictObject({
    state: z.enum([...presenceStates, 'none']).describe('`none` when the caller has left the conversation.'),
    readSeq: z
      .int()
      .min(0)
      .optional()
      .describe('`seq` up to which the caller has read: it is marked as read too, and `read` says how far.'),
  })
  .meta({ id: 'SetPresence', description: 'Whether the caller has a conversation open, and writes a reply.' })

export const presenceReply = z
  .object({
    success: successFlag,
    data: z.array(presence).describe('The other users, the first one first.'),
    read: readState.optional().describe('How far the caller has read. Only with `readSeq`.'),
  })
  .meta({ id: 'PresenceReply', description: 'The users who are there, and how far the caller has read.' })
