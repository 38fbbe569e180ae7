import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { keyColumns } from './key-columns.ts'

export function defineGetKey(keys: CommandUnknownOpts): void {
  keys
    .command('get')
    .argument('<id>', 'the id of the key, as in "crm keys list"')
    .summary('Show an API key')
    .description('Show an API key: its settings and its last use. The key itself is never shown again.')
    .addHelpText('after', examples('crm keys get key_01J8ZQ4W7N', 'crm keys get key_01J8ZQ4W7N --json'))
    .action((id, _, self) => runAction(self, (context) => getKey(context, id)))
}

async function getKey(context: Context, id: string): Promise<void> {
  const client = await openClient(context, 'session')
  const key = await client.call((crm) => crm.apiKeys.get(id))
  printRecord(context.output, { row: key, columns: keyColumns, quiet: key._id })
}
