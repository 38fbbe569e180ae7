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

export function defineDeleteCustomer(customers: CommandUnknownOpts): void {
  customers
    .command('delete')
    .argument('<id>', 'the id of the customer')
    .summary('Erase a customer and all that belongs to it')
    .description('Erase a customer with its conversations, messages and calls. It cannot be undone.')
    .addOption(yesOption())
    .addHelpText('after', examples('crm customers delete cus_01J8ZQ4W7N --yes'))
    .action((id, { yes }, self) => runAction(self, (context) => deleteCustomer(context, { id, yes })))
}

async function deleteCustomer(context: Context, { id, yes }: DeleteRequest): Promise<void> {
  const question = `Erase ${cleanLine(id)} with its conversations, messages and calls?`
  await assertConfirmed(context, { question, refusal: 'Nothing was deleted.', yes })
  const client = await openClient(context)
  const reply = await client.call((crm) => crm.customers.delete(id))
  printRemoved(context.output, { id, reply })
}
