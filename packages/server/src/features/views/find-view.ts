import { Failure, isRoleAtLeast, notFound, type View } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import type { ViewRecord } from '../../storage/kinds/views.ts'
import type { Stored } from '../../storage/records.ts'
import type { Actor } from '../caller.ts'

export type User = Pick<Extract<Actor, { type: 'user' }>, '_id' | 'role'>

/** Returns a view as the contract shows it. */
export function viewOf(row: ViewRecord): View {
  const { _id, tenantId, name, filter, customerId, assignedTo, sort } = row
  const { isShared, ownerId, createdAt, updatedAt } = row
  const people = { ...(assignedTo !== null && { assignedTo }), ...(customerId !== null && { customerId }) }
  return {
    _id,
    tenantId,
    name,
    filter: { ...filter, ...people },
    sort,
    isShared,
    ownerId,
    createdAt,
    updatedAt,
  }
}

/** Returns a view that the user sees. Throws NOT_FOUND for one of somebody else alone. */
export async function getViewRow(store: TenantReads, user: User, id: string): Promise<Stored<ViewRecord>> {
  const row = await store.views.find(id)
  if (row === undefined || !(row.isShared || row.ownerId === user._id)) throw notFound()
  return row
}

/** Throws PERMISSION_DENIED unless the user may change a view that they see. */
export function assertMayChange(user: User, { ownerId }: ViewRecord): void {
  if (ownerId === user._id || isRoleAtLeast(user.role, 'admin')) return
  throw refusal('Only its owner or an admin can change a shared view', 'admin', user)
}

/** Throws PERMISSION_DENIED for a user who may change nothing that the team sees. */
export function assertMayShare(user: User): void {
  if (isRoleAtLeast(user.role, 'agent')) return
  throw refusal('Sharing a view takes the role agent', 'agent', user)
}

function refusal(message: string, required: string, { role: granted }: User): Failure {
  return new Failure('PERMISSION_DENIED', message, { extra: { required, granted } })
}
