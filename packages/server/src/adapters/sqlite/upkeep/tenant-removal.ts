import type { Kind, TransferKind } from '../../../storage/kinds/registry.ts'
import type { Sql } from '../connection/sql.ts'
import { tableOf } from '../rows/kinds.ts'
import type { RowWriter } from '../rows/row-writer.ts'
import { removeEvent } from './retention.ts'

export interface TenantRemoval {
  tenantId: string
  kind: TransferKind
  limit: number
}

/** Deletes the first rows of a tenant, with all that is derived from them; returns how many. */
export function createTenantRemoval(sql: Sql, rows: RowWriter) {
  const deleteFrom =
    (table: string) =>
    ({ tenantId, limit }: TenantRemoval): number =>
      sql.tenant(tenantId).run(`DELETE FROM ${table} WHERE tenant_id = @tenant LIMIT ?`, limit).changes

  const removeEvents = ({ tenantId, limit }: TenantRemoval): number => {
    const text =
      'SELECT tenant_id, position, subjects FROM events WHERE tenant_id = @tenant ORDER BY position LIMIT ?'
    const found = sql
      .tenant(tenantId)
      .all<{ tenant_id: string; position: number; subjects: string }>(text, limit)
    for (const event of found) removeEvent(sql, event)
    return found.length
  }

  const removeRows = ({ tenantId, kind, limit }: TenantRemoval): number => {
    const stored = kind as Kind
    const text = `SELECT id FROM ${tableOf(stored).table} WHERE tenant_id = @tenant ORDER BY id LIMIT ?`
    const found = sql.tenant(tenantId).all<{ id: string }>(text, limit)
    for (const { id } of found) rows.remove({ tenantId, kind: stored, id })
    return found.length
  }

  /** The rows that no kind declares go with the row of the tenant. */
  const removeTenant = (removal: TenantRemoval): number => {
    for (const table of ['tenant_numbers', 'conversation_label_days', 'conversation_label_counted'])
      sql.tenant(removal.tenantId).run(`DELETE FROM ${table} WHERE tenant_id = @tenant`)
    return removeRows(removal)
  }

  const others: Partial<Record<TransferKind, (removal: TenantRemoval) => number>> = {
    tenants: removeTenant,
    events: removeEvents,
    attempts: deleteFrom('attempts'),
    webhookCounts: deleteFrom('webhook_counts'),
    removedWebhooks: deleteFrom('removed_webhooks'),
    // The log has one sequence for all tenants.
    eventSequence: () => 0,
  }
  return (removal: TenantRemoval): number => (others[removal.kind] ?? removeRows)(removal)
}
