import {
  changesBetween,
  type createView,
  type deleteView,
  referenceFailure,
  type UpdateViewBody,
  type updateView,
  type ViewFilter,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { ViewRecord } from '../../storage/kinds/views.ts'
import { withoutVersion } from '../../storage/records.ts'
import { userOf } from '../caller.ts'
import { customerGuard } from '../conversations/conversation-references.ts'
import type { Handler } from '../handler.ts'
import { assertMayChange, assertMayShare, getViewRow, type User, viewOf } from './find-view.ts'
import { freeSlot } from './views-of-audience.ts'

export const handleCreateView: Handler<typeof createView> = async (ctx, { body }) => {
  const { store, ids, tenantId, now } = ctx
  const user = userOf(ctx)
  const { name, filter, sort = '-updatedAt', isShared = false } = body
  const guards = await guardsOf(store, filter)
  if (isShared) assertMayShare(user)
  const audience = { isShared, ownerId: user._id }
  const slot = await freeSlot(store, audience)
  const row: ViewRecord = {
    _id: ids.next('viw'),
    tenantId,
    name,
    ...storedFilter(filter),
    sort,
    ...audience,
    slot,
    createdAt: now,
    updatedAt: now,
  }
  return {
    change: { writes: [...guards, { op: 'insert', kind: 'views', row }], events: [] },
    audit: { action: 'view.created', target: { type: 'view', _id: row._id } },
    reply: { success: true, data: viewOf(row) },
  }
}

export const handleUpdateView: Handler<typeof updateView> = async (ctx, { params, body }) => {
  const { store, now } = ctx
  const user = userOf(ctx)
  const found = await getViewRow(store, user, params.id)
  const before = withoutVersion(found)
  const after = changedView(before, body, user)
  const guards = await guardsOf(store, viewOf(after).filter, viewOf(before).filter)
  assertMayChange(user, found)
  const changed = Object.keys(changesBetween(viewOf(before), viewOf(after)))
  if (changed.length === 0) return { reply: { success: true, data: viewOf(before) } }
  if (after.isShared && !before.isShared) assertMayShare(user)
  if (after.isShared !== before.isShared) after.slot = await freeSlot(store, after)
  const { _id: id, tenantId: _tenant, createdAt: _created, ...rest } = { ...after, updatedAt: now }
  const update: Write = { op: 'update', kind: 'views', id, expectVersion: found.version, set: rest }
  return {
    change: { writes: [...guards, update], events: [] },
    audit: { action: 'view.updated', target: { type: 'view', _id: id }, changed },
    reply: { success: true, data: viewOf({ ...after, updatedAt: now }) },
  }
}

export const handleDeleteView: Handler<typeof deleteView> = async (ctx, { params }) => {
  const user = userOf(ctx)
  const row = await getViewRow(ctx.store, user, params.id)
  assertMayChange(user, row)
  return {
    change: { writes: [removalOf('views', row)], events: [] },
    audit: { action: 'view.deleted', target: { type: 'view', _id: row._id } },
    reply: { success: true, message: 'View deleted' },
  }
}

/** A view that is taken from the team becomes the caller's own. */
function changedView(before: ViewRecord, body: UpdateViewBody, { _id: userId }: User): ViewRecord {
  const { name = before.name, sort = before.sort, isShared = before.isShared, filter } = body
  const isTaken = before.isShared && !isShared
  const ownerId = isTaken ? userId : before.ownerId
  return { ...before, ...(filter && storedFilter(filter)), name, sort, isShared, ownerId }
}

function storedFilter(filter: ViewFilter): Pick<ViewRecord, 'filter' | 'customerId' | 'assignedTo'> {
  const { customerId = null, assignedTo = null, ...rest } = filter
  return { filter: rest, customerId, assignedTo }
}

/**
 * Checks that the ids of a filter name rows of this tenant, unless the view had them before: an inbox may be deleted
 * meanwhile. Returns writes that make the commit conflict when a person was removed since they were read.
 */
async function guardsOf(store: TenantReads, after: ViewFilter, before: ViewFilter = {}): Promise<Write[]> {
  const added = (name: 'customerId' | 'assignedTo' | 'inboxId') =>
    after[name] === before[name] ? undefined : after[name]
  const customerId = added('customerId')
  const inboxId = added('inboxId')
  const assignedTo = ['me', 'none'].includes(after.assignedTo ?? '') ? undefined : added('assignedTo')
  const [customer, user, inbox] = await Promise.all([
    customerId === undefined ? undefined : store.customers.find(customerId),
    assignedTo === undefined ? undefined : store.users.find(assignedTo),
    inboxId === undefined ? undefined : store.inboxes.find(inboxId),
  ])
  const missing = [
    ...(assignedTo !== undefined && user === undefined ? ['filter.assignedTo'] : []),
    ...(inboxId !== undefined && inbox === undefined ? ['filter.inboxId'] : []),
    ...(customerId !== undefined && customer === undefined ? ['filter.customerId'] : []),
  ]
  if (missing.length > 0) throw referenceFailure(...missing)
  const userGuard: Write[] = assignedTo === undefined ? [] : [{ op: 'patch', kind: 'users', id: assignedTo }]
  return [...customerGuard(customerId), ...userGuard]
}
