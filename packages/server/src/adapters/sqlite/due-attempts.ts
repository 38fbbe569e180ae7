import { type AttemptRow, attemptColumns } from './attempt-rows.ts'
import type { Sql } from './sql.ts'

/** Rows that may be passed over before the search turns to one queue per webhook. */
const skippedMax = 256

export type DueRow = AttemptRow & { due_at: string }

interface DueQuery {
  sql: Sql
  busyWebhookIds: readonly string[]
}

/** Whether attempts of a webhook may be made now: it exists, is active and not busy. Asked once per webhook. */
function createReadiness({ sql, busyWebhookIds }: DueQuery) {
  const busy = new Set(busyWebhookIds)
  const known = new Map<string, boolean>()
  return (tenantId: string, webhookId: string): boolean => {
    if (busy.has(webhookId)) return false
    const key = `${tenantId}\u0000${webhookId}`
    const isKnown = known.get(key)
    if (isKnown !== undefined) return isKnown
    const isReady =
      sql
        .tenant(tenantId)
        .get('SELECT 1 FROM webhooks WHERE tenant_id = @tenant AND id = ? AND is_active = 1', webhookId) !==
      undefined
    known.set(key, isReady)
    return isReady
  }
}

/** Every webhook that has pending attempts, one index step each however many attempts wait. */
function* queues(sql: Sql): Generator<{ tenantId: string; webhookId: string }> {
  let position = { tenant_id: '', webhook_id: '' }
  for (;;) {
    const next = sql.across.get<typeof position>(
      `SELECT tenant_id, webhook_id FROM attempts INDEXED BY attempts_queue
       WHERE status = 'pending' AND (tenant_id, webhook_id) > (?, ?) ORDER BY tenant_id, webhook_id LIMIT 1`,
      ...[position.tenant_id, position.webhook_id],
    )
    if (!next) return
    position = next
    yield { tenantId: next.tenant_id, webhookId: next.webhook_id }
  }
}

/**
 * Pending attempts by the time they are due, oldest first, at most `limit` and due by `until`. The queue of
 * an inactive, removed or busy webhook may be a million rows long and must not be walked at every call.
 */
export function findDueAttempts(query: DueQuery & { until: string; limit: number }): DueRow[] {
  const { sql, until, limit } = query
  const isReady = createReadiness(query)
  const found: DueRow[] = []
  let skipped = 0
  const rows = sql.across.iterate<DueRow>(
    `SELECT ${attemptColumns}, due_at FROM attempts INDEXED BY attempts_due
     WHERE status = 'pending' AND due_at <= ? ORDER BY due_at, n`,
    until,
  )
  for (const row of rows) {
    if (isReady(row.tenant_id, row.webhook_id)) found.push(row)
    else skipped += 1
    if (found.length >= limit) return found
    if (skipped > skippedMax) return findPerQueue(query, isReady)
  }
  return found
}

function findPerQueue(
  { sql, until, limit }: DueQuery & { until: string; limit: number },
  isReady: (tenantId: string, webhookId: string) => boolean,
): DueRow[] {
  const found: DueRow[] = []
  for (const { tenantId, webhookId } of queues(sql)) {
    if (!isReady(tenantId, webhookId)) continue
    const rows = sql.tenant(tenantId).all<DueRow>(
      `SELECT ${attemptColumns}, due_at FROM attempts INDEXED BY attempts_queue
       WHERE tenant_id = @tenant AND webhook_id = ? AND status = 'pending' AND due_at <= ? ORDER BY due_at LIMIT ?`,
      ...[webhookId, until, limit],
    )
    found.push(...rows)
  }
  return found
    .sort((a, b) => (a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : a.n - b.n))
    .slice(0, limit)
}
