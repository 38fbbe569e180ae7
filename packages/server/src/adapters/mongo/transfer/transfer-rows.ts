import type { RowRef, TransferRow } from '../../../ports/storage-transfer.ts'
import type { AttemptRecord, WebhookCounts } from '../../../storage/kinds/attempts.ts'
import type { TransferKind, TransferRecords } from '../../../storage/kinds/registry.ts'
import type { Document } from '../../../storage/records.ts'
import type { Database, StoredRow } from '../connection/access.ts'
import type { CollectionName } from '../connection/collections.ts'
import { insertAttempts } from '../deliveries/attempt-rows.ts'
import { insertCounts } from '../deliveries/webhook-counts.ts'
import { beginSequence } from '../events/event-sequencer.ts'
import { insertEvents } from '../events/event-writer.ts'
import { decodeRow } from '../rows/encode-row.ts'
import { ruleOf } from '../rows/kinds.ts'
import { createRowWriter } from '../rows/row-writer.ts'

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

function recordsOf<T>(rows: readonly TransferRow[]): T[] {
  return rows.map(({ record }) => record as T)
}

/** Inserts rows of one tenant that do not exist. */
async function insertRows(
  database: Database,
  { kind, tenantId }: { kind: TransferKind; tenantId: string },
  rows: readonly TransferRow[],
): Promise<void> {
  const access = database.tenant(tenantId)
  switch (kind) {
    case 'events':
      return insertEvents(access, recordsOf<TransferRecords['events']>(rows))
    case 'attempts':
      return insertAttempts(access, recordsOf<AttemptRecord>(rows))
    case 'webhookCounts':
      return insertCounts(access, recordsOf<WebhookCounts>(rows))
    case 'eventSequence':
      return beginSequence(access, Number(rows[0]?.record['given']))
    case 'removedWebhooks': {
      const refs = rows.map(({ id }) => ({ id }))
      return access.insert(kind, refs)
    }
    default: {
      const writer = createRowWriter(tenantId, (id) => database.tenant(id))
      const versions = rows.map(({ version }) => version)
      return writer.insert(kind, recordsOf<Document>(rows), versions)
    }
  }
}

/** Returns the collections of the rows that point to rows of a kind. */
function pointerCollectionsOf(kind: TransferKind): CollectionName[] {
  switch (kind) {
    case 'attempts':
      return ['dueAttempts']
    case 'events':
    case 'webhookCounts':
    case 'eventSequence':
    case 'removedWebhooks':
      return []
    default:
      return ruleOf(kind).pointers.map(({ collection }) => collection)
  }
}

function keyOf({ tenantId, id }: RowRef): string {
  return JSON.stringify([tenantId, id])
}

/** Tenants of a page that are written at the same time. */
const tenantsMax = 8

export async function readRows(
  database: Database,
  kind: TransferKind,
  refs: readonly RowRef[],
): Promise<TransferRow[]> {
  const found = await database.across().findByRefs(kind, refs)
  return found.map((row) => toTransferRow(kind, row))
}

/**
 * Inserts or replaces rows with all data that is derived from them. It uses no transaction: one that a killed copy
 * leaves open would lock its rows for a minute. The pointer to a row is written before the row, so a row that exists
 * and is equal is complete; all other rows are written again, also those that an earlier try has left incomplete.
 */
export async function putRows(
  database: Database,
  kind: TransferKind,
  rows: readonly TransferRow[],
): Promise<void> {
  await removeRows(database, kind, rows)
  const tenants = [...Map.groupBy(rows, ({ tenantId }) => tenantId)]
  for (let start = 0; start < tenants.length; start += tenantsMax) {
    const some = tenants.slice(start, start + tenantsMax)
    await Promise.all(some.map(([tenantId, ofTenant]) => insertRows(database, { kind, tenantId }, ofTenant)))
  }
}

/** Deletes the rows before their pointers: a row without its pointer must not count as complete. */
export async function removeRows(
  database: Database,
  kind: TransferKind,
  refs: readonly RowRef[],
): Promise<void> {
  const across = database.across()
  await across.removeByRefs(kind, refs)
  for (const pointers of pointerCollectionsOf(kind)) await across.removeByRefs(pointers, refs)
}

export async function findMissing(
  database: Database,
  kind: TransferKind,
  refs: readonly RowRef[],
): Promise<RowRef[]> {
  const found = await database.across().findByRefs(kind, refs, ['tenantId', 'id'])
  const existing = new Set(found.map(keyOf))
  return refs.filter((ref) => !existing.has(keyOf(ref)))
}
