import { type DeliveryCounts, noDeliveries } from '@crmkit/core/vocabulary'
import type { WebhookCounts } from '../../../storage/kinds/attempts.ts'
import type { AttemptResult } from '../../../storage/records.ts'
import { type CountsChange, changedCounts, countsChanges } from '../../../storage/rules/webhook-counts.ts'
import type { Sql } from '../connection/sql.ts'

export interface CountsRow {
  webhook_id: string
  consecutive_failures: number
  failing_since: string | null
  last_success_at: string | null
  last_failure_at: string | null
}

export function toCounts(row: CountsRow): WebhookCounts {
  return {
    webhookId: row.webhook_id,
    consecutiveFailures: row.consecutive_failures,
    failingSince: row.failing_since,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
  }
}

const findText = `SELECT webhook_id, consecutive_failures, failing_since, last_success_at, last_failure_at
  FROM webhook_counts WHERE tenant_id = @tenant AND webhook_id = ?`

export function findCounts(scoped: ReturnType<Sql['tenant']>, webhookId: string): WebhookCounts | undefined {
  const row = scoped.get<CountsRow>(findText, webhookId)
  return row && toCounts(row)
}

export function writeCounts(scoped: ReturnType<Sql['tenant']>, counts: WebhookCounts): void {
  scoped.run(
    `INSERT OR REPLACE INTO webhook_counts (tenant_id, webhook_id, consecutive_failures, failing_since,
     last_success_at, last_failure_at) VALUES (@tenant, ?, ?, ?, ?, ?)`,
    counts.webhookId,
    counts.consecutiveFailures,
    counts.failingSince,
    counts.lastSuccessAt,
    counts.lastFailureAt,
  )
}

function write(sql: Sql, change: CountsChange): void {
  const { tenantId, webhookId } = change
  const scoped = sql.tenant(tenantId)
  const isThere = scoped.get('SELECT 1 FROM webhooks WHERE tenant_id = @tenant AND id = ?', webhookId)
  if (isThere === undefined) return
  const counts: DeliveryCounts = changedCounts(findCounts(scoped, webhookId) ?? noDeliveries, change)
  writeCounts(scoped, { webhookId, ...counts })
}

/** Counts results, with at most one write for each webhook. Runs inside the writer's transaction only. */
export function countResults(sql: Sql, results: readonly AttemptResult[]): void {
  for (const change of countsChanges(results)) write(sql, change)
}
