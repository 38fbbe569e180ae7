import {
  type EventType,
  Failure,
  type IdFactory,
  type Permission,
  permissionsForEvents,
  rolePermissions,
  webhooksPerTenantMax,
} from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { WebhookMaker, WebhookRecord } from '../../storage/kinds/webhooks.ts'
import type { Stored } from '../../storage/records.ts'
import { deactivationWrites } from './deactivate-webhook.ts'

interface CallerParts {
  store: TenantReads
  actor: WebhookMaker & { permissions: readonly Permission[] }
}

export const makerOf = ({ type, _id }: WebhookMaker): WebhookMaker => ({ type, _id })

/**
 * Asserts that the caller may read the events that a webhook delivers. Throws PERMISSION_DENIED. The caller's row is
 * read again, because authentication may be some seconds old: a commit that expects the tenant version from before this
 * call excludes a loss of the permission at the same moment.
 */
export async function assertMayReceive(
  { store, actor }: CallerParts,
  events: readonly EventType[],
): Promise<void> {
  const needed = permissionsForEvents(events)
  const current = await currentPermissions(store, actor)
  const granted = actor.permissions.filter((permission) => current.includes(permission))
  if (needed.every((permission) => granted.includes(permission))) return
  const required = needed.join(' and ')
  throw new Failure('PERMISSION_DENIED', `A webhook for these events needs the permission ${required}`, {
    extra: { required, granted },
  })
}

async function currentPermissions(
  store: TenantReads,
  { type, _id }: WebhookMaker,
): Promise<readonly Permission[]> {
  if (type === 'apiKey') {
    const key = await store.apiKeys.find(_id)
    return key?.isActive ? key.permissions : []
  }
  const user = await store.users.find(_id)
  return user?.isActive ? rolePermissions[user.role] : []
}

interface WithdrawParts {
  store: TenantReads
  ids: IdFactory
  now: string
  requestId: string
}

type WebhookChange = Required<Pick<Change, 'writes' | 'expectTenantVersion'>>

/** Deactivates the webhooks of a maker whose permissions no longer include their events. */
export async function withdrawWebhooks(
  { store, ids, now, requestId }: WithdrawParts,
  maker: WebhookMaker,
  permissions: readonly Permission[],
): Promise<WebhookChange> {
  const expectTenantVersion = await store.version()
  const lost = (await webhooksOf(store, maker)).filter(
    ({ isActive, events }) =>
      isActive && permissionsForEvents(events).some((needed) => !permissions.includes(needed)),
  )
  const parts = { ids, now, requestId, disabledReason: 'permission' } as const
  return { writes: lost.flatMap((row) => deactivationWrites(row, parts)), expectTenantVersion }
}

/** Makes the successor of a rotated key the maker of the webhooks of that key. */
export async function inheritWebhooks(
  store: TenantReads,
  { from, to }: { from: WebhookMaker; to: WebhookMaker },
): Promise<WebhookChange> {
  const expectTenantVersion = await store.version()
  const rows = await webhooksOf(store, from)
  const writes = rows.map(({ _id: id, version }): Write => {
    return { op: 'update', kind: 'webhooks', id, expectVersion: version, set: { maker: to } }
  })
  return { writes, expectTenantVersion }
}

async function webhooksOf(store: TenantReads, { type, _id }: WebhookMaker): Promise<Stored<WebhookRecord>[]> {
  const { rows } = await store.webhooks.listRows({ page: 1, limit: webhooksPerTenantMax })
  return rows.filter(({ maker }) => maker?.type === type && maker._id === _id)
}
