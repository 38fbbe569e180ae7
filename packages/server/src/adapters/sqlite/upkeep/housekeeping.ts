import type { RequestMetricsIncrement, SystemStore, UsageIncrement } from '../../../ports/system-store.ts'
import type { ApiKeyRecord } from '../../../storage/kinds/api-keys.ts'
import { withMetrics } from '../../../storage/rules/request-metrics.ts'
import { usageRow } from '../../../storage/rules/usage.ts'
import type { Sql } from '../connection/sql.ts'
import { type RecordRow, toRecord } from '../rows/records.ts'
import type { RowWriter } from '../rows/row-writer.ts'
import { createRetention } from './retention.ts'

export type KeyUse = Parameters<SystemStore['touchApiKeys']>[0][number]

const touchEveryMs = 60_000

/** Retention, the last use of keys, usage counters, and the heartbeat. Runs inside the writer's transaction only. */
export function createHousekeeping(sql: Sql, rows: RowWriter, shrink: () => number) {
  return {
    removeExpired: createRetention(sql, rows, shrink),
    touchApiKeys(uses: readonly KeyUse[]): void {
      const find = 'SELECT doc FROM api_keys WHERE tenant_id = @tenant AND id = ?'
      for (const { tenantId, id, at } of uses) {
        const found = sql.tenant(tenantId).get<{ doc: string }>(find, id)
        if (!found) continue
        const { lastUsedAt } = JSON.parse(found.doc) as ApiKeyRecord
        if (lastUsedAt !== null && Date.parse(at) - Date.parse(lastUsedAt) < touchEveryMs) continue
        rows.patch(tenantId, { op: 'patch', kind: 'apiKeys', id, max: { lastUsedAt: at } })
      }
    },
    addUsage(increments: readonly UsageIncrement[]): void {
      const find = 'SELECT 1 FROM usage WHERE tenant_id = @tenant AND id = ?'
      for (const increment of increments) {
        const { tenantId, requests } = increment
        const row = { ...usageRow(increment) }
        const isThere = sql.tenant(tenantId).get(find, row._id) !== undefined
        if (isThere)
          rows.patch(tenantId, { op: 'patch', kind: 'usage', id: row._id, increment: { requests } })
        else rows.insert(tenantId, 'usage', row)
      }
    },
    addRequestMetrics(increments: readonly RequestMetricsIncrement[]): void {
      const kind = 'requestMetrics'
      const find = 'SELECT version, doc FROM request_metrics WHERE tenant_id = @tenant AND id = ?'
      for (const increment of increments) {
        const { tenantId, month: id } = increment
        const found = sql.tenant(tenantId).get<RecordRow>(find, id)
        if (found === undefined) rows.insert(tenantId, kind, { ...withMetrics(undefined, increment) })
        else {
          const { version, ...stored } = toRecord('requestMetrics', found)
          rows.update({ tenantId, kind, id }, { expectVersion: version, set: withMetrics(stored, increment) })
        }
      }
    },
    /** Writes a row, to check that the file can be written. */
    beat(at: string): void {
      sql.across.run(
        'INSERT INTO heartbeat (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
        at,
      )
    },
  }
}
