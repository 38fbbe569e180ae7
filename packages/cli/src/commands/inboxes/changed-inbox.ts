import type { Inbox, UpdateInbox } from '@crmkit/sdk'
import type { Call } from '../factories/add-command.ts'
import { eitherFlag } from '../option-values.ts'
import { type InboxSettings, memberIds, settingsBody } from './inbox-settings.ts'

interface InboxChanges extends InboxSettings {
  readonly addMembers?: readonly string[] | undefined
  readonly removeMembers?: readonly string[] | undefined
  readonly activate?: true | undefined
  readonly deactivate?: true | undefined
  readonly clear?: readonly string[] | undefined
}

/** The body of an update: the server replaces members, `autoAssign` and `widget` as a whole. */
export async function changedInbox(call: Call, changes: InboxChanges, current: Inbox): Promise<UpdateInbox> {
  const { name, channel, isDefault } = settingsBody(changes)
  return {
    name,
    channel,
    isDefault,
    isActive: eitherFlag(changes.activate, changes.deactivate),
    autoAssign: changedAutoAssign(changes, current),
    widget: changedWidget(changes, current),
    members: await changedMembers(call, changes, current),
  }
}

const isCleared = ({ clear }: InboxChanges, name: string) => clear?.includes(name) === true

function changedAutoAssign(changes: InboxChanges, current: Inbox): UpdateInbox['autoAssign'] {
  const { autoAssign } = settingsBody(changes)
  const isMaximumCleared = isCleared(changes, 'max-open')
  if (!autoAssign && !isMaximumCleared) return undefined
  const { enabled, maxOpen } = current.autoAssign
  return {
    enabled: autoAssign?.enabled ?? enabled,
    maxOpen: isMaximumCleared ? null : (autoAssign?.maxOpen ?? maxOpen),
  }
}

function changedWidget(changes: InboxChanges, current: Inbox): UpdateInbox['widget'] {
  const { widget } = settingsBody(changes)
  if (!widget && !changes.clear?.some((name) => name.startsWith('widget-'))) return undefined
  const { enabled, allowedOrigins, greeting, color, identityRequired } = current.widget
  return {
    enabled: widget?.enabled ?? enabled,
    allowedOrigins: isCleared(changes, 'widget-origins') ? [] : (widget?.allowedOrigins ?? allowedOrigins),
    greeting: isCleared(changes, 'widget-greeting') ? null : (widget?.greeting ?? greeting),
    color: isCleared(changes, 'widget-color') ? null : (widget?.color ?? color),
    identityRequired: widget?.identityRequired ?? identityRequired,
  }
}

async function changedMembers(
  call: Call,
  changes: InboxChanges,
  current: Inbox,
): Promise<string[] | undefined> {
  const { members, addMembers, removeMembers } = changes
  if (isCleared(changes, 'members')) return []
  if (members) return memberIds(call, members)
  if (!addMembers && !removeMembers) return undefined
  const removed = new Set(await memberIds(call, removeMembers ?? []))
  const added = await memberIds(call, addMembers ?? [])
  return [...new Set([...current.members, ...added])].filter((id) => !removed.has(id))
}
