import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Inbox } from '@crmkit/sdk'
import { CliError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { printJson } from '../../output/print-json.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'

/** `crm inboxes snippet ID`: the lines to paste, alone on stdout, so that they can be piped. */
export function defineSnippet(inboxes: CommandUnknownOpts): void {
  inboxes
    .command('snippet')
    .argument('<id>', 'the id of the inbox')
    .summary('Print the script that shows the chat widget on a page')
    .description(
      'Print the script that shows the chat widget on a page. Settings that keep the widget from working are reported on stderr.',
    )
    .addHelpText(
      'after',
      examples(
        'crm inboxes snippet inb_01J8ZQ4W7N',
        'crm inboxes snippet inb_01J8ZQ4W7N >> page.html',
        'crm inboxes snippet inb_01J8ZQ4W7N --json warnings',
      ),
    )
    .action((id, _, self) => runAction(self, (context) => printSnippet(context, id)))
}

async function printSnippet(context: Context, id: string): Promise<void> {
  const { output } = context
  const { call, baseUrl } = await openClient(context)
  const { widget } = await call((crm) => crm.inboxes.get(id))
  if (widget.publicKey === null) {
    throw new CliError('The widget of this inbox was never switched on, so it has no key.', {
      code: 'INVALID_STATE',
      hint: `Run: crm inboxes update ${id} --widget on`,
    })
  }
  const snippet = `<script async src="${baseUrl.replace(/\/$/, '')}/widget/v1.js" data-key="${widget.publicKey}"></script>`
  const warnings = warningsOf(id, widget)
  if (output.json) {
    printJson(output, { snippet, warnings })
    return
  }
  output.print(snippet)
  for (const warning of warnings) output.warn(warning)
}

/** One sentence for each setting that is still off, with the command that changes it. */
function warningsOf(id: string, widget: Inbox['widget']): string[] {
  const warnings: string[] = []
  if (!widget.enabled) warnings.push(`The widget is switched off. Run: crm inboxes update ${id} --widget on`)
  if (widget.allowedOrigins.length === 0)
    warnings.push(
      `Every page may show the widget. Run: crm inboxes update ${id} --widget-origins https://www.example.com`,
    )
  if (widget.identitySecretPrefix === null) {
    const effect = widget.identityRequired
      ? 'Visitors need a signed identity, but no secret exists to sign it with'
      : 'No identity secret exists, so every visitor is anonymous'
    warnings.push(`${effect}. Run: crm inboxes widget-secret ${id} --secret-file widget.secret`)
  }
  return warnings
}
