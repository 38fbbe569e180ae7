import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { CreateInbox } from '@crmkit/sdk'
import type { Client } from '../../profile/open-client.ts'
import { channelOption } from '../conversations/conversation-values.ts'
import { findAssignee } from '../conversations/find-assignee.ts'
import { addToList, wholeNumber } from '../option-values.ts'

/** What `create` and `update` both take. */
export interface InboxSettings {
  readonly name?: string | undefined
  readonly channel?: CreateInbox['channel']
  readonly default?: true | undefined
  readonly members?: readonly string[] | undefined
  readonly autoAssign?: boolean | undefined
  readonly maxOpen?: number | undefined
  readonly widget?: boolean | undefined
  readonly widgetOrigins?: readonly string[] | undefined
  readonly widgetGreeting?: string | undefined
  readonly widgetColor?: string | undefined
  readonly widgetIdentity?: boolean | undefined
}

export function addInboxOptions(command: CommandUnknownOpts): void {
  command
    .option('--name <name>', 'name')
    .addOption(channelOption('of conversations that name none; a new inbox has email'))
    .option('--default', 'make it the default inbox, instead of the one before')
    .option('--members <list>', 'comma separated: ids, e-mails or me', addToList)
    .addOption(onOrOff('--auto-assign <on|off>', 'give new conversations to members who are online, in turn'))
    .option('--max-open <n>', 'give nobody more than so many open ones', wholeNumber)
    .addOption(onOrOff('--widget <on|off>', 'the chat widget for web pages'))
    .option('--widget-origins <list>', 'pages that may show it, such as https://www.example.com', addToList)
    .option('--widget-greeting <text>', 'its first words')
    .option('--widget-color <color>', 'such as #3457d5')
    .addOption(
      onOrOff('--widget-identity <on|off>', 'whether visitors must be identified by the page’s server'),
    )
}

function onOrOff(flags: string, description: string) {
  return new Option(flags, description).argParser((text: string): boolean => {
    if (text === 'on' || text === 'off') return text === 'on'
    throw new InvalidArgumentError('It is on or off.')
  })
}

/** The parts of a body; an absent setting stays absent. */
export function settingsBody(settings: InboxSettings) {
  const { name, channel, default: isDefault } = settings
  const autoAssign = { enabled: settings.autoAssign, maxOpen: settings.maxOpen }
  const widget = {
    enabled: settings.widget,
    allowedOrigins: settings.widgetOrigins,
    greeting: settings.widgetGreeting,
    color: settings.widgetColor,
    identityRequired: settings.widgetIdentity,
  }
  return { name, channel, isDefault, autoAssign: given(autoAssign), widget: given(widget) }
}

/** Undefined when nothing of it was said, so that it is not replaced by nothing. */
function given<T extends Record<string, unknown>>(part: T): T | undefined {
  return Object.values(part).some((value) => value !== undefined) ? part : undefined
}

export async function memberIds(client: Client, names: readonly string[]): Promise<string[]> {
  const ids: (string | null)[] = []
  for (const name of names) ids.push(await findAssignee(client, name))
  return ids.filter((id) => id !== null)
}
