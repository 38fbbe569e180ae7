import type { Inbox, UpdateInbox } from '@crmkit/sdk'
import type { Call } from '../factories/add-command.ts'
import { type InboxSettings, memberIds, settingsBody } from './inbox-settings.ts'

interface InboxChanges extends InboxSettings, Pick<UpdateInbox, 'name' | 'channel' | 'isActive' | 'members'> {
  readonly addMembers?: readonly string[] | undefined
  readonly removeMembers?: readonly string[] | undefined
}

/** The body of an update: the server replaces members, `autoAssign` and `widget` as a whole. */
export async function changedInbox(call: Call, changes: InboxChanges, current: Inbox): Promise<UpdateInbox> {
  const { autoAssign, widget, ...settings } = settingsBody(changes)
  const { enabled, onlyOnline, maxOpen } = current.autoAssign
  return {
    ...settings,
    name: changes.name,
    isActive: changes.isActive,
    autoAssign: autoAssign && { enabled, onlyOnline, maxOpen, ...given(autoAssign) },
    widget: widget && {
      ...changeable(current.widget),
      ...given({ ...widget, texts: textsOf(widget, current) }),
      replyByMail: { ...current.widget.replyByMail, ...given(widget.replyByMail ?? {}) },
    },
    members: await changedMembers(call, changes, current),
  }
}

function changeable(widget: Inbox['widget']) {
  const { enabled, allowedOrigins, greeting, color, identityRequired, showTeam, texts } = widget
  const { askEmail, replyByMail } = widget
  const shown = { enabled, allowedOrigins, greeting, color, identityRequired, showTeam, texts }
  return { ...shown, askEmail, replyByMail }
}

/** A text that is given replaces the one of the same key; `--clear` empties all. */
function textsOf({ texts }: NonNullable<UpdateInbox['widget']>, { widget }: Inbox) {
  return texts && { ...widget.texts, ...texts }
}

/** The members that are not undefined; null empties one. */
function given<T extends object>(part: T): Partial<T> {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Partial<T>
}

async function changedMembers(
  call: Call,
  { members, addMembers, removeMembers }: InboxChanges,
  current: Inbox,
): Promise<string[] | undefined> {
  if (members === null) return []
  if (members) return memberIds(call, members)
  if (!addMembers && !removeMembers) return undefined
  const removed = new Set(await memberIds(call, removeMembers ?? []))
  const added = await memberIds(call, addMembers ?? [])
  return [...new Set([...current.members, ...added])].filter((id) => !removed.has(id))
}
