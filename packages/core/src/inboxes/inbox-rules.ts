import { type Failure, invalidState } from '../contract/failure.ts'
import { kept } from '../shared/kept.ts'
import { type Inbox, newDefaultInbox, type UpdateInboxBody } from './inbox.ts'

/** What an inbox is before anything was said about it. */
const blank = newDefaultInbox({ id: '', tenantId: '', now: '' })

interface Making {
  id: string
  tenantId: string
  now: string
  /** Made anew; used when the widget is enabled for the first time. */
  widgetKey: string
}

export function newInbox(body: UpdateInboxBody & { name: string }, making: Making): Inbox {
  const { id, tenantId, now } = making
  const before = { ...newDefaultInbox({ id, tenantId, now }), isDefault: false, name: body.name }
  return updatedInbox(before, body, making)
}

/**
 * The inbox after a PUT: `members`, `autoAssign` and `widget` are replaced as a whole; what the service made for the
 * widget stays. Throws INVALID_STATE when the tenant would have no working default inbox.
 */
export function updatedInbox(
  before: Inbox,
  body: UpdateInboxBody,
  { now, widgetKey }: Pick<Making, 'now' | 'widgetKey'>,
): Inbox {
  const after: Inbox = {
    ...before,
    name: kept(body.name, before.name),
    channel: kept(body.channel, before.channel) ?? blank.channel,
    isActive: kept(body.isActive, before.isActive) ?? blank.isActive,
    isDefault: kept(body.isDefault, before.isDefault) ?? false,
    members: kept(body.members, before.members) ?? [],
    autoAssign: body.autoAssign === undefined ? before.autoAssign : autoAssignOf(body.autoAssign),
    widget: body.widget === undefined ? before.widget : widgetOf(before, body.widget, widgetKey),
    updatedAt: now,
  }
  if (before.isDefault && !after.isDefault) throw defaultStays('Another inbox must be made the default one')
  if (after.isDefault && !after.isActive) throw defaultStays('The default inbox is always active')
  return after
}

function autoAssignOf(given: UpdateInboxBody['autoAssign']): Inbox['autoAssign'] {
  return { enabled: given?.enabled ?? false, strategy: 'round_robin', maxOpen: given?.maxOpen ?? null }
}

function widgetOf(before: Inbox, given: UpdateInboxBody['widget'], widgetKey: string): Inbox['widget'] {
  const { publicKey, identitySecretPrefix, previousIdentitySecretExpiresAt } = before.widget
  const enabled = given?.enabled ?? false
  return {
    enabled,
    publicKey: publicKey ?? (enabled ? widgetKey : null),
    allowedOrigins: given?.allowedOrigins ?? [],
    greeting: given?.greeting ?? null,
    color: given?.color ?? null,
    identityRequired: given?.identityRequired ?? false,
    identitySecretPrefix,
    previousIdentitySecretExpiresAt,
  }
}

function defaultStays(message: string): Failure {
  return invalidState(message, 'default', ['default'])
}

/** Throws INVALID_STATE for an inbox that something still needs. */
export function assertRemovable(inbox: Inbox, conversations: number): void {
  if (inbox.isDefault) throw defaultStays('The default inbox cannot be deleted')
  if (conversations > 0) {
    throw invalidState('An inbox with conversations cannot be deleted', 'in use', ['empty'])
  }
}

export interface Candidate {
  _id: string
  isActive: boolean
  availability: string
  processingRestricted: boolean
}

/** Who can be given work now, in the order of the inbox. */
export function candidatesOf<T extends Candidate>(members: readonly (T | undefined)[]): T[] {
  const canWork = (member: Candidate) =>
    member.isActive && member.availability === 'online' && !member.processingRestricted
  return members.filter((member) => member !== undefined && canWork(member)) as T[]
}
