import type { RowRef, TransferRow } from '../../../ports/storage-transfer.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { Kind, TransferKind, TransferRecords } from '../../../storage/kinds/registry.ts'
import type { Sql } from '../connection/sql.ts'
import { attemptValues, insertAttempt } from '../deliveries/attempt-rows.ts'
import { writeCounts } from '../deliveries/webhook-counts.ts'
import { type EventRow, eventColumns, insertEvent } from '../events/event-rows.ts'
import { tableOf } from '../rows/kinds.ts'
import { createRowNumbers } from '../rows/row-numbers.ts'
import { createRowWriter, type RowWriter } from '../rows/row-writer.ts'
import { createSearchIndexer } from '../search/search-indexer.ts'
import { removeEvent } from '../upkeep/retention.ts'

/** Writes and deletes the copied rows of one kind. */
interface TableWriter {
  /** Inserts a row that does not exist. */
  insert(row: TransferRow): void
  /** Does nothing when the row does not exist. */
  remove(ref: RowRef): void
}

function eventWriter(sql: Sql): TableWriter {
  const text = `SELECT ${eventColumns} FROM events WHERE tenant_id = @tenant AND id = ?`
  const at = `SELECT ${eventColumns} FROM events WHERE position = ?`
  const find = ({ tenantId, id }: RowRef) => sql.tenant(tenantId).get<EventRow>(text, id)
  return {
    insert({ tenantId, record }) {
      const event = record as unknown as TransferRecords['events']
      // An event without a position when it was copied got this one here; it is copied again with its own position.
      const stale = sql.across.get<EventRow>(at, event.position)
      if (stale) removeEvent(sql, stale)
      insertEvent(sql, tenantId, event)
    },
    remove(ref) {
      const found = find(ref)
      if (found) removeEvent(sql, found)
    },
  }
}

/** SQLite's own table has no key: an insert after the last event was deleted would add a second row. */
function sequenceWriter(sql: Sql): TableWriter {
  const remove = () => void sql.across.run("DELETE FROM sqlite_sequence WHERE name = 'events'")
  return {
    insert({ record }) {
      const insert = "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)"
      sql.across.run(insert, Number(record['given']))
    },
    remove,
  }
}

/** Leases are not copied: their holders do not use this database. */
function attemptWriter(sql: Sql): TableWriter {
  const remove = 'DELETE FROM attempts WHERE tenant_id = @tenant AND id = ?'
  return {
    insert: ({ tenantId, record }) =>
      void sql.tenant(tenantId).run(insertAttempt, ...attemptValues(record as unknown as AttemptRecord)),
    remove: ({ tenantId, id }) => void sql.tenant(tenantId).run(remove, id),
  }
}

function countsWriter(sql: Sql): TableWriter {
  const remove = 'DELETE FROM webhook_counts WHERE tenant_id = @tenant AND webhook_id = ?'
  return {
    insert: ({ tenantId, record }) =>
      writeCounts(sql.tenant(tenantId), record as unknown as TransferRecords['webhookCounts']),
    remove: ({ tenantId, id }) => void sql.tenant(tenantId).run(remove, id),
  }
}

function removedWebhookWriter(sql: Sql): TableWriter {
  const insert = 'INSERT OR IGNORE INTO removed_webhooks (tenant_id, id) VALUES (@tenant, ?)'
  const remove = 'DELETE FROM removed_webhooks WHERE tenant_id = @tenant AND id = ?'
  return {
    insert: ({ tenantId, id }) => void sql.tenant(tenantId).run(insert, id),
    remove: ({ tenantId, id }) => void sql.tenant(tenantId).run(remove, id),
  }
}

function recordWriter(sql: Sql, rows: RowWriter, kind: Kind): TableWriter {
  const text = `SELECT 1 FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND id = ?`
  return {
    insert: ({ tenantId, version, record }) => rows.insertCopy({ tenantId, kind }, record, version),
    remove({ tenantId, id }) {
      if (sql.tenant(tenantId).get(text, id)) rows.remove({ tenantId, kind, id })
    },
  }
}

/** Writes copied rows with the same writers as requests do. Runs inside a transaction of the caller. */
export function createTransferWriter(sql: Sql) {
  const indexer = createSearchIndexer(sql)
  const numbers = createRowNumbers(sql)
  const rows = createRowWriter({ sql, indexer, nextRowNumber: numbers.next })
  const others: Record<Exclude<TransferKind, Kind>, TableWriter> = {
    webhookCounts: countsWriter(sql),
    eventSequence: sequenceWriter(sql),
    events: eventWriter(sql),
    attempts: attemptWriter(sql),
    removedWebhooks: removedWebhookWriter(sql),
  }
  const writerOf = (kind: TransferKind): TableWriter =>
    Object.hasOwn(others, kind) ? others[kind as keyof typeof others] : recordWriter(sql, rows, kind as Kind)

  function flush(): void {
    indexer.stage()
    indexer.flush()
  }

  return {
    put(kind: TransferKind, page: readonly TransferRow[]): void {
      const writer = writerOf(kind)
      // First all of them: a row may have a unique value that another one of the page had before.
      for (const row of page) writer.remove(row)
      for (const row of page) writer.insert(row)
      flush()
    },
    remove(kind: TransferKind, refs: readonly RowRef[]): void {
      const writer = writerOf(kind)
      for (const ref of refs) writer.remove(ref)
      flush()
    },
    /** Clears what is cached, after a transaction was rolled back. */
    forget(): void {
      indexer.forget()
      indexer.drop()
      numbers.forget()
    },
  }
}
