import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { userColumns } from './user-columns.ts'

export function defineGetUser(users: CommandUnknownOpts): void {
  users
    .command('get')
    .argument('<id>', 'the id of the user, or me')
    .description('Show a user.')
    .addHelpText('after', examples('crm users get usr_01J8ZQ4W7N', 'crm users get me --json email,role'))
    .action((id, _, self) => runAction(self, (context) => getUser(context, id)))
}

async function getUser(context: Context, id: string): Promise<void> {
  const client = await openClient(context, id === 'me' ? 'session' : 'any')
  const user = await client.call((crm) => (id === 'me' ? crm.users.me() : crm.users.get(id)))
  printRecord(context.output, { row: user, columns: userColumns, quiet: user._id })
}
