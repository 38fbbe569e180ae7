import { pipeline } from 'node:stream/promises'
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { assertMaySave, saveStream, wholeOf } from '../../output/save-stream.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'

const formats = ['json', 'csv'] as const

interface ExportRequest {
  readonly id: string
  readonly format: (typeof formats)[number]
  readonly out?: string | undefined
  readonly force?: boolean | undefined
}

export function defineExportCustomer(customers: CommandUnknownOpts): void {
  customers
    .command('export')
    .argument('<id>', 'the id of the customer')
    .summary('Download all stored data of a customer')
    .description(
      'Download all stored data of a customer: the record, the conversations with all messages, and the messages of the customer in other conversations. Needs a signed-in admin. The audit log records the download.',
    )
    .addOption(
      new Option('--format <format>', 'the format of the file').choices(formats).default('json' as const),
    )
    .option('--out <file>', 'write to this file, readable only by you; default: stdout')
    .option('--force', 'overwrite the file')
    .addHelpText(
      'after',
      examples(
        'crm customers export cus_01J8ZQ4W7N --out ada.json',
        'crm customers export cus_01J8ZQ4W7N --format csv > ada.csv',
      ),
    )
    .action((id, { format, out, force }, self) =>
      runAction(self, (context) => exportCustomer(context, { id, format, out, force })),
    )
}

async function exportCustomer(
  context: Context,
  { id, format, out, force = false }: ExportRequest,
): Promise<void> {
  const { output } = context
  // External text could contain escape sequences that control the terminal.
  if (out === undefined && output.isTerminal) {
    throw usageError('A terminal cannot show an export: use --out, or redirect stdout.')
  }
  if (out !== undefined) assertMaySave({ path: out, mayReplace: force })
  const client = await openClient(context, 'session')
  const bytes = wholeOf(await client.call((crm) => crm.customers.export(id, { format })))
  if (out === undefined) return pipeline(bytes, process.stdout)
  await saveStream({ path: out, mayReplace: force }, bytes)
  output.say(`Saved ${cleanLine(out)}.`)
}
