import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { customerColumns } from './customer-columns.ts'

export function defineGetCustomer(customers: CommandUnknownOpts): void {
  customers
    .command('get')
    .argument('<id>', 'the id of the customer')
    .description('Show a customer.')
    .addHelpText(
      'after',
      examples('crm customers get cus_01J8ZQ4W7N', 'crm customers get cus_01J8ZQ4W7N --json customFields'),
    )
    .action((id, _, self) => runAction(self, (context) => getCustomer(context, id)))
}

async function getCustomer(context: Context, id: string): Promise<void> {
  const client = await openClient(context)
  const customer = await client.call((crm) => crm.customers.get(id))
  printRecord(context.output, { row: customer, columns: customerColumns, quiet: customer._id })
}
