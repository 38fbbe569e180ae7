import type { AttemptRecord, WebhookCounts } from '../../ports/records.ts'
import { type Document, isSame } from '../../ports/storage-rules/rows.ts'
import type { RowPlace, TransferKind, TransferRecords, TransferRow } from '../../ports/storage-transfer.ts'
import { insertAttempts } from './attempt-rows.ts'
import { decodeRow } from './encode-row.ts'
import { beginSequence } from './event-sequencer.ts'
import { insertEvents } from './event-writer.ts'
import { createRowWriter } from './row-writer.ts'
import type { Database, Reach, StoredRow } from './scope.ts'
import { insertCounts } from './webhook-counts.ts'

function recordOf(kind: TransferKind, { tenantId, id, row, keys }: StoredRow): Document {
  switch (kind) {
    case 'events':
      return { ...decodeRow<Document>(row), position: keys?.['position'] ?? null }
    case 'eventSequence':
      return { _id: id, given: keys?.['planned'] }
    case 'webhookCounts':
      return { _id: id, tenantId, ...decodeRow<object>(row) }
    case 'removedWebhooks':
      return { _id: id, tenantId }
    default:
      return decodeRow<Document>(row)
  }
}

export function toTransferRow(kind: TransferKind, found: StoredRow): TransferRow {
  const { tenantId, id, version = 0 } = found
  return { tenantId, id, version, record: recordOf(kind, found) }
}

/** How the rows of one tenant and kind are written, and how they are taken away before that. */
interface Writer {
  remove(ids: readonly string[]): Promise<void>
  insert(rows: readonly TransferRow[]): Promise<void>
}

function recordsOf<T>(rows: readonly TransferRow[]): T[] {
  return rows.map(({ record }) => record as T)
}

function createWriter(database: Database, kind: TransferKind, tenantId: string): Writer {
  const reach = database.tenant(tenantId)
  const remove = async (ids: readonly string[]) => void (await reach.remove(kind, reach.among(ids)))
  switch (kind) {
    case 'events':
      return { remove, insert: (rows) => insertEvents(reach, recordsOf<TransferRecords['events']>(rows)) }
    case 'attempts':
      return {
        insert: (rows) => insertAttempts(reach, recordsOf<AttemptRecord>(rows)),
        async remove(ids) {
          await reach.remove('dueAttempts', reach.among(ids))
          await remove(ids)
        },
      }
    case 'webhookCounts':
      return { remove, insert: (rows) => insertCounts(reach, recordsOf<WebhookCounts>(rows)) }
    case 'eventSequence':
      return { remove, insert: (rows) => beginSequence(reach, Number(rows[0]?.record['given'])) }
    case 'removedWebhooks':
      return {
        remove,
        insert: (rows) =>
          reach.insert(
            kind,
            rows.map(({ id }) => ({ id })),
          ),
      }
    default: {
      const rows = createRowWriter(tenantId, (id) => database.tenant(id))
      const versions = (all: readonly TransferRow[]) => all.map(({ version }) => version)
      return {
        remove: (ids) => rows.removeAll(kind, ids),
        insert: (all) => rows.insert(kind, recordsOf<Document>(all), versions(all)),
      }
    }
  }
}

async function findSame(
  reach: Reach,
  kind: TransferKind,
  rows: readonly TransferRow[],
): Promise<Set<string>> {
  const found = await reach.find(kind, reach.among(rows.map(({ id }) => id)))
  const known = new Map(found.map((row) => [row.id, toTransferRow(kind, row)]))
  return new Set(rows.filter((row) => isSame(known.get(row.id), row)).map(({ id }) => id))
}

/**
 * No transaction: one that a killed copy leaves behind would hold its rows for a minute. What leads to a row is
 * written before it, so a row that is there is whole, and everything else is written again.
 */
async function putTenant(
  database: Database,
  { kind, tenantId }: { kind: TransferKind; tenantId: string },
  rows: readonly TransferRow[],
): Promise<void> {
  const same = await findSame(database.tenant(tenantId), kind, rows)
  const changed = rows.filter(({ id }) => !same.has(id))
  if (changed.length === 0) return
  const writer = createWriter(database, kind, tenantId)
  await writer.remove(changed.map(({ id }) => id))
  await writer.insert(changed)
}

/** Tenants of a page that are written at once. */
const tenantsMax = 8

async function perTenant<T extends RowPlace>(
  places: readonly T[],
  write: (tenantId: string, ofTenant: readonly T[]) => Promise<void>,
): Promise<void> {
  const tenants = [...Map.groupBy(places, ({ tenantId }) => tenantId)]
  for (let start = 0; start < tenants.length; start += tenantsMax) {
    await Promise.all(tenants.slice(start, start + tenantsMax).map((tenant) => write(...tenant)))
  }
}

/** Makes rows what they are given as, with all that is worked out of them. */
export function putRows(database: Database, kind: TransferKind, rows: readonly TransferRow[]): Promise<void> {
  return perTenant(rows, (tenantId, ofTenant) => putTenant(database, { kind, tenantId }, ofTenant))
}

export function removeRows(
  database: Database,
  kind: TransferKind,
  places: readonly RowPlace[],
): Promise<void> {
  return perTenant(places, (tenantId, ofTenant) =>
    createWriter(database, kind, tenantId).remove(ofTenant.map(({ id }) => id)),
  )
}

export async function findMissing(
  database: Database,
  kind: TransferKind,
  places: readonly RowPlace[],
): Promise<RowPlace[]> {
  const found = await database.across().findPlaces(kind, places)
  const there = new Set(found.map(({ tenantId, id }) => JSON.stringify([tenantId, id])))
  return places.filter(({ tenantId, id }) => !there.has(JSON.stringify([tenantId, id])))
}
