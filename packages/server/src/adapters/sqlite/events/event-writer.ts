import type { DomainEvent, EventType } from '@crmkit/core'
import { createIdFactory } from '@crmkit/core/vocabulary'
import type { WebhookRecord } from '../../../storage/kinds/webhooks.ts'
import { plannedAttempt } from '../../../storage/rules/attempts.ts'
import type { Sql } from '../connection/sql.ts'
import { attemptValues, insertAttempt } from '../deliveries/attempt-rows.ts'
import { insertEvent } from './event-rows.ts'

interface Subscription {
  webhookId: string
  events: ReadonlySet<string>
}

/** Returns the active webhooks of a tenant. */
export function activeWebhooks(scoped: ReturnType<Sql['tenant']>): WebhookRecord[] {
  const text = 'SELECT doc FROM webhooks WHERE tenant_id = @tenant AND is_active = 1'
  return scoped.all<{ doc: string }>(text).map(({ doc }) => JSON.parse(doc) as WebhookRecord)
}

/** Writes events, each with a pending attempt for every webhook that subscribes to it. */
export interface EventWriter {
  /** Returns how many attempts were inserted. */
  write(tenantId: string, events: readonly DomainEvent[]): number
  /** Whether a webhook hears the type of event. */
  hears(tenantId: string, type: EventType): boolean
  /** Call when a webhook of the tenant changed: the tenant's subscriptions are read again. */
  forgetTenant(tenantId: string): void
  /** Call when another process wrote, or a transaction was rolled back. */
  forgetAll(): void
}

const cachedTenantsMax = 10_000

export function createEventWriter(sql: Sql): EventWriter {
  const ids = createIdFactory(() => Date.now())
  const subscriptions = new Map<string, Subscription[]>()

  function subscriptionsOf(tenantId: string): Subscription[] {
    const known = subscriptions.get(tenantId)
    if (known) return known
    const fresh = activeWebhooks(sql.tenant(tenantId)).map(({ _id, events }) => ({
      webhookId: _id,
      events: new Set<string>(events),
    }))
    if (subscriptions.size >= cachedTenantsMax) subscriptions.clear()
    subscriptions.set(tenantId, fresh)
    return fresh
  }

  function plan(tenantId: string, event: DomainEvent, webhookId: string): void {
    const attempt = plannedAttempt(event, { tenantId, webhookId, ids })
    sql.tenant(tenantId).run(insertAttempt, ...attemptValues(attempt))
  }

  return {
    write(tenantId, events) {
      let attempts = 0
      for (const event of events) {
        insertEvent(sql, tenantId, event)
        for (const { webhookId, events: wanted } of subscriptionsOf(tenantId)) {
          if (!wanted.has(event.type)) continue
          plan(tenantId, event, webhookId)
          attempts += 1
        }
      }
      return attempts
    },
    hears: (tenantId, type) => subscriptionsOf(tenantId).some(({ events }) => events.has(type)),
    forgetTenant: (tenantId) => void subscriptions.delete(tenantId),
    forgetAll: () => subscriptions.clear(),
  }
}
