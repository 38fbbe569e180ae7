import type { RowPlace, TransferRow } from '../../../ports/storage-transfer.ts'
import type { AttemptRecord } from '../../../storage/kinds/attempts.ts'
import type { Kind, TransferKind, TransferRecords } from '../../../storage/kinds/registry.ts'
import { isSame } from '../../../storage/rules/rows.ts'
import type { Sql } from '../connection/sql.ts'
import {
  type AttemptRow,
  attemptColumns,
  attemptValues,
  insertAttempt,
  toAttempt,
} from '../deliveries/attempt-rows.ts'
import { writeCounts } from '../deliveries/webhook-counts.ts'
import { type EventRow, eventColumns, insertEvent } from '../events/event-rows.ts'
import { tableOf } from '../rows/kinds.ts'
import type { RecordRow } from '../rows/records.ts'
import { createRowNumbers } from '../rows/row-numbers.ts'
import { createRowWriter, type RowWriter } from '../rows/row-writer.ts'
import { createSearchIndexer } from '../search/search-indexer.ts'
import { removeEvent } from '../upkeep/retention.ts'
import { toLoggedRow } from './transfer-reader.ts'

/** How the rows of one kind are written, when they are not there, and taken away. */
interface TableWriter {
  isSame(row: TransferRow): boolean
  insert(row: TransferRow): void
  /** Nothing happens when the row is not there. */
  remove(place: RowPlace): void
}

function eventWriter(sql: Sql): TableWriter {
  const text = `SELECT ${eventColumns} FROM events WHERE tenant_id = @tenant AND id = ?`
  const at = `SELECT ${eventColumns} FROM events WHERE position = ?`
  const find = ({ tenantId, id }: RowPlace) => sql.tenant(tenantId).get<EventRow>(text, id)
  return {
    isSame(row) {
      const found = find(row)
      return found !== undefined && isSame(toLoggedRow(found), row.record)
    },
    insert({ tenantId, record }) {
      const event = record as unknown as TransferRecords['events']
      // One that had no position when it was copied was given this one here; it comes again with its own.
      const stale = sql.across.get<EventRow>(at, event.position)
      if (stale) removeEvent(sql, stale)
      insertEvent(sql, tenantId, event)
    },
    remove(place) {
      const found = find(place)
      if (found) removeEvent(sql, found)
    },
  }
}

/** SQLite keeps it itself, without a key: an insert after the last event went would add a second row. */
function sequenceWriter(sql: Sql): TableWriter {
  const remove = () => void sql.across.run("DELETE FROM sqlite_sequence WHERE name = 'events'")
  return {
    isSame: () => false,
    insert({ record }) {
      const insert = "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)"
      sql.across.run(insert, Number(record['given']))
    },
    remove,
  }
}

/** A lease is not written: who held it does not know this database. */
function attemptWriter(sql: Sql): TableWriter {
  const text = `SELECT ${attemptColumns} FROM attempts WHERE tenant_id = @tenant AND id = ?`
  const remove = 'DELETE FROM attempts WHERE tenant_id = @tenant AND id = ?'
  return {
    isSame({ tenantId, id, record }) {
      const found = sql.tenant(tenantId).get<AttemptRow>(text, id)
      return found !== undefined && isSame(toAttempt(found), record)
    },
    insert: ({ tenantId, record }) =>
      void sql.tenant(tenantId).run(insertAttempt, ...attemptValues(record as unknown as AttemptRecord)),
    remove: ({ tenantId, id }) => void sql.tenant(tenantId).run(remove, id),
  }
}

function countsWriter(sql: Sql): TableWriter {
  const remove = 'DELETE FROM webhook_counts WHERE tenant_id = @tenant AND webhook_id = ?'
  return {
    isSame: () => false,
    insert: ({ tenantId, record }) =>
      writeCounts(sql.tenant(tenantId), record as unknown as TransferRecords['webhookCounts']),
    remove: ({ tenantId, id }) => void sql.tenant(tenantId).run(remove, id),
  }
}

function removedWebhookWriter(sql: Sql): TableWriter {
  const insert = 'INSERT OR IGNORE INTO removed_webhooks (tenant_id, id) VALUES (@tenant, ?)'
  const remove = 'DELETE FROM removed_webhooks WHERE tenant_id = @tenant AND id = ?'
  return {
    isSame: () => false,
    insert: ({ tenantId, id }) => void sql.tenant(tenantId).run(insert, id),
    remove: ({ tenantId, id }) => void sql.tenant(tenantId).run(remove, id),
  }
}

function recordWriter(sql: Sql, rows: RowWriter, kind: Kind): TableWriter {
  const text = `SELECT version, doc FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND id = ?`
  const find = ({ tenantId, id }: RowPlace) => sql.tenant(tenantId).get<RecordRow>(text, id)
  return {
    isSame(row) {
      const found = find(row)
      return found?.version === row.version && isSame(JSON.parse(found.doc), row.record)
    },
    insert: ({ tenantId, version, record }) => rows.insert(tenantId, kind, record, version),
    remove(place) {
      if (find(place)) rows.remove(place.tenantId, kind, place.id)
    },
  }
}

/** Writes copied rows with the writers that serve requests. Runs inside a transaction of the caller's. */
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
    indexer.keep()
    indexer.flush()
  }

  return {
    /** A row that differs is written anew. */
    put(kind: TransferKind, page: readonly TransferRow[]): void {
      const writer = writerOf(kind)
      for (const row of page) {
        if (writer.isSame(row)) continue
        writer.remove(row)
        writer.insert(row)
      }
      flush()
    },
    remove(kind: TransferKind, places: readonly RowPlace[]): void {
      const writer = writerOf(kind)
      for (const place of places) writer.remove(place)
      flush()
    },
    /** What is remembered went with an undone transaction. */
    forget(): void {
      indexer.forget()
      indexer.drop()
      numbers.forget()
    },
  }
}
