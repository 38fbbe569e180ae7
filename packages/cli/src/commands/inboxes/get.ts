import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { inboxColumns } from './inbox-columns.ts'

export function defineGetInbox(inboxes: CommandUnknownOpts): void {
  inboxes
    .command('get')
    .argument('<id>', 'the id of the inbox')
    .description('Show an inbox.')
    .addHelpText('after', examples('crm inboxes get inb_01J8ZQ4W7N'))
    .action((id, _, self) => runAction(self, (context) => getInbox(context, id)))
}

async function getInbox(context: Context, id: string): Promise<void> {
  const client = await openClient(context)
  const inbox = await client.call((crm) => crm.inboxes.get(id))
  printRecord(context.output, { row: inbox, columns: inboxColumns, quiet: inbox._id })
}
