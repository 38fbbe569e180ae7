import type { ReplyRecipients } from '@crmkit/sdk'
import { conversations } from '../../operations/conversations.gen.ts'
import type { Column } from '../../output/column.ts'
import { printAll } from '../../output/print-list.ts'
import { resultCommand } from '../factories/result-command.ts'

type Row = ReplyRecipients['to'][number] & { readonly kind: 'to' | 'cc' }

const columns: readonly Column<Row>[] = [
  { title: 'Kind', value: ({ kind }) => kind },
  { title: 'Address', value: ({ address }) => address, isFlexible: true, isMain: true },
  { title: 'Name', value: ({ name }) => name, isFlexible: true, isOptional: true },
]

const sentences: Readonly<Record<string, string>> = {
  email: 'The next reply leaves by e-mail.',
  chat: 'The next reply goes into the chat.',
  webhook: 'The next reply goes to the webhooks that hear message.sent.',
  none: 'The next reply is stored, and nobody sends it.',
}

/** `crm conversations recipients`: how the next reply leaves, and who gets it by e-mail. */
export const listRecipients = resultCommand({
  operation: conversations.recipients,
  description: 'Show how the next reply leaves, and who gets it by e-mail when it names no recipients.',
  notes: 'Nobody is listed where replies of the conversation do not leave by e-mail.',
  print: (output, { door, to, cc }) => {
    const sentence = sentences[door]
    if (sentence) output.say(sentence)
    const rows: Row[] = [
      ...to.map((mailbox) => ({ ...mailbox, kind: 'to' as const })),
      ...cc.map((mailbox) => ({ ...mailbox, kind: 'cc' as const })),
    ]
    return printAll(output, { rows, columns, quiet: ({ address }) => address ?? '' })
  },
})
