import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { CliError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { keyColumns } from './key-columns.ts'

export function defineRevokeKey(keys: CommandUnknownOpts): void {
  keys
    .command('revoke')
    .argument('<id>', 'the id of the key, as in "crm keys list"')
    .summary('Deactivate an API key')
    .description('Deactivate an API key: on the next request, at the latest after 10 seconds.')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', examples('crm keys revoke key_01J8ZQ4W7N --yes'))
    .action((id, { yes }, self) =>
      runAction(self, (context) => revokeKey(context, { id, isSure: yes === true })),
    )
}

async function revokeKey(context: Context, { id, isSure }: { id: string; isSure: boolean }): Promise<void> {
  const { output, prompter } = context
  if (!isSure) prompter.requireValues({ '--yes': undefined })
  const client = await openClient(context, 'session')
  if (!isSure) {
    const isConfirmed = await prompter.confirm(`Revoke ${cleanLine(id)}? What uses it stops working.`)
    if (!isConfirmed) {
      throw new CliError('Nothing was revoked.', { code: 'CANCELLED', exitCode: exitCodes.failure })
    }
  }
  const key = await client.call((crm) => crm.apiKeys.revoke(id))
  output.say(`Revoked ${cleanLine(key.name)}.`)
  printRecord(output, { row: key, columns: keyColumns, quiet: key._id })
}
