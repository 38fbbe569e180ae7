import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import type { CreateInbox } from '@crmkit/sdk'
import { findAssignee } from '../conversations/find-assignee.ts'
import type { Call } from '../factories/add-command.ts'
import { addToList, wholeNumber } from '../option-values.ts'

/** The names and texts of the options of `create` and `update`; `addInboxSettings` adds those of the parts. */
export const inboxFields = {
  channel: 'for conversations that name no channel; a new inbox has email',
  isDefault: false,
  members: 'comma separated: ids, e-mails or me',
} as const

export const addInboxSettings = (command: Command) =>
  command
    .option('--default', 'make it the default inbox, instead of the present one')
    .option('--auto-assign <on|off>', 'assign new conversations to members, round-robin', onOrOff)
    .option('--only-online <on|off>', 'off: also to members whom nobody has set away or offline', onOrOff)
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
    .option('--widget-team <on|off>', 'show visitors the team’s name and who is online', onOrOff)
    .option('--widget-text <key=text>', 'replace a text of the widget; may be repeated', addText)
    .option('--widget-ask-email <on|off>', 'whether the widget asks visitors for an e-mail address', onOrOff)
    .option('--widget-reply-by-mail <on|off>', 'mail replies that a visitor has not read', onOrOff)
    .option('--widget-mail-inbox <id>', 'the inbox that sends this mail; it has a transport')

type Given = ReturnType<ReturnType<typeof addInboxSettings>['opts']>

/** The values of these options; null for one that `--clear` names. */
export type InboxSettings = { readonly [Name in keyof Given]?: Given[Name] | null }

function addText(given: string, before: Record<string, string> = {}): Record<string, string> {
  const at = given.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Expected a key and its text, such as placeholder="Ask us".')
  return { ...before, [given.slice(0, at)]: given.slice(at + 1) }
}

function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('Expected on or off.')
}

/** The parts of a body; an absent setting stays absent. */
export function settingsBody(settings: InboxSettings & Pick<CreateInbox, 'channel'>) {
  const { channel, default: isDefault } = settings
  const autoAssign = {
    enabled: settings.autoAssign,
    onlyOnline: settings.onlyOnline,
    maxOpen: settings.maxOpen,
  }
  const widget = {
    enabled: settings.widget,
    allowedOrigins: settings.widgetOrigins,
    greeting: settings.widgetGreeting,
    color: settings.widgetColor,
    identityRequired: settings.widgetIdentity,
    showTeam: settings.widgetTeam,
    texts: settings.widgetText,
    askEmail: settings.widgetAskEmail,
    replyByMail: whenGiven({ enabled: settings.widgetReplyByMail, inboxId: settings.widgetMailInbox }),
  }
  return { channel, isDefault, autoAssign: whenGiven(autoAssign), widget: whenGiven(widget) }
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
