import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { printRemoved } from '../print-removed.ts'
import { examples, runAction } from '../run-action.ts'

interface DeleteRequest {
  readonly id: string
  readonly yes: true | undefined
}

export function defineDeleteKey(keys: CommandUnknownOpts): void {
  keys
    .command('delete')
    .argument('<id>', 'the id of the key')
    .summary('Remove an API key and its record')
    .description('Remove an API key and its record. To keep the record, use "crm keys revoke".')
    .addOption(yesOption())
    .addHelpText('after', examples('crm keys delete key_01J8ZQ4W7N --yes'))
    .action((id, { yes }, self) => runAction(self, (context) => deleteKey(context, { id, yes })))
}

async function deleteKey(context: Context, { id, yes }: DeleteRequest): Promise<void> {
  const question = `Delete ${cleanLine(id)}? What uses it stops working, and its record goes.`
  await assertConfirmed(context, { question, refusal: 'Nothing was deleted.', yes })
  const client = await openClient(context, 'session')
  const reply = await client.call((crm) => crm.apiKeys.delete(id))
  printRemoved(context.output, { id, reply })
}
