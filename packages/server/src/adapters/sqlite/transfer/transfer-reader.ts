import type { RowRef, TransferRow } from '../../../ports/storage-transfer.ts'
import type { Kind, TransferKind, TransferRecords } from '../../../storage/kinds/registry.ts'
import type { Document } from '../../../storage/records.ts'
import { pageBytesMax, pageRowsMax } from '../../../storage/transfer.ts'
import type { Sql } from '../connection/sql.ts'
import { type AttemptRow, attemptColumns, toAttempt } from '../deliveries/attempt-rows.ts'
import { type CountsRow, toCounts } from '../deliveries/webhook-counts.ts'
import { type EventRow, eventColumns, toEvent } from '../events/event-rows.ts'
import { tableOf } from '../rows/kinds.ts'

/** Describes how the rows of one table are read for a copy. */
interface TransferTable<Row> {
  table: string
  columns: string
  toRow: (row: Row) => Pick<TransferRow, 'version'> & { record: object }
  bytesOf: (row: Row) => number
}

interface Identified {
  tenant_id: string
  id: string
}

interface KindRow extends Identified {
  version: number
  doc: string
}

/** The size of a row without its long text. */
const rowBytes = 500

function recordTable(kind: Kind): TransferTable<KindRow> {
  return {
    table: tableOf(kind).table,
    columns: 'tenant_id, id, version, doc',
    toRow: ({ version, doc }) => ({ version, record: JSON.parse(doc) as Document }),
    bytesOf: ({ doc }) => rowBytes + doc.length,
  }
}

const events: TransferTable<EventRow> = {
  table: 'events',
  columns: eventColumns,
  toRow: (row) => ({ version: 0, record: toLoggedRow(row) }),
  bytesOf: ({ body }) => rowBytes + body.length,
}

const webhookCounts: TransferTable<Identified & CountsRow> = {
  table: '(SELECT *, webhook_id AS id FROM webhook_counts)',
  columns: '*',
  toRow: (row) => ({ version: 0, record: { _id: row.id, tenantId: row.tenant_id, ...toCounts(row) } }),
  bytesOf: () => rowBytes,
}

/** SQLite's own table of sequences, which has a row for events from the first event on. */
const eventSequence: TransferTable<Identified & { given: number }> = {
  table: "(SELECT '' AS tenant_id, 'log' AS id, seq AS given FROM sqlite_sequence WHERE name = 'events')",
  columns: 'tenant_id, id, given',
  toRow: ({ id, given }) => ({ version: 0, record: { _id: id, given } }),
  bytesOf: () => rowBytes,
}

const attempts: TransferTable<AttemptRow> = {
  table: 'attempts',
  columns: attemptColumns,
  toRow: (row) => ({ version: 0, record: toAttempt(row) }),
  bytesOf: ({ error }) => rowBytes + (error?.length ?? 0),
}

const removedWebhooks: TransferTable<Identified> = {
  table: 'removed_webhooks',
  columns: 'tenant_id, id',
  toRow: ({ tenant_id: tenantId, id }) => ({ version: 0, record: { _id: id, tenantId } }),
  bytesOf: () => rowBytes,
}

function toLoggedRow(row: EventRow): TransferRecords['events'] {
  return { ...toEvent(row), position: row.position }
}

function transferTableOf(kind: TransferKind): TransferTable<Identified> {
  const others = { webhookCounts, eventSequence, events, attempts, removedWebhooks } as Record<
    string,
    TransferTable<never>
  >
  return (others[kind] ?? recordTable(kind as Kind)) as TransferTable<Identified>
}

/** Returns the table of a kind whose rows are copied. */
export function transferTable(kind: TransferKind): string {
  return transferTableOf(kind).table
}

function transferRow(row: Identified, toRow: TransferTable<Identified>['toRow']): TransferRow {
  const { version, record } = toRow(row)
  return { tenantId: row.tenant_id, id: row.id, version, record: record as Document }
}

/** Reads all tenants' rows in the order of their tenant and id. */
export function createTransferReader(sql: Sql) {
  return {
    count: (kind: TransferKind): number =>
      sql.across.get<{ count: number }>(`SELECT count(*) AS count FROM ${transferTable(kind)}`)?.count ?? 0,

    findMissing(kind: TransferKind, refs: readonly RowRef[]): RowRef[] {
      const text = `SELECT 1 FROM ${transferTable(kind)} WHERE tenant_id = ? AND id = ?`
      return refs.filter(({ tenantId, id }) => sql.across.get(text, tenantId, id) === undefined)
    },

    readRows(kind: TransferKind, refs: readonly RowRef[]): TransferRow[] {
      const { table, columns, toRow } = transferTableOf(kind)
      const text = `SELECT ${columns} FROM ${table} WHERE tenant_id = ? AND id = ?`
      return refs.flatMap(({ tenantId, id }) => {
        const row = sql.across.get<Identified>(text, tenantId, id)
        return row === undefined ? [] : [transferRow(row, toRow)]
      })
    },

    readPage(kind: TransferKind, after: RowRef | null): TransferRow[] {
      const { table, columns, toRow, bytesOf } = transferTableOf(kind)
      const where = after === null ? '' : 'WHERE (tenant_id, id) > (?, ?)'
      const text = `SELECT ${columns} FROM ${table} ${where} ORDER BY tenant_id, id LIMIT ${pageRowsMax}`
      const params = after === null ? [] : [after.tenantId, after.id]
      const rows: TransferRow[] = []
      let bytes = 0
      for (const row of sql.across.iterate<Identified>(text, ...params)) {
        rows.push(transferRow(row, toRow))
        bytes += bytesOf(row)
        if (bytes >= pageBytesMax) break
      }
      return rows
    },
  }
}
