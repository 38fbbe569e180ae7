import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { saveDownload } from '../../output/save-download.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'

const formats = ['json', 'csv'] as const

interface ExportRequest {
  readonly id: string
  readonly format: (typeof formats)[number]
  readonly out?: string | undefined
}

export function defineExportCustomer(customers: CommandUnknownOpts): void {
  customers
    .command('export')
    .argument('<id>', 'the id of the customer')
    .summary('Download everything that is kept of a customer')
    .description(
      'Download everything that is kept of a customer: the record, the conversations with all messages, and what they wrote in those of others. Needs a signed-in admin. The download is noted in the audit log.',
    )
    .addOption(new Option('--format <format>', 'how it is written').choices(formats).default('json' as const))
    .option('--out <file>', 'a file for it, of mode 0600; else it goes to stdout')
    .addHelpText(
      'after',
      examples(
        'crm customers export cus_01J8ZQ4W7N --out ada.json',
        'crm customers export cus_01J8ZQ4W7N --format csv',
      ),
    )
    .action((id, { format, out }, self) =>
      runAction(self, (context) => exportCustomer(context, { id, format, out })),
    )
}

async function exportCustomer(context: Context, { id, format, out }: ExportRequest): Promise<void> {
  const client = await openClient(context, 'session')
  const response = await client.call((crm) => crm.customers.export(id, { format }))
  await saveDownload(response, out)
  if (out !== undefined) context.output.say(`Wrote ${cleanLine(out)}.`)
}
