import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Inbox, UpdateInbox } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { type Client, openClient } from '../../profile/open-client.ts'
import { assertChange } from '../assert-change.ts'
import { clearOption } from '../clear-option.ts'
import { addToList, eitherFlag } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { inboxColumns } from './inbox-columns.ts'
import { addInboxOptions, type InboxSettings, memberIds, settingsBody } from './inbox-settings.ts'

interface UpdateOptions extends InboxSettings {
  readonly addMembers?: readonly string[] | undefined
  readonly removeMembers?: readonly string[] | undefined
  readonly activate?: true | undefined
  readonly deactivate?: true | undefined
  readonly clear?: readonly string[] | undefined
}

const clearable = ['members', 'max-open', 'widget-origins', 'widget-greeting', 'widget-color']

export function defineUpdateInbox(inboxes: CommandUnknownOpts): void {
  const update = inboxes
    .command('update')
    .argument('<id>', 'the id of the inbox')
    .summary('Change an inbox')
    .description('Change an inbox. What is not named stays.')
  addInboxOptions(update)
  update
    .addOption(
      new Option('--add-members <list>', 'ids, e-mails or me').argParser(addToList).conflicts('members'),
    )
    .addOption(
      new Option('--remove-members <list>', 'ids, e-mails or me').argParser(addToList).conflicts('members'),
    )
    .option('--activate', 'use it again')
    .addOption(new Option('--deactivate', 'use it no more').conflicts('activate'))
    .addOption(clearOption(clearable))
    .addHelpText(
      'after',
      `\nMembers, auto-assign and the widget are read first: two updates of one inbox at once may lose one.\n${examples(
        'crm inboxes update inb_01J8ZQ4W7N --name Sales --add-members usr_01J8ZQ4W7N --auto-assign on',
        'crm inboxes update inb_01J8ZQ4W7N --widget on --widget-color "#3457d5" --clear widget-greeting',
      )}`,
    )
    .action((id: string, options: UpdateOptions, self) =>
      runAction(self, (context) => updateInbox(context, id, options)),
    )
}

async function updateInbox(context: Context, id: string, options: UpdateOptions): Promise<void> {
  assertChange({ ...options })
  const client = await openClient(context, 'session')
  const current = await client.call((crm) => crm.inboxes.get(id))
  const body = { ...bodyOf(options, current), members: await changedMembers(client, options, current) }
  const inbox = await client.call((crm) => crm.inboxes.update(id, body))
  context.output.say('Changed the inbox.')
  printRecord(context.output, { row: inbox, columns: inboxColumns, quiet: inbox._id })
}

/** The server replaces `autoAssign` and `widget` as a whole, so what was not named comes from the present ones. */
function bodyOf(options: UpdateOptions, current: Inbox): UpdateInbox {
  const isCleared = (name: string) => options.clear?.includes(name) === true
  const { autoAssign, widget, ...own } = settingsBody(options)
  const body: UpdateInbox = { ...own, isActive: eitherFlag(options.activate, options.deactivate) }
  if (autoAssign || isCleared('max-open')) {
    const { enabled, maxOpen } = current.autoAssign
    body.autoAssign = {
      enabled: autoAssign?.enabled ?? enabled,
      maxOpen: isCleared('max-open') ? null : (autoAssign?.maxOpen ?? maxOpen),
    }
  }
  if (widget || options.clear?.some((name) => name.startsWith('widget-'))) {
    const { enabled, allowedOrigins, greeting, color, identityRequired } = current.widget
    body.widget = {
      enabled: widget?.enabled ?? enabled,
      allowedOrigins: isCleared('widget-origins') ? [] : (widget?.allowedOrigins ?? allowedOrigins),
      greeting: isCleared('widget-greeting') ? null : (widget?.greeting ?? greeting),
      color: isCleared('widget-color') ? null : (widget?.color ?? color),
      identityRequired: widget?.identityRequired ?? identityRequired,
    }
  }
  return body
}

async function changedMembers(
  client: Client,
  { members, addMembers, removeMembers, clear }: UpdateOptions,
  current: Inbox,
): Promise<string[] | undefined> {
  if (clear?.includes('members')) return []
  if (members) return memberIds(client, members)
  if (!addMembers && !removeMembers) return undefined
  const removed = new Set(await memberIds(client, removeMembers ?? []))
  const added = await memberIds(client, addMembers ?? [])
  return [...new Set([...current.members, ...added])].filter((id) => !removed.has(id))
}
