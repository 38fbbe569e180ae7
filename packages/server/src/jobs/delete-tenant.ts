import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { Storage } from '../ports/storage.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { passFaultPoint } from '../shared/fault-points.ts'
import { removalOf } from '../shared/removal-of.ts'
import { VersionConflict } from '../storage/errors.ts'
import { transferKinds } from '../storage/kinds/derive.ts'
import type { Records, TransferKind } from '../storage/kinds/registry.ts'
import type { TaskRecord } from '../storage/kinds/tasks.ts'
import type { Stored, TenantId } from '../storage/records.ts'

const pageSize = 200

export interface TenantDeletion {
  storage: Pick<Storage, 'system'>
  attachments: Pick<AttachmentStore, 'remove'>
}

/**
 * The kinds of a tenant, children before their parents: sign-ins and keys first, so that nobody goes on writing. The tenant and the task
 * of its deletion come last.
 */
const last: readonly TransferKind[] = ['tasks', 'tenants']
const first: readonly TransferKind[] = ['sessions', 'apiKeys', 'webhooks', 'attempts']
const middle = transferKinds.toReversed().filter((kind) => !last.includes(kind) && !first.includes(kind))
const deletedKinds: readonly TransferKind[] = [...first, ...middle]

/** Refuses a tenant from now on. Its task is in the same commit, so a server goes on where a command ends. */
export async function beginTenantDeletion(
  system: Pick<SystemStore, 'commit'>,
  { _id: id, tenantId, version: expectVersion }: Stored<Records['tenants']> & { tenantId: TenantId },
  now: string,
): Promise<TaskRecord> {
  const task: TaskRecord = {
    _id: `tsk_delete_${id}`,
    tenantId,
    type: 'deleteTenant',
    subjectId: id,
    targetId: null,
    requestedAt: now,
  }
  const set = { isSuspended: true, updatedAt: now }
  await system.commit(tenantId, {
    writes: [
      { op: 'update', kind: 'tenants', id, expectVersion, set },
      { op: 'ensure', kind: 'tasks', row: task },
    ],
    events: [],
  })
  return task
}

/** Deletes the next rows of a tenant. Returns the kind and how many, undefined when only the tenant and its tasks are left. */
export async function deleteTenantPage(
  parts: TenantDeletion,
  tenantId: TenantId,
): Promise<{ kind: TransferKind; count: number } | undefined> {
  for (const kind of deletedKinds) {
    if (kind === 'attachments') await removeBytes(parts, tenantId)
    if (kind === 'users') await removeIdentities(parts, tenantId)
    const count = await parts.storage.system.removeTenantRows({ tenantId, kind, limit: pageSize })
    passFaultPoint('during-tenant-deletion')
    if (count > 0) return { kind, count }
  }
  return undefined
}

/** Deletes what is left: the other tasks, the tenant, and at last the task itself. */
export async function endTenantDeletion({ storage }: TenantDeletion, tenantId: TenantId): Promise<void> {
  const { system } = storage
  await system.removeTenantRows({ tenantId, kind: 'tenants', limit: 1 })
  while ((await system.removeTenantRows({ tenantId, kind: 'tasks', limit: pageSize })) > 0);
}

/** The bytes of the rows that go next: never are there bytes without a row. */
async function removeBytes({ storage, attachments }: TenantDeletion, tenantId: TenantId): Promise<void> {
  const { rows } = await storage.system.readRows({
    kind: 'attachments',
    tenantId,
    after: '',
    limit: pageSize,
  })
  for (const { _id: id } of rows) await attachments.remove({ tenantId, id })
}

/** Deletes the passwords of people who are members of no other tenant. */
async function removeIdentities({ storage }: TenantDeletion, tenantId: TenantId): Promise<void> {
  const { system } = storage
  let after = ''
  for (;;) {
    const page = await system.readRows({ kind: 'users', tenantId, after, limit: pageSize })
    for (const { identityId } of page.rows) {
      const memberships = identityId === '' ? [] : await system.across.memberships.of(identityId)
      if (memberships.some((membership) => membership.tenantId !== tenantId)) continue
      const identity = await system.findIdentity(identityId)
      if (identity === undefined) continue
      await system
        .commit(tenantId, { writes: [removalOf('identities', identity)], events: [] })
        .catch((error: unknown) => {
          if (!(error instanceof VersionConflict)) throw error
        })
    }
    if (page.last === undefined) return
    after = page.last
  }
}
