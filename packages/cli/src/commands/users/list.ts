import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import { userColumns } from './user-columns.ts'

export function defineListUsers(users: CommandUnknownOpts): void {
  users
    .command('list')
    .description('List the users of the tenant, newest first.')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addHelpText('after', examples('crm users list', 'crm users list --all --json _id,email,role'))
    .action((options, self) => runAction(self, (context) => listUsers(context, options)))
}

async function listUsers(context: Context, paging: PagingOptions): Promise<void> {
  const client = await openClient(context)
  await showList(context, {
    paging,
    columns: userColumns,
    noun: 'user',
    fetchPage: (query) => client.call((crm) => crm.users.list(query)),
  })
}
