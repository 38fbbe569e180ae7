import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { examples, runAction } from '../run-action.ts'
import { customerColumns } from './customer-columns.ts'

interface MergeRequest {
  readonly id: string
  readonly source: string
  readonly yes?: true | undefined
}

export function defineMergeCustomers(customers: CommandUnknownOpts): void {
  customers
    .command('merge')
    .argument('<id>', 'the id of the customer that stays')
    .summary('Merge another customer into this one')
    .description(
      'Merge another customer into this one: blank fields are filled, tags and custom fields joined, conversations move. The other one is deleted. It cannot be undone.',
    )
    .requiredOption('--source <id>', 'the id of the customer that is merged and deleted')
    .addOption(yesOption())
    .addHelpText('after', examples('crm customers merge cus_01J8ZQ4W7N --source cus_01J8ZQ4W8P --yes'))
    .action((id, { source, yes }, self) =>
      runAction(self, (context) => mergeCustomers(context, { id, source, yes })),
    )
}

async function mergeCustomers(context: Context, { id, source: sourceId, yes }: MergeRequest): Promise<void> {
  const source = cleanLine(sourceId)
  const question = `Merge ${source} into ${cleanLine(id)}? ${source} is deleted, and it cannot be undone.`
  await assertConfirmed(context, { question, refusal: 'Nothing was changed.', yes })
  const client = await openClient(context)
  const customer = await client.call((crm) => crm.customers.merge(id, { sourceId }))
  context.output.say('Merged the customers.')
  printRecord(context.output, { row: customer, columns: customerColumns, quiet: customer._id })
}
