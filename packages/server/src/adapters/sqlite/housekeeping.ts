import type { ApiKeyRecord } from '../../ports/records.ts'
import type { SystemStore } from '../../ports/storage.ts'
import type { RowWriter } from './row-writer.ts'
import type { Sql } from './sql.ts'

export type Keep = Parameters<SystemStore['removeExpired']>[0]
export type KeyUse = Parameters<SystemStore['touchApiKeys']>[0][number]

const touchEveryMs = 60_000

/** Retention and the last use of keys. Runs inside the writer's transaction only. */
export function createHousekeeping(sql: Sql, rows: RowWriter) {
  function removeRows(
    kind: 'idempotency' | 'sessions',
    due: { column: string; now: string; limit: number },
  ): number {
    const found = sql.across.all<{ tenant_id: string; id: string }>(
      `SELECT tenant_id, id FROM ${kind} WHERE ${due.column} <= ? ORDER BY ${due.column} LIMIT ?`,
      ...[due.now, due.limit],
    )
    for (const { tenant_id, id } of found) rows.remove(tenant_id, kind, id)
    return found.length
  }

  /** A pending attempt of an active webhook is never too old: its receiver may have been down all the time. */
  function removeAttempts(before: string, limit: number): number {
    const { changes } = sql.across.run(
      `DELETE FROM attempts WHERE n IN (
         SELECT a.n FROM attempts a WHERE a.created_at < ? AND (a.status <> 'pending' OR NOT EXISTS (
           SELECT 1 FROM webhooks w WHERE w.tenant_id = a.tenant_id AND w.id = a.webhook_id AND w.is_active = 1
         )) ORDER BY a.created_at LIMIT ?)`,
      ...[before, limit],
    )
    return changes
  }

  function removeAttemptsOfRemovedWebhooks(limit: number): number {
    const webhook = sql.across.get<{ tenant_id: string; id: string }>(
      'SELECT tenant_id, id FROM removed_webhooks LIMIT 1',
    )
    if (!webhook) return 0
    const scoped = sql.tenant(webhook.tenant_id)
    const { changes } = scoped.run(
      'DELETE FROM attempts WHERE tenant_id = @tenant AND webhook_id = ? LIMIT ?',
      ...[webhook.id, limit],
    )
    if (changes < limit)
      scoped.run('DELETE FROM removed_webhooks WHERE tenant_id = @tenant AND id = ?', webhook.id)
    return changes
  }

  /** An event stays as long as an attempt of it waits. */
  function removeEvents(before: string, limit: number): number {
    const found = sql.across.all<{ tenant_id: string; position: number; subjects: string }>(
      `SELECT e.tenant_id, e.position, e.subjects FROM events e WHERE e.timestamp < ? AND NOT EXISTS (
         SELECT 1 FROM attempts a WHERE a.tenant_id = e.tenant_id AND a.event_id = e.id AND a.status = 'pending'
       ) ORDER BY e.timestamp LIMIT ?`,
      ...[before, limit],
    )
    for (const { tenant_id, position, subjects } of found) {
      const scoped = sql.tenant(tenant_id)
      scoped.run('DELETE FROM events WHERE tenant_id = @tenant AND position = ?', position)
      for (const subject of JSON.parse(subjects) as string[]) {
        const remove = 'DELETE FROM event_subjects WHERE tenant_id = @tenant AND subject = ? AND position = ?'
        scoped.run(remove, subject, position)
      }
    }
    return found.length
  }

  return {
    removeExpired({ now, logsBefore, limit }: Keep): number {
      const steps = [
        (rest: number) => removeRows('idempotency', { column: 'expires_at', now, limit: rest }),
        (rest: number) => removeRows('sessions', { column: 'over_at', now, limit: rest }),
        (rest: number) => removeAttemptsOfRemovedWebhooks(rest),
        (rest: number) => removeAttempts(logsBefore, rest),
        (rest: number) => removeEvents(logsBefore, rest),
      ]
      return steps.reduce((removed, step) => (removed < limit ? removed + step(limit - removed) : removed), 0)
    },
    touchApiKeys(uses: readonly KeyUse[]): void {
      for (const { tenantId, id, at } of uses) {
        const scoped = sql.tenant(tenantId)
        const found = scoped.get<{ doc: string }>(
          'SELECT doc FROM api_keys WHERE tenant_id = @tenant AND id = ?',
          id,
        )
        if (!found) continue
        const { lastUsedAt } = JSON.parse(found.doc) as ApiKeyRecord
        if (lastUsedAt !== null && Date.parse(at) - Date.parse(lastUsedAt) < touchEveryMs) continue
        rows.patch(tenantId, { op: 'patch', kind: 'apiKeys', id, max: { lastUsedAt: at } })
      }
    },
    /** A write that proves the file can be written. */
    beat(at: string): void {
      sql.across.run(
        'INSERT INTO heartbeat (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
        at,
      )
    },
  }
}
