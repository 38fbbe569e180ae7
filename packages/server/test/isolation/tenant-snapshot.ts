import { setTimeout as wait } from 'node:timers/promises'
import { operations } from '@crmkit/core'
import { call } from '../support/call.ts'
import type { RunningService } from '../support/start-service.ts'
import { requestOf, strongestTokens, withoutRequestId } from './credentials.ts'
import { needsQuery } from './request-fields.ts'
import { samples } from './samples.ts'
import type { SmallWorld, TenantWorld } from './world.ts'

/** Operations that count the requests of the tenant itself, or its rows in the background: two reads may differ. */
export const countsRequests: ReadonlySet<string> = new Set([
  'analytics.conversations',
  'analytics.usage',
  'analytics.usageHistory',
  'analytics.metrics',
])

/** Everything the tenant's owner can read, by operation: the data that no other tenant may change. */
export async function snapshotOf(
  running: Pick<RunningService, 'url'>,
  world: TenantWorld,
): Promise<Map<string, unknown>> {
  await untilSettled(running, world)
  const read = new Map<string, unknown>()
  for (const operation of operations) {
    if (operation.method !== 'GET' || operation.auth.kind === 'none' || 'isStream' in operation) continue
    // Reading an export writes an audit entry; the other operations here read its data.
    if ('download' in operation && 'audit' in operation) continue
    if (countsRequests.has(operation.id)) continue
    const { params, query = '' } = samples[operation.id](world)
    for (const asked of new Set([query, needsQuery.has(operation.id) ? query : 'limit=100'])) {
      const request = requestOf(operation, { ...(params && { params }), query: asked })
      const response = await call(running.url, { ...request, token: strongestTokens(operation, world)[0] })
      if (response.status !== 200) throw new Error(`${operation.id}: ${JSON.stringify(response.body)}`)
      read.set(`${operation.id} ${asked}`, withoutUse(withoutRequestId(response)))
    }
  }
  return read
}

/** The tenant has used its key while it was made, which is noted up to a minute later. */
function withoutUse(response: unknown): unknown {
  return JSON.parse(JSON.stringify(response, (name, value) => (name === 'lastUsedAt' ? null : value)))
}

/**
 * Waits for the service's background work: attempts that are still to be made would change the logs, and on MongoDB
 * an event gets its position in the log shortly after its commit.
 */
export async function untilSettled(running: Pick<RunningService, 'url'>, world: TenantWorld): Promise<void> {
  await untilDelivered(running, world)
  for (;;) {
    const path = '/api/v1/events?after=earliest&types=user.created'
    const { body } = await call(running.url, { path, token: world.tokens.owner })
    // The event of the invitation is the last one of this world.
    if (JSON.stringify(body).includes(world.invitedUserId)) return
    await wait(20)
  }
}

/** Waits until no attempt of the webhook is still to be made. */
export async function untilDelivered({ url }: Pick<RunningService, 'url'>, world: SmallWorld): Promise<void> {
  const path = `/api/v1/webhooks/${world.webhookId}/logs?status=pending`
  while ((await call(url, { path, token: world.tokens.owner })).body.data.total > 0) await wait(20)
}

/** Every id, word and credential of the tenant. */
export function secretsOf(world: SmallWorld): string[] {
  return Object.values(world).flatMap((value: string | Record<string, string>) =>
    typeof value === 'string' ? value : Object.values(value),
  )
}

export function idsOf(world: TenantWorld): string[] {
  return Object.entries(world).flatMap(([name, value]) => (name.endsWith('Id') ? [value as string] : []))
}
