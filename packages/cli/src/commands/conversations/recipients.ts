import type { ReplyRecipients } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import { printList, printRows } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'

type Row = ReplyRecipients['to'][number] & { readonly kind: 'to' | 'cc' }

const columns: readonly Column<Row>[] = [
  { title: 'Kind', value: ({ kind }) => kind },
  { title: 'Address', value: ({ address }) => address, isFlexible: true, isMain: true },
  { title: 'Name', value: ({ name }) => name, isFlexible: true, isOptional: true },
]

/** `crm conversations recipients`: who gets the next reply by e-mail. */
export const listRecipients: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'recipients',
    description: 'List who gets the next reply by e-mail when it names no recipients.',
    notes: 'Nobody is listed where replies of the conversation do not leave by e-mail.',
    examples: ['crm conversations recipients con_01J8ZQ4W7N'],
  })
    .argument('<id>', 'the id of the conversation')
    .action((id, _, self) =>
      runAction(self, async (context) => {
        const { output } = context
        const { call } = await openClient(context)
        const { to, cc } = await call((crm) => crm.conversations.recipients(id))
        const rows: Row[] = [
          ...to.map((mailbox) => ({ ...mailbox, kind: 'to' as const })),
          ...cc.map((mailbox) => ({ ...mailbox, kind: 'cc' as const })),
        ]
        if (output.json || output.isTerminal) await printList(output, { rows, columns })
        else printRows(output, { rows, columns, quiet: ({ address }) => address })
      }),
    )
}
