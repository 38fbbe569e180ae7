import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { CustomersListQuery } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { openClient } from '../../profile/open-client.ts'
import type { PagingOptions } from '../collect-rows.ts'
import { addToList, allOption, cursorOption, isoMoment, limitOption } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { showList } from '../show-list.ts'
import { customerColumns } from './customer-columns.ts'
import { customerStatuses, customerTiers } from './customer-fields.ts'

const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'lastName'] as const

export function defineListCustomers(customers: CommandUnknownOpts): void {
  customers
    .command('list')
    .description('List customers, newest first.')
    .option('--search <terms>', 'every term occurs in name, e-mail, phone or company')
    .addOption(new Option('--tier <tier>', 'of this tier').choices(customerTiers))
    .addOption(new Option('--status <status>', 'of this status').choices(customerStatuses))
    .option('--tags <list>', 'with all of these tags, comma separated', addToList)
    .option('--updated-since <time>', 'changed since, such as 2026-11-01', isoMoment)
    .addOption(new Option('--sort <order>', 'order; with - the other way round').choices(sorts))
    .addOption(limitOption())
    .addOption(allOption())
    .addOption(cursorOption())
    .addHelpText(
      'after',
      examples(
        'crm customers list --search "ada lovelace"',
        'crm customers list --tier gold --all --json > gold.json',
      ),
    )
    .action(({ limit, all, cursor, ...filter }, self) =>
      runAction(self, (context) => listCustomers(context, filter, { limit, all, cursor })),
    )
}

async function listCustomers(
  context: Context,
  filter: CustomersListQuery,
  paging: PagingOptions,
): Promise<void> {
  const client = await openClient(context)
  await showList(context, {
    paging,
    columns: customerColumns,
    noun: 'customer',
    fetchPage: (query) => client.call((crm) => crm.customers.list({ ...filter, ...query })),
  })
}
