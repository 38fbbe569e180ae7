import { z } from 'zod'
import type { CrossFieldRule } from '../contract/define-operation.ts'
import { referenceTo } from '../shared/reference.ts'
import { rule } from '../shared/rule.ts'
import { requiredText } from '../shared/text.ts'

export const choicesMax = 6
const choiceIdLengthMax = 64
const choiceLabelLengthMax = 40

/** One of the replies that a message offers, as it is stored. */
export const messageChoice = z
  .object({
    id: z.string().describe('Id of the choice; unique in its message.'),
    label: z.string().describe('Text of the button.'),
  })
  .meta({ id: 'MessageChoice', description: 'A reply that a message offers to the visitor as a button.' })
export type MessageChoice = z.infer<typeof messageChoice>

/** The choice that an inbound message stands for, as it is stored. */
export const madeChoice = z
  .object({
    messageId: z.string().describe('Id of the message that offered it.'),
    choiceId: z.string().describe('Id of the choice.'),
  })
  .meta({ id: 'MadeChoice', description: 'The choice that a visitor has made.' })
export type MadeChoice = z.infer<typeof madeChoice>

function haveIdsOfTheirOwn(choices: readonly MessageChoice[]): boolean {
  return new Set(choices.map(({ id }) => id)).size === choices.length
}

/** The choices of a new message. */
export const offeredChoices = z
  .array(
    z.strictObject({
      id: requiredText(choiceIdLengthMax).describe('Your own id of the choice; unique in the message.'),
      label: requiredText(choiceLabelLengthMax).describe('Text of the button.'),
    }),
  )
  .max(choicesMax)
  .refine(haveIdsOfTheirOwn, rule('duplicate', 'must have ids that differ'))
  .nullable()
  .optional()
  .describe(
    'Replies that the message offers, at most 6. The chat widget shows them as buttons, and one of them can be clicked once; an e-mail lists them by number.',
  )

/** The choice that a visitor makes. */
export const choiceOfVisitor = z
  .strictObject({
    messageId: referenceTo('message').describe('Id of the message that offers it.'),
    choiceId: z.string().describe('Id of the choice.'),
  })
  .nullable()
  .optional()
  .describe('A choice that a message of the conversation offers. Its label becomes `content`.')

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function offersToNobody({ choices, type, direction }: Fields): boolean {
  const isOffering = Array.isArray(choices) && choices.length > 0
  return isOffering && (type === 'note' || direction === 'inbound')
}

const onlyInReplies = { message: 'can stand in a reply to the customer only', rule: 'reply' }

/** Only a reply to the customer offers choices. */
export const choicesAreOffered: CrossFieldRule = {
  description: 'Only a reply to the customer has `choices`.',
  check: (body) =>
    isObject(body) && offersToNobody(body) ? { field: 'choices', ...onlyInReplies } : undefined,
}

/** The same rule for the first message of a conversation. */
export const firstChoicesAreOffered: CrossFieldRule = {
  description: choicesAreOffered.description,
  check: ({ message }) =>
    isObject(message) && offersToNobody(message) ? { field: 'message.choices', ...onlyInReplies } : undefined,
}

/** Returns the rule for a message of a visitor: a choice without words of its own, or what `otherwise` asks for. */
export function choiceOr(otherwise: CrossFieldRule): CrossFieldRule {
  return {
    description: `${otherwise.description} With \`choice\`, \`content\` is left out.`,
    check: (body) => {
      if (!isObject(body) || !isObject(body['choice'])) return otherwise.check(body)
      const { content } = body
      return typeof content === 'string' && content.trim() !== ''
        ? { field: 'content', message: 'must be left out: it is the label of the choice', rule: 'choice' }
        : undefined
    },
  }
}

/** Returns the choices as lines with a number, for a reader who has no buttons; empty without choices. */
export function choiceLines(choices: readonly MessageChoice[] | undefined): string {
  return (choices ?? []).map(({ label }, index) => `${index + 1}. ${label}`).join('\n')
}
