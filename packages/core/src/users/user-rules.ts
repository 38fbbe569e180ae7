import { Failure, invalidState } from '../contract/failure.ts'
import type { Role } from '../contract/permissions.ts'
import { type DomainEvent, makeEvent } from '../events/event.ts'
import { type Changes, changesBetween } from '../shared/changes.ts'
import type { ShownAvailability } from './availability-rules.ts'
import type { UpdateUserBody, User } from './user.ts'

export interface NewUser {
  id: string
  tenantId: string
  email: string
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  role: Role
  /** False until an invitation is accepted. Default true. */
  isActive?: boolean
  now: string
}

export function newUser({ id, tenantId, email, role, now, ...rest }: NewUser): User {
  return {
    _id: id,
    tenantId,
    email,
    firstName: rest.firstName ?? null,
    lastName: rest.lastName ?? null,
    role,
    isActive: rest.isActive ?? true,
    availability: 'offline',
    availabilityMode: 'auto',
    availabilitySince: now,
    availabilityUntil: null,
    inviteExpiresAt: null,
    processingRestricted: false,
    createdAt: now,
    updatedAt: now,
  }
}

/** `availability`: that of the changed user at this moment. */
export function updatedUser(
  before: User,
  body: UpdateUserBody,
  { now, availability }: { now: string; availability: ShownAvailability },
): { user: User; changes: Changes } {
  const user: User = {
    ...before,
    firstName: body.firstName === undefined ? before.firstName : body.firstName,
    lastName: body.lastName === undefined ? before.lastName : body.lastName,
    ...availability,
    role: body.role ?? before.role,
    isActive: body.isActive ?? before.isActive,
    // Only its acceptance makes an invited user active.
    inviteExpiresAt: body.isActive ? null : before.inviteExpiresAt,
    updatedAt: now,
  }
  const { availabilitySince: _since, ...changes } = changesBetween(before, user)
  return { user, changes }
}

/** Only an owner changes an owner or makes one. */
export function assertMayChangeUser(actor: Role, roles: { from: Role; to: Role }): void {
  if (actor !== 'owner' && (roles.from === 'owner' || roles.to === 'owner')) {
    throw new Failure('PERMISSION_DENIED', 'Only an owner can change an owner', {
      extra: { required: 'owner', granted: actor },
    })
  }
}

/** Whether the change removes an active owner. The tenant must have another one. */
export function losesOwner(before: User, after: User): boolean {
  const isOwner = (user: User) => user.role === 'owner' && user.isActive
  return isOwner(before) && !isOwner(after)
}

/** Only the person can make an invited user active, by accepting: before that the user has no password. */
export function notAcceptedYet(): Failure {
  return invalidState('The invitation has not been accepted yet', 'invited', ['active'])
}

export function alreadyAccepted(): Failure {
  return invalidState('The invitation has been accepted', 'accepted', ['invited'])
}

export function lastOwnerStays(): Failure {
  return invalidState('The last owner cannot be removed, demoted or deactivated', 'owner', ['owner'])
}

interface UserEventParts {
  user: User
  eventId: string
  now: string
  changes?: Changes
}

export function userEvent(
  type: 'user.created' | 'user.updated',
  { user, eventId, now, changes }: UserEventParts,
): DomainEvent {
  const parts = { id: eventId, type, now, subjects: [user._id] }
  if (user.processingRestricted) return makeEvent({ ...parts, data: restrictedData(user) })
  return makeEvent({ ...parts, data: user, ...(changes && { changes }) })
}

/** Events about a user who has restricted the processing of their data hold ids only. Source: contract 6. */
function restrictedData({ _id, tenantId }: User) {
  return { _id, tenantId, processingRestricted: true }
}
