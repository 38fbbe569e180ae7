import type { RowPlace, TransferRow } from '../../../ports/storage-transfer.ts'
import type { AttemptRecord, WebhookCounts } from '../../../storage/kinds/attempts.ts'
import type { TransferKind, TransferRecords } from '../../../storage/kinds/registry.ts'
import { type Document, isSame } from '../../../storage/rules/rows.ts'
import type { CollectionName } from '../connection/collections.ts'
import type { Database, StoredRow } from '../connection/scope.ts'
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

/** Writes rows of one tenant that are not there. */
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
      const places = rows.map(({ id }) => ({ id }))
      return access.insert(kind, places)
    }
    default: {
      const writer = createRowWriter(tenantId, (id) => database.tenant(id))
      const versions = rows.map(({ version }) => version)
      return writer.insert(kind, recordsOf<Document>(rows), versions)
    }
  }
}

/** Where the rows are that lead to those of a kind, if any do. */
function leadsTo(kind: TransferKind): CollectionName | undefined {
  switch (kind) {
    case 'attempts':
      return 'dueAttempts'
    case 'events':
    case 'webhookCounts':
    case 'eventSequence':
    case 'removedWebhooks':
      return undefined
    default:
      return ruleOf(kind).pointer?.collection
  }
}

function keyOf({ tenantId, id }: RowPlace): string {
  return JSON.stringify([tenantId, id])
}

/** Tenants of a page that are written at once. */
const tenantsMax = 8

/**
 * Makes rows what they are given as, with all that is worked out of them. No transaction: one that a killed copy
 * leaves behind would hold its rows for a minute. What leads to a row is written before it, so a row that is there
 * and right is whole; everything else is written anew, also what an earlier try has left behind.
 */
export async function putRows(
  database: Database,
  kind: TransferKind,
  rows: readonly TransferRow[],
): Promise<void> {
  const found = await database.across().findPlaces(kind, rows)
  const known = new Map(found.map((row) => [keyOf(row), toTransferRow(kind, row)]))
  const changed = rows.filter((row) => !isSame(known.get(keyOf(row)), row))
  await removeRows(database, kind, changed)
  const tenants = [...Map.groupBy(changed, ({ tenantId }) => tenantId)]
  for (let start = 0; start < tenants.length; start += tenantsMax) {
    const some = tenants.slice(start, start + tenantsMax)
    await Promise.all(some.map(([tenantId, ofTenant]) => insertRows(database, { kind, tenantId }, ofTenant)))
  }
}

/** The rows first: one that has lost what leads to it must not be taken for whole. */
export async function removeRows(
  database: Database,
  kind: TransferKind,
  places: readonly RowPlace[],
): Promise<void> {
  const across = database.across()
  await across.removePlaces(kind, places)
  const lead = leadsTo(kind)
  if (lead) await across.removePlaces(lead, places)
}

export async function findMissing(
  database: Database,
  kind: TransferKind,
  places: readonly RowPlace[],
): Promise<RowPlace[]> {
  const found = await database.across().findPlaces(kind, places)
  const there = new Set(found.map(keyOf))
  return places.filter((place) => !there.has(keyOf(place)))
}
