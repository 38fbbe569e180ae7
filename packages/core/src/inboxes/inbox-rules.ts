import { type Failure, invalidState } from '../contract/failure.ts'
import type { NewResource } from '../shared/common-fields.ts'
import { updatedField } from '../shared/updated-field.ts'
import type { User } from '../users/user.ts'
import { type Inbox, newDefaultInbox, type UpdateInboxBody } from './inbox.ts'
import { updatedEmail } from './inbox-email-rules.ts'

/** The defaults of an inbox. */
const defaults = newDefaultInbox({ id: '', tenantId: '', now: '' })

interface NewInboxParts extends NewResource {
  /** A new key, used when the widget is enabled for the first time. */
  widgetKey: string
}

export function newInbox(body: UpdateInboxBody & { name: string }, making: NewInboxParts): Inbox {
  const { id, tenantId, now } = making
  const before = { ...newDefaultInbox({ id, tenantId, now }), isDefault: false, name: body.name }
  return updatedInbox(before, body, making)
}

/**
 * The inbox after a PUT: `members`, `autoAssign`, `widget` and `email` are replaced as a whole, except the
 * public key and the state of the secrets. Throws INVALID_STATE when the tenant would have no working default inbox.
 */
export function updatedInbox(
  before: Inbox,
  body: UpdateInboxBody,
  { now, widgetKey }: Pick<NewInboxParts, 'now' | 'widgetKey'>,
): Inbox {
  const after: Inbox = {
    ...before,
    name: updatedField(body.name, before.name),
    channel: updatedField(body.channel, before.channel) ?? defaults.channel,
    isActive: updatedField(body.isActive, before.isActive) ?? defaults.isActive,
    isDefault: updatedField(body.isDefault, before.isDefault) ?? false,
    members: updatedField(body.members, before.members) ?? [],
    autoAssign: body.autoAssign === undefined ? before.autoAssign : autoAssignOf(body.autoAssign),
    widget: body.widget === undefined ? before.widget : widgetOf(before, body.widget, widgetKey),
    email: body.email === undefined ? before.email : updatedEmail(before.email, body.email),
    updatedAt: now,
  }
  if (before.isDefault && !after.isDefault)
    throw defaultRequired('Another inbox must be made the default one')
  if (after.isDefault && !after.isActive) throw defaultRequired('The default inbox is always active')
  return after
}

function autoAssignOf(given: UpdateInboxBody['autoAssign']): Inbox['autoAssign'] {
  return {
    enabled: given?.enabled ?? false,
    strategy: 'round_robin',
    onlyOnline: given?.onlyOnline ?? true,
    maxOpen: given?.maxOpen ?? null,
  }
}

function widgetOf(before: Inbox, given: UpdateInboxBody['widget'], widgetKey: string): Inbox['widget'] {
  const { publicKey, identitySecretPrefix, previousIdentitySecretExpiresAt, lastSeen } = before.widget
  const enabled = given?.enabled ?? false
  const { replyByMail: mail } = given ?? {}
  const replyByMail = { enabled: mail?.enabled ?? false, inboxId: mail?.inboxId ?? null }
  return {
    enabled,
    publicKey: publicKey ?? (enabled ? widgetKey : null),
    allowedOrigins: given?.allowedOrigins ?? [],
    greeting: given?.greeting ?? null,
    color: given?.color ?? null,
    identityRequired: given?.identityRequired ?? false,
    showTeam: given?.showTeam ?? false,
    texts: given?.texts ?? {},
    askEmail: given?.askEmail ?? replyByMail.enabled,
    replyByMail,
    identitySecretPrefix,
    previousIdentitySecretExpiresAt,
    lastSeen,
  }
}

function defaultRequired(message: string): Failure {
  return invalidState(message, 'default', ['default'])
}

/** Throws INVALID_STATE for the default inbox and for one with conversations. */
export function assertRemovable(inbox: Pick<Inbox, 'isDefault'>, conversations: number): void {
  if (inbox.isDefault) throw defaultRequired('The default inbox cannot be deleted')
  if (conversations > 0) {
    throw invalidState('An inbox with conversations cannot be deleted', 'in use', ['empty'])
  }
}

export type Candidate = Pick<
  User,
  '_id' | 'isActive' | 'availability' | 'availabilityMode' | 'processingRestricted'
>

/** The members that can be assigned work now, in the order of the inbox. */
export function candidatesOf<T extends Candidate>(
  members: readonly (T | undefined)[],
  { onlyOnline }: Pick<Inbox['autoAssign'], 'onlyOnline'>,
): T[] {
  const isThere = ({ availability, availabilityMode }: Candidate) =>
    availability === 'online' || (!onlyOnline && availabilityMode === 'auto')
  const canWork = (member: Candidate) => member.isActive && isThere(member) && !member.processingRestricted
  return members.filter((member) => member !== undefined && canWork(member)) as T[]
}
