import {
  type Conversation,
  type CreateWidgetMessageBody,
  conflict,
  type MadeChoice,
  type Message,
  referenceProblem,
  validationFailure,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'

interface Chosen {
  choice: MadeChoice
  label: string
}

/**
 * Returns the choice that a visitor makes, with its label; undefined for a message without one. Throws VALIDATION_ERROR for a choice
 * that no message of the conversation offers to the visitor, and CONFLICT when one of that message was made already.
 */
export async function findChoice(
  store: Pick<TenantReads, 'messages'>,
  { _id: conversationId }: Conversation,
  made: CreateWidgetMessageBody['choice'],
): Promise<Chosen | undefined> {
  if (!made) return undefined
  const { messageId, choiceId } = made
  const offer = await store.messages.find(messageId)
  if (offer?.conversationId !== conversationId || (offer.choices ?? []).length === 0)
    throw notOffered('choice.messageId')
  const label = offer.choices?.find(({ id }) => id === choiceId)?.label
  if (label === undefined) throw notOffered('choice.choiceId')
  if ((offer.chosenIn ?? null) !== null) throw conflict('A choice of this message was made already', made)
  return { choice: { messageId, choiceId }, label }
}

/** Returns the write that makes a choice the only one of its message: of two at once, one conflicts. */
export function choiceWrites(
  chosen: Chosen | undefined,
  { _id: chosenIn }: Pick<Message, '_id'>,
): Write<'messages'>[] {
  if (chosen === undefined) return []
  const { messageId: id } = chosen.choice
  return [{ op: 'patch', kind: 'messages', id, set: { chosenIn }, when: { chosenIn: null } }]
}

function notOffered(field: string) {
  return validationFailure([referenceProblem(field, 'names nothing that this conversation offers')])
}
