import { z } from 'zod'
import type { CrossFieldRule } from '../contract/define-operation.ts'
import { labelList } from '../shared/labels.ts'
import { referenceTo } from '../shared/reference.ts'
import { expectedConversation, updateConversationBody } from './conversation.ts'

const changedMax = 100

const setMembers = updateConversationBody
  .pick({ status: true, assignedTo: true, priority: true, inboxId: true, snoozedUntil: true })
  .meta({ id: 'SetOfConversations', description: 'Fields that all the conversations get.' })

export const changeConversationsBody = z
  .strictObject({
    ids: z
      .array(referenceTo('conversation', z.string().max(128)))
      .min(1)
      .max(changedMax)
      .describe('Ids of 1 to 100 conversations. A repeated one counts once.'),
    set: setMembers.optional().describe('Fields that all of them get. An absent field keeps its value.'),
    addLabels: labelList.optional().describe('Labels to add.'),
    removeLabels: labelList.optional().describe('Labels to remove, before others are added.'),
    expected: expectedConversation
      .optional()
      .describe(
        'Values that a conversation must have: one with another value fails with CONFLICT and stays as it is.',
      ),
  })
  .meta({ id: 'ChangeConversations', description: 'One change of many conversations.' })
export type ChangeConversationsBody = z.output<typeof changeConversationsBody>

export const changedConversationRow = z
  .object({
    _id: z.string().describe('Id of the conversation, as it was asked for.'),
    result: z.enum(['changed', 'unchanged', 'failed']).describe('The outcome for this conversation.'),
    code: z
      .string()
      .optional()
      .describe(
        'Of `failed`: `NOT_FOUND`, `CONFLICT` (a value is not the expected one), `VALIDATION_ERROR` (more labels than 50, or a snooze that does not fit the status) or `INVALID_STATE`.',
      ),
  })
  .meta({ id: 'ChangedConversation', description: 'The result for one conversation.' })

function isGiven(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** A request that changes nothing is a mistake of the caller. */
export const changesSomething: CrossFieldRule = {
  description: 'At least one of `set`, `addLabels` and `removeLabels` names something.',
  check: ({ set, addLabels, removeLabels }) =>
    [set, addLabels, removeLabels].some(isGiven)
      ? undefined
      : { field: 'set', message: 'set, addLabels or removeLabels is required', rule: 'required' },
}
