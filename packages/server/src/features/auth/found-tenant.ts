import { newDefaultInbox, newUser, normalizeEmail, type Tenant, type User, userEvent } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import { rowOfNewUser } from '../../shared/user-of-record.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import { doneFromTheStart } from '../../upgrades/upgrade-state.ts'
import type { SystemContext } from '../system-handler.ts'
import { newTenantId } from './open-session.ts'

interface Founder {
  tenantName: string
  email: string
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  /** Undefined for an invited owner. */
  identityId: string | undefined
}

/** Returns a tenant with its owner and its default inbox. */
export function foundTenant(
  { ids, now }: Pick<SystemContext, 'ids' | 'now'>,
  { tenantName, email, firstName, lastName, identityId }: Founder,
) {
  const tenantId = newTenantId({ ids })
  const tenant: Tenant = {
    _id: tenantId,
    name: tenantName,
    isSuspended: false,
    createdAt: now,
    updatedAt: now,
  }
  const isActive = identityId !== undefined
  const _id = ids.next('usr')
  const owner: User = newUser({ id: _id, tenantId, email, firstName, lastName, role: 'owner', isActive, now })
  const user: UserRecord = {
    ...rowOfNewUser(owner),
    identityId: identityId ?? '',
    emailNormalized: normalizeEmail(email),
    sessionGeneration: 0,
  }
  const inbox = newDefaultInbox({ id: ids.next('inb'), tenantId, now })
  const change = (ownersRow: UserRecord): Change<Kind> => ({
    writes: [
      { op: 'insert', kind: 'tenants', row: { ...tenant, ...doneFromTheStart(now) } },
      { op: 'insert', kind: 'users', row: ownersRow },
      { op: 'insert', kind: 'inboxes', row: inbox },
    ],
    events: [userEvent('user.created', { user: owner, eventId: ids.next('evt'), now })],
  })
  return { tenantId, tenant, user, change }
}
