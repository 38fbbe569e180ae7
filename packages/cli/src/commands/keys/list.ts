import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { ApiKeysListQuery } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { allOption, cursorOption, eitherFlag, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import { keyColumns } from './key-columns.ts'

export function defineListKeys(keys: CommandUnknownOpts): void {
  keys
    .command('list')
    .description('List API keys, newest first.')
    .addOption(
      new Option('--environment <name>', 'of this environment').choices(['production', 'staging'] as const),
    )
    .option('--active', 'only active keys')
    .option('--inactive', 'only revoked keys')
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addHelpText(
      'after',
      examples('crm keys list --active', 'crm keys list --all --json _id,name,lastUsedAt'),
    )
    .action((options, self) => {
      const { environment, active, inactive } = options
      const filter = { environment, isActive: eitherFlag(active, inactive) }
      return runAction(self, (context) => listKeys(context, filter, options))
    })
}

async function listKeys(context: Context, filter: ApiKeysListQuery, paging: PagingOptions): Promise<void> {
  const client = await openClient(context, 'session')
  await showList(context, {
    paging,
    columns: keyColumns,
    noun: 'API key',
    fetchPage: (query) => client.call((crm) => crm.apiKeys.list({ ...filter, ...query })),
  })
}
