import { pipeline } from 'node:stream/promises'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { assertMaySave, saveStream, wholeOf } from '../../output/save-stream.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { forceOption, outOption } from '../save-export.ts'

interface RawRequest {
  readonly id: string
  readonly out?: string | undefined
  readonly force?: boolean | undefined
}

export function defineRawMail(mails: CommandUnknownOpts): void {
  mails
    .command('raw')
    .argument('<id>', 'the id of the mail')
    .summary('Save a mail as it arrived')
    .description(
      'Save a mail as it arrived. Its bytes are stored for 90 days. The audit log records the download.',
    )
    .addOption(outOption())
    .addOption(forceOption())
    .addHelpText('after', examples('crm mails raw mail_01J8ZQ4W7N --out mail.eml'))
    .action((id, { out, force }, self) => runAction(self, (context) => saveRaw(context, { id, out, force })))
}

async function saveRaw(context: Context, { id, out, force = false }: RawRequest): Promise<void> {
  const { output } = context
  // A mail could contain escape sequences that control the terminal.
  if (out === undefined && output.isTerminal) {
    throw usageError('A terminal cannot show a mail: use --out, or redirect stdout.')
  }
  if (out !== undefined) assertMaySave({ path: out, mayReplace: force })
  const client = await openClient(context, 'session')
  const bytes = wholeOf(await client.call((crm) => crm.mails.raw(id)))
  if (out === undefined) return pipeline(bytes, process.stdout)
  await saveStream({ path: out, mayReplace: force }, bytes)
  output.say(`Saved ${cleanLine(out)}.`)
}
