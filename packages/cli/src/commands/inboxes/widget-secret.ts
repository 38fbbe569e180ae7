import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Inbox, InboxWithWidgetSecret } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { printSecret } from '../../output/print-secret.ts'
import { openClient } from '../../profile/open-client.ts'
import { type SavedSecret, savingSecret } from '../../prompts/secret-file.ts'
import { assertConfirmed, yesOption } from '../confirm.ts'
import { durationSeconds } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { inboxColumns } from './inbox-columns.ts'

interface SecretRequest {
  readonly id: string
  readonly overlap?: number | undefined
  readonly secretFile?: string | undefined
  readonly yes?: true | undefined
}

export function defineWidgetSecret(inboxes: CommandUnknownOpts): void {
  inboxes
    .command('widget-secret')
    .argument('<id>', 'the id of the inbox')
    .summary('Make the identity secret of the widget; it is shown once')
    .description(
      'Make the secret with which the server of your page vouches for its visitors; it is shown once. One that was made before stays valid until the overlap ends.',
    )
    .option('--overlap <time>', 'how long the old one stays, up to 7d; default 24h', durationSeconds)
    .option('--secret-file <file>', 'write the secret to a new file, mode 0600, instead of showing it')
    .addOption(yesOption())
    .addHelpText(
      'after',
      `\nWithout an overlap visitors of the old secret are refused from now on, so that asks first.\n${examples(
        'crm inboxes widget-secret inb_01J8ZQ4W7N --secret-file widget.secret',
        'crm inboxes widget-secret inb_01J8ZQ4W7N --overlap 0s --yes --quiet',
      )}`,
    )
    .action((id, options, self) =>
      runAction(self, (context) => makeWidgetSecret(context, { id, ...options })),
    )
}

async function makeWidgetSecret(
  context: Context,
  { id, overlap: overlapSeconds, secretFile: path, yes }: SecretRequest,
): Promise<void> {
  const question = `End an old secret of ${cleanLine(id)} at once?`
  if (overlapSeconds === 0) await assertConfirmed(context, { question, refusal: 'Nothing was changed.', yes })
  const client = await openClient(context, 'session')
  const create = () => client.call((crm) => crm.inboxes.makeWidgetSecret(id, { overlapSeconds }))
  const secretOf = ({ secret }: InboxWithWidgetSecret) => secret
  printMadeSecret(context, await savingSecret(context, { path, create, secretOf }))
}

const columnsBeside = inboxColumns.filter(({ title }) => title !== 'Identity secret')

function printMadeSecret(
  { output }: Context,
  { created, savedIn }: SavedSecret<InboxWithWidgetSecret>,
): void {
  const { secret, ...row } = created
  const naming = { name: 'identity secret', title: 'Secret' }
  const columns = { columns: inboxColumns, columnsBeside }
  printSecret<Inbox>(output, { created, row, secret, savedIn, ...naming, ...columns })
}
