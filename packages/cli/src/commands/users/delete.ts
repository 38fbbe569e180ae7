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

export function defineDeleteUser(users: CommandUnknownOpts): void {
  users
    .command('delete')
    .argument('<id>', 'the id of the user')
    .summary('Remove a user from the tenant')
    .description(
      'Remove a user from the tenant: sessions end at once, open conversations are unassigned, messages stay. To lock somebody out for a time, use "crm users update ID --deactivate".',
    )
    .addOption(yesOption())
    .addHelpText('after', examples('crm users delete usr_01J8ZQ4W7N --yes'))
    .action((id, { yes }, self) => runAction(self, (context) => deleteUser(context, { id, yes })))
}

async function deleteUser(context: Context, { id, yes }: DeleteRequest): Promise<void> {
  const question = `Remove ${cleanLine(id)}? Their sessions end, and their open conversations are unassigned.`
  await assertConfirmed(context, { question, refusal: 'Nothing was deleted.', yes })
  const client = await openClient(context, 'session')
  const reply = await client.call((crm) => crm.users.delete(id))
  printRemoved(context.output, { id, reply })
}
