import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { examples, runAction } from '../run-action.ts'
import { keyColumns } from './key-columns.ts'

export function defineRevokeKey(keys: CommandUnknownOpts): void {
  keys
    .command('revoke')
    .argument('<id>', 'the id of the key, as in "crm keys list"')
    .summary('Deactivate an API key')
    .description('Deactivate an API key: on the next request, at the latest after 10 seconds.')
    .addOption(yesOption())
    .addHelpText('after', examples('crm keys revoke key_01J8ZQ4W7N --yes'))
    .action((id, { yes }, self) => runAction(self, (context) => revokeKey(context, { id, yes })))
}

async function revokeKey(
  context: Context,
  { id, yes }: { id: string; yes: true | undefined },
): Promise<void> {
  const { output } = context
  const question = `Revoke ${cleanLine(id)}? What uses it stops working.`
  await assertConfirmed(context, { question, refusal: 'Nothing was revoked.', yes })
  const client = await openClient(context, 'session')
  const key = await client.call((crm) => crm.apiKeys.revoke(id))
  output.say(`Revoked ${cleanLine(key.name)}.`)
  printRecord(output, { row: key, columns: keyColumns, quiet: key._id })
}
