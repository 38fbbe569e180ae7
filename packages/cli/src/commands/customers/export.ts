import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples, runAction } from '../run-action.ts'
import { forceOption, formatOption, outOption, saveExport } from '../save-export.ts'

export function defineExportCustomer(customers: CommandUnknownOpts): void {
  customers
    .command('export')
    .argument('<id>', 'the id of the customer')
    .summary('Download all stored data of a customer')
    .description(
      'Download all stored data of a customer: the record, the conversations with all messages, and the messages of the customer in other conversations. Needs a signed-in admin. The audit log records the download.',
    )
    .addOption(formatOption())
    .addOption(outOption())
    .addOption(forceOption())
    .addHelpText(
      'after',
      examples(
        'crm customers export cus_01J8ZQ4W7N --out ada.json',
        'crm customers export cus_01J8ZQ4W7N --format csv > ada.csv',
      ),
    )
    .action((id, options, self) =>
      runAction(self, (context) =>
        saveExport(context, { ...options, fetch: (crm, query) => crm.customers.export(id, query) }),
      ),
    )
}
