import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { openClient } from '../../profile/open-client.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { durationSeconds } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { printCreatedKey } from './print-created-key.ts'

interface RotateRequest {
  readonly id: string
  readonly overlap?: number | undefined
  readonly keyFile?: string | undefined
  readonly yes?: true | undefined
}

export function defineRotateKey(keys: CommandUnknownOpts): void {
  keys
    .command('rotate')
    .argument('<id>', 'the id of the key')
    .summary('Replace an API key by a new one; it is shown once')
    .description(
      'Replace an API key by a new one with the same settings; it is shown once. The old one works until the overlap ends.',
    )
    .option('--overlap <time>', 'how long the old key works on, up to 7d; default 24h', durationSeconds)
    .option('--key-file <file>', 'write the key to a new file, mode 0600, instead of showing it')
    .addOption(yesOption())
    .addHelpText(
      'after',
      `\nWithout an overlap what uses the old key stops working, so that asks first.\n${examples(
        'crm keys rotate key_01J8ZQ4W7N --overlap 2d --key-file new.key',
        'crm keys rotate key_01J8ZQ4W7N --overlap 0s --yes --quiet',
      )}`,
    )
    .action((id, options, self) => runAction(self, (context) => rotateKey(context, { id, ...options })))
}

async function rotateKey(
  context: Context,
  { id, overlap: overlapSeconds, keyFile: path, yes }: RotateRequest,
): Promise<void> {
  const question = `End ${cleanLine(id)} at once? What uses it stops working.`
  if (overlapSeconds === 0) await assertConfirmed(context, { question, refusal: 'Nothing was changed.', yes })
  const client = await openClient(context, 'session')
  const create = () => client.call((crm) => crm.apiKeys.rotate(id, { overlapSeconds }))
  const secretOf = ({ key }: { key: string }) => key
  printCreatedKey(context.output, await savingSecret(context, { path, create, secretOf }))
}
