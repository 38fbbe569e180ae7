import { Failure, type IdFactory } from '@crmkit/core'
import { conversationErasure } from '../features/conversations/delete-conversation.ts'
import { customerErasure } from '../features/customers/delete-customer.ts'
import { userErasure } from '../features/privacy/decide-requests.ts'
import { userRemoval } from '../features/users/delete-user.ts'
import type { RemovalContext } from '../features/users/remove-user.ts'
import { auditWrite } from '../http/pipeline/audit-write.ts'
import { beginTenantDeletion } from '../jobs/delete-tenant.ts'
import type { Change } from '../ports/change.ts'
import type { Clock } from '../ports/clock.ts'
import type { ErasureLine } from '../ports/erasure-ledger.ts'
import type { Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { VersionConflict } from '../storage/errors.ts'
import type { Kind } from '../storage/kinds/registry.ts'
import type { TaskRecord } from '../storage/kinds/tasks.ts'
import type { TenantId } from '../storage/records.ts'

export interface ErasingParts {
  storage: Storage
  clock: Clock
  ids: IdFactory
}

/** A tenant of the database, as the lines of a ledger meet it. */
export interface ErasingTenant {
  tenantId: TenantId
  /** The tasks that exist: what they do is not begun again. */
  tasks: readonly TaskRecord[]
}

/** `lastOwner`: a user who stays until somebody appoints another owner here. */
export type Outcome = 'erased' | 'absent' | 'lastOwner'

const triesMax = 5
const reason = 'Erased before, and brought back by data of an earlier time'

type Found = { change: Change<Kind>; action: string; type: string } | Exclude<Outcome, 'erased'>

/** Erases what a line of the ledger names, as an ordinary erasure. An erasure that is done is not made again. */
export async function eraseLine(
  parts: ErasingParts,
  tenant: ErasingTenant,
  line: ErasureLine,
): Promise<Outcome> {
  if (line.kind === 'tenants') return eraseTenant(parts, tenant)
  for (let tries = 1; ; tries++) {
    const now = isoTime(parts.clock.nowMs())
    const found = await findErasure(parts, { ...tenant, now }, line)
    if (typeof found === 'string') return found
    const { change, action, type } = found
    const { tenantId } = tenant
    const actor = { type: 'system' as const, _id: null }
    const note = { action, target: { type, _id: line.id }, reason }
    const audit = auditWrite({ ids: parts.ids, tenantId, now, requestId: null, actor }, note)
    try {
      await parts.storage.system.commit(tenantId, { ...change, writes: [...change.writes, audit] })
      return 'erased'
    } catch (error) {
      if (!(error instanceof VersionConflict) || tries >= triesMax) throw error
    }
  }
}

async function eraseTenant({ storage, clock }: ErasingParts, tenant: ErasingTenant): Promise<Outcome> {
  if (tenant.tasks.some(({ type }) => type === 'deleteTenant')) return 'absent'
  const found = await storage.system.findTenant(tenant.tenantId)
  if (found === undefined) return 'absent'
  await beginTenantDeletion(storage.system, found, isoTime(clock.nowMs()))
  return 'erased'
}

async function findErasure(
  { storage, ids }: ErasingParts,
  { tenantId, tasks, now }: ErasingTenant & { now: string },
  line: ErasureLine,
): Promise<Found> {
  const store = storage.forTenant(tenantId)
  const { id, at: until } = line
  if (line.kind === 'customers') {
    const customer = await store.customers.find(id)
    if (customer === undefined) return 'absent'
    const change = await customerErasure({ store, ids, now, tenantId, until }, customer)
    return { change, action: 'customer.deleted', type: 'customer' }
  }
  if (line.kind === 'conversations') {
    if ((await store.conversations.find(id)) === undefined) return 'absent'
    const change = conversationErasure({ ids, now }, id)
    return { change, action: 'conversation.deleted', type: 'conversation' }
  }
  const user = await store.users.find(id)
  const isBegun = tasks.some(({ type, subjectId }) => type === 'eraseUser' && subjectId === id)
  // Messages of a user name them also where the membership had ended before.
  if (line.isRemoval ? user === undefined : isBegun) return 'absent'
  const ctx: RemovalContext = {
    ids,
    now,
    requestId: 'ledger',
    system: storage.system,
    forTenant: (of) => storage.forTenant(of),
  }
  const remover = { tenantId, role: 'owner' } as const
  try {
    const change =
      line.isRemoval && user ? await userRemoval(ctx, remover, user) : await userErasure(ctx, remover, id)
    return { change, action: 'user.deleted', type: 'user' }
  } catch (error) {
    if (error instanceof Failure) return 'lastOwner'
    throw error
  }
}
