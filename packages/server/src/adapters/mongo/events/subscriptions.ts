import { hash } from 'node:crypto'
import type { EventType } from '@crmkit/core'
import type { WebhookRecord } from '../../../storage/kinds/webhooks.ts'
import type { Across, CollectionAccess, StoredRow } from '../connection/access.ts'
import { trusted } from '../connection/filters.ts'
import { decodeRow } from '../rows/encode-row.ts'

/** Tenants whose webhooks are kept in memory. */
const tenantsMax = 1_000
/** Later the webhooks are read again: until then a change by another process costs a correction of each batch of events. */
const keepMs = 10_000

interface Subscription {
  webhookId: string
  events: readonly string[]
}

/** The active webhooks of a tenant. */
export interface Subscriptions {
  all: readonly Subscription[]
  /** Equal for equal webhooks only. It is stored with each event, to say by which webhooks its attempts were planned. */
  stamp: string
}

const fields = ['tenantId', 'id', 'row.events']
const isActive = { 'row.isActive': true }

function toSubscriptions(rows: readonly Pick<StoredRow, 'id' | 'row'>[]): Subscriptions {
  const all = rows.map(({ id, row }) => ({
    webhookId: id,
    events: decodeRow<Pick<WebhookRecord, 'events'>>(row).events,
  }))
  const texts = all.map(({ webhookId, events }) => JSON.stringify([webhookId, [...events].sort()]))
  const text = texts.sort().join()
  return { all, stamp: text === '' ? '' : hash('sha256', text, 'base64url').slice(0, 22) }
}

export async function readSubscriptions(access: CollectionAccess): Promise<Subscriptions> {
  return toSubscriptions(await access.find('webhooks', isActive, { fields }))
}

export function isHeard({ all }: Subscriptions, type: EventType): boolean {
  return all.some(({ events }) => events.includes(type))
}

/** Reads the active webhooks of several tenants with one command. */
export async function readSubscriptionsOf(
  across: Across,
  tenantIds: readonly string[],
): Promise<Map<string, Subscriptions>> {
  const ofTenants = { tenantId: trusted({ $in: [...tenantIds] }), ...isActive }
  const rows = Map.groupBy(await across.find('webhooks', ofTenants, { fields }), ({ tenantId }) => tenantId)
  return new Map(tenantIds.map((tenantId) => [tenantId, toSubscriptions(rows.get(tenantId) ?? [])]))
}

/** Reads the webhooks for one transaction, which must not have read anything before. */
export type SubscriptionsOfTransaction = (
  access: CollectionAccess,
  options: { isChanged: boolean },
) => Promise<Subscriptions>

export interface KnownSubscriptions {
  begin(tenantId: string): SubscriptionsOfTransaction
  /** Returns the webhooks outside of a transaction. */
  read(tenantId: string, access: CollectionAccess): Promise<Subscriptions>
  /**
   * Is called after each change of the tenant's webhooks by this process, also when its outcome is unknown, and with the notice of
   * another one; null: the webhooks of any tenant.
   */
  forget(tenantId: string | null): void
}

/**
 * Keeps the webhooks of tenants, so that a commit with an event need not read them. They may be out of date: another
 * process may have changed them. The stamp of each event says by which ones its attempts were planned, and the sequencer
 * corrects them; see `settle-plans.ts`.
 */
export function createKnownSubscriptions(): KnownSubscriptions {
  const known = new Map<string, { subscriptions: Subscriptions; until: number }>()
  let changes = 0
  const begin: KnownSubscriptions['begin'] = (tenantId) => {
    const changesBefore = changes
    return async (access, { isChanged }) => {
      const found = known.get(tenantId)
      if (found && !isChanged && found.until > performance.now()) return found.subscriptions
      const subscriptions = await readSubscriptions(access)
      // The snapshot of this transaction may be older than a change that was made meanwhile.
      if (isChanged || changes !== changesBefore) return subscriptions
      if (known.size >= tenantsMax) known.clear()
      known.set(tenantId, { subscriptions, until: performance.now() + keepMs })
      return subscriptions
    }
  }
  return {
    begin,
    read: (tenantId, access) => begin(tenantId)(access, { isChanged: false }),
    forget(tenantId) {
      changes++
      if (tenantId === null) known.clear()
      else known.delete(tenantId)
    },
  }
}
