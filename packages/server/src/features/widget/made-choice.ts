import {
  type Conversation,
  type CreateWidgetMessageBody,
  conflict,
  type MadeChoice,
  type Message,
  type Problem,
  referenceProblem,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'

interface Chosen {
  choice: MadeChoice
  label: string
  /** The message by which one of the same message was chosen already. */
  chosenIn: string | null
}

interface FoundChoice {
  /** Undefined for a message without a choice. */
  chosen?: Chosen
  problems: Problem[]
}

/** Returns the choice that a visitor makes, with its label, or the problem of one that no message of the conversation offers. */
export async function findChoice(
  store: Pick<TenantReads, 'messages'>,
  { _id: conversationId }: Conversation,
  made: CreateWidgetMessageBody['choice'],
): Promise<FoundChoice> {
  if (!made) return { problems: [] }
  const { messageId, choiceId } = made
  const offer = await store.messages.find(messageId)
  if (offer?.conversationId !== conversationId || (offer.choices ?? []).length === 0)
    return notOffered('choice.messageId')
  const label = offer.choices?.find(({ id }) => id === choiceId)?.label
  if (label === undefined) return notOffered('choice.choiceId')
  const chosen = { choice: { messageId, choiceId }, label, chosenIn: offer.chosenIn ?? null }
  return { chosen, problems: [] }
}

/** Throws CONFLICT when a choice of the same message was made already. */
export function assertFirstChoice(chosen: Chosen | undefined): void {
  if (chosen === undefined || chosen.chosenIn === null) return
  throw conflict('A choice of this message was made already', chosen.choice)
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

function notOffered(field: string): FoundChoice {
  return { problems: [referenceProblem(field, 'names nothing that this conversation offers')] }
}
