import type {
  CreatedWebhook,
  CreateWebhook,
  DeliveryLog,
  LoggedDelivery,
  RecoverDeliveries,
  RecoveredDeliveries,
  TestedDelivery,
  UpdateWebhook,
  Webhook,
  WebhooksLogsQuery,
} from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's class of the area, as `doors.ts` says.
const path = '/api/v1/webhooks'
const one = `${path}/{id}`

export function readWebhooks({ requester }: Crm): Promise<Webhook[]> {
  const route = { method: 'GET', path, rows: 'webhooks' } as const
  return requester.list<Webhook>(route, { query: { limit: 100 } }).toArray()
}

export function readWebhook({ requester }: Crm, id: string): Promise<Webhook> {
  return requester.call<Webhook>({ method: 'GET', path: one }, { params: [id] })
}

export function createWebhook({ requester }: Crm, body: CreateWebhook): Promise<CreatedWebhook> {
  return requester.call<CreatedWebhook>({ method: 'POST', path }, { body })
}

export function updateWebhook({ requester }: Crm, id: string, body: UpdateWebhook): Promise<Webhook> {
  return requester.call<Webhook>({ method: 'PUT', path: one }, { params: [id], body })
}

export async function deleteWebhook({ requester }: Crm, id: string): Promise<void> {
  await requester.call({ method: 'DELETE', path: one, isMessage: true }, { params: [id] })
}

/** Both secrets sign for the time that the service sets. */
export function rotateWebhookSecret({ requester }: Crm, id: string): Promise<CreatedWebhook> {
  const route = { method: 'POST', path: `${one}/rotate-secret` } as const
  return requester.call<CreatedWebhook>(route, { params: [id], body: {} })
}

/** Sends an event to the receiver, and returns the attempt with its request. */
export function testWebhook({ requester }: Crm, id: string): Promise<TestedDelivery> {
  return requester.call<TestedDelivery>({ method: 'POST', path: `${one}/test` }, { params: [id] })
}

/** Returns the latest attempts. */
export async function readDeliveries(
  { requester }: Crm,
  id: string,
  query: WebhooksLogsQuery,
): Promise<readonly DeliveryLog[]> {
  const route = { method: 'GET', path: `${one}/logs`, rows: 'logs' } as const
  return (await requester.list<DeliveryLog>(route, { params: [id], query })).data
}

/** Returns an attempt with its request. */
export function readDelivery({ requester }: Crm, { webhookId, _id }: DeliveryLog): Promise<LoggedDelivery> {
  const route = { method: 'GET', path: `${one}/logs/{logId}` } as const
  return requester.call<LoggedDelivery>(route, { params: [webhookId, _id] })
}

/** Counts the events that were missed, or delivers them: all that there are, page by page. */
export async function recoverDeliveries(
  { requester }: Crm,
  id: string,
  body: Pick<RecoverDeliveries, 'since' | 'dryRun'>,
): Promise<number> {
  const route = { method: 'POST', path: `${one}/recover` } as const
  let count = 0
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: RecoveredDeliveries = await requester.call<RecoveredDeliveries>(route, {
      params: [id],
      body: { ...body, cursor },
    })
    count += page.matched
    cursor = page.nextCursor
  }
  return count
}

/** Returns the planned attempt. */
export function redeliver({ requester }: Crm, { webhookId, _id }: DeliveryLog): Promise<DeliveryLog> {
  const route = { method: 'POST', path: `${one}/logs/{logId}/redeliver` } as const
  return requester.call<DeliveryLog>(route, { params: [webhookId, _id] })
}
