import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CreatedWebhook } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { openClient } from '../../profile/open-client.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { durationSeconds } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { printCreatedSecret } from './print-created-secret.ts'

interface RotateRequest {
  readonly id: string
  readonly overlap?: number | undefined
  readonly secretFile?: string | undefined
  readonly yes?: true | undefined
}

export function defineRotateSecret(webhooks: CommandUnknownOpts): void {
  webhooks
    .command('rotate-secret')
    .argument('<id>', 'the id of the webhook')
    .summary('Make a new signing secret; it is shown once')
    .description(
      'Make a new signing secret; it is shown once. Until the overlap ends deliveries carry the signatures of both.',
    )
    .option('--overlap <time>', 'how long the old one stays, up to 7d; default 24h', durationSeconds)
    .option('--secret-file <file>', 'write the secret to a new file, mode 0600, instead of showing it')
    .addOption(yesOption())
    .addHelpText(
      'after',
      `\nWithout an overlap receivers with the old secret refuse from now on, so that asks first.\n${examples(
        'crm webhooks rotate-secret whk_01J8ZQ4W7N --overlap 2d --secret-file new.secret',
        'crm webhooks rotate-secret whk_01J8ZQ4W7N --overlap 0s --yes --quiet',
      )}`,
    )
    .action((id, options, self) => runAction(self, (context) => rotateSecret(context, { id, ...options })))
}

async function rotateSecret(
  context: Context,
  { id, overlap: overlapSeconds, secretFile: path, yes }: RotateRequest,
): Promise<void> {
  const question = `End the old secret of ${cleanLine(id)} at once?`
  if (overlapSeconds === 0) await assertConfirmed(context, { question, refusal: 'Nothing was changed.', yes })
  const client = await openClient(context)
  const create = () => client.call((crm) => crm.webhooks.rotateSecret(id, { overlapSeconds }))
  const secretOf = ({ secret }: CreatedWebhook) => secret
  printCreatedSecret(context.output, await savingSecret(context, { path, create, secretOf }))
}
