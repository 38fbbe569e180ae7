import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Inbox, InboxWithWidgetSecret } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { savingSecret } from '../../prompts/secret-file.ts'
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

type Made = Inbox & { readonly secret?: string }

const withSecret: readonly Column<Made>[] = [
  ...inboxColumns.filter(({ title }) => title !== 'Identity secret'),
  { title: 'Secret', value: (made) => made.secret },
]

interface SavedInbox {
  readonly created: InboxWithWidgetSecret
  readonly savedIn: string | undefined
}

/** The secret goes to one place only: the file when there is one, else stdout. */
function printMadeSecret({ output }: Context, { created, savedIn }: SavedInbox): void {
  const { secret, ...inbox } = created
  if (savedIn !== undefined) {
    output.say(`The identity secret is in ${cleanLine(savedIn)}.`)
    printRecord<Made>(output, { row: inbox, columns: inboxColumns, quiet: inbox._id })
    return
  }
  output.say('The identity secret is shown this once:')
  printRecord<Made>(output, { row: created, columns: withSecret, quiet: secret })
}
