import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { channelOption } from '../conversations/conversation-values.ts'
import { findAssignee } from '../conversations/find-assignee.ts'
import type { Call } from '../factories/add-command.ts'
import { addToList, wholeNumber } from '../option-values.ts'

/** The options of `create` and `update`. */
export const addInboxSettings = (command: Command) =>
  command
    .option('--name <name>', 'name')
    .addOption(channelOption('for conversations that name no channel; a new inbox has email'))
    .option('--default', 'make it the default inbox, instead of the present one')
    .option('--members <list>', 'comma separated: ids, e-mails or me', addToList)
    .option('--auto-assign <on|off>', 'assign new conversations to online members, round-robin', onOrOff)
    .option('--max-open <n>', 'assign no member more than this many open conversations', wholeNumber)
    .option('--widget <on|off>', 'the chat widget for web pages', onOrOff)
    .option(
      '--widget-origins <list>',
      'pages that may show the widget, such as https://www.example.com',
      addToList,
    )
    .option('--widget-greeting <text>', 'the greeting of the widget')
    .option('--widget-color <color>', 'such as #3457d5')
    .option('--widget-identity <on|off>', 'whether visitors must be identified by the page’s server', onOrOff)

/** The values of these options. */
export type InboxSettings = ReturnType<ReturnType<typeof addInboxSettings>['opts']>

function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('Expected on or off.')
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
  return { name, channel, isDefault, autoAssign: whenGiven(autoAssign), widget: whenGiven(widget) }
}

/** Undefined when no option sets any of it, so that an update leaves the whole part alone. */
function whenGiven<T extends Record<string, unknown>>(part: T): T | undefined {
  return Object.values(part).some((value) => value !== undefined) ? part : undefined
}

export async function memberIds(call: Call, names: readonly string[]): Promise<string[]> {
  const ids: (string | null)[] = []
  for (const name of names) ids.push(await findAssignee(call, name))
  return ids.filter((id) => id !== null)
}
