import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { inboxColumns } from './inbox-columns.ts'
import { addInboxOptions, type InboxSettings, memberIds, settingsBody } from './inbox-settings.ts'

export function defineCreateInbox(inboxes: CommandUnknownOpts): void {
  const create = inboxes.command('create').description('Create an inbox.')
  addInboxOptions(create)
  create
    .addHelpText(
      'after',
      examples(
        'crm inboxes create --name Sales --channel chat --members me --auto-assign on --max-open 5',
        'crm inboxes create --name Web --channel chat --widget on --widget-origins https://www.example.com',
      ),
    )
    .action((options: InboxSettings, self) => runAction(self, (context) => createInbox(context, options)))
}

async function createInbox(context: Context, options: InboxSettings): Promise<void> {
  const { output, prompter } = context
  prompter.requireValues({ '--name': options.name })
  const client = await openClient(context, 'session')
  const name = options.name ?? (await prompter.text('Name of the inbox'))
  const members = options.members && (await memberIds(client, options.members))
  const body = { ...settingsBody(options), name, members }
  const inbox = await client.call((crm) => crm.inboxes.create(body))
  output.say('Created the inbox.')
  printRecord(output, { row: inbox, columns: inboxColumns, quiet: inbox._id })
}
