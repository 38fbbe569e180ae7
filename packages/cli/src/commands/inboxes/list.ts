import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import { inboxColumns } from './inbox-columns.ts'

export function defineListInboxes(inboxes: CommandUnknownOpts): void {
  inboxes
    .command('list')
    .description('List the inboxes of the tenant.')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addHelpText('after', examples('crm inboxes list', 'crm inboxes list --json _id,name,isDefault'))
    .action((options, self) => runAction(self, (context) => listInboxes(context, options)))
}

async function listInboxes(context: Context, paging: PagingOptions): Promise<void> {
  const client = await openClient(context)
  await showList(context, {
    paging,
    columns: inboxColumns,
    noun: 'inbox',
    fetchPage: (query) => client.call((crm) => crm.inboxes.list(query)),
  })
}
