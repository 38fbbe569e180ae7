import { isOwned, ownedKinds } from '../../../storage/kinds/derive.ts'
import type { EventRecord } from '../../../storage/kinds/events.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import { asErased } from '../../../storage/rules/erased.ts'
import { isOneOf, trusted } from '../connection/filters.ts'
import type { CollectionAccess, Database, StoredRow } from '../connection/scope.ts'
import { ruleOf } from '../rows/kinds.ts'

/*
 * What is erased and not removed yet: rows whose owner, or whose owner's owner, is named by a task of this tenant.
 * Most of the time there is none, and one look into a small collection is all that a read pays.
 */

export const noErasures: ReadonlySet<string> = new Set()

export async function findErasures(access: CollectionAccess): Promise<ReadonlySet<string>> {
  const tasks = await access.find(
    'tasks',
    { 'keys.erases': trusted({ $gte: '' }) },
    { fields: ['keys.erases'] },
  )
  return tasks.length === 0 ? noErasures : new Set(tasks.map(({ keys }) => String(keys?.['erases'])))
}

/** Those of these tenants in which something is being erased. */
export async function tenantsWithErasures(
  database: Database,
  tenantIds: readonly string[],
): Promise<string[]> {
  if (tenantIds.length === 0) return []
  const filter = { ...isOneOf('tenantId', tenantIds), 'keys.erases': trusted({ $gte: '' }) }
  const tasks = await database.across().find('tasks', filter, { fields: ['tenantId'] })
  return [...new Set(tasks.map(({ tenantId }) => tenantId))]
}

function ownerIdOf(row: StoredRow, field: string): string | null {
  const [part, name] = field.split('.') as ['row' | 'keys', string]
  const id = row[part]?.[name]
  return typeof id === 'string' ? id : null
}

interface Sighted {
  rows: readonly StoredRow[]
  erased: ReadonlySet<string>
}

/** Ids of those of these rows that belong to what is erased. */
async function findHidden(
  access: CollectionAccess,
  kind: Kind,
  { rows, erased }: Sighted,
): Promise<Set<string>> {
  const hidden = new Set<string>()
  if (erased.size === 0 || rows.length === 0) return hidden
  for (const [owner, field] of Object.entries(ruleOf(kind).owners)) {
    const ids = [...new Set(rows.map((row) => ownerIdOf(row, field)))].filter((id) => id !== null)
    const gone = new Set(ids.filter((id) => erased.has(id)))
    const rest = ids.filter((id) => !gone.has(id))
    for (const id of await findLost(access, owner as Kind, { ids: rest, erased })) gone.add(id)
    for (const row of rows) if (gone.has(ownerIdOf(row, field) ?? '')) hidden.add(row.id)
  }
  return hidden
}

interface SightedIds {
  ids: readonly string[]
  erased: ReadonlySet<string>
}

/** What decides about rows of this kind. Nothing does when nobody owns them. */
async function findSighted(
  access: CollectionAccess,
  kind: Kind,
  ids: readonly string[],
): Promise<StoredRow[]> {
  const fields = Object.values(ruleOf(kind).owners)
  if (fields.length === 0 || ids.length === 0) return []
  return access.find(kind, access.among(ids), { fields: ['id', ...fields] })
}

/** Owners that are out of sight, or went since the row was read that names them. */
async function findLost(
  access: CollectionAccess,
  kind: Kind,
  { ids, erased }: SightedIds,
): Promise<Set<string>> {
  if (!isOwned(kind)) return new Set()
  const rows = await findSighted(access, kind, ids)
  const lost = await findHidden(access, kind, { rows, erased })
  const found = new Set(rows.map(({ id }) => id))
  for (const id of ids) if (!found.has(id)) lost.add(id)
  return lost
}

/** Of these rows those that do not belong to what is erased. */
export async function rowsInSight(
  access: CollectionAccess,
  kind: Kind,
  sighted: Sighted,
): Promise<readonly StoredRow[]> {
  const hidden = await findHidden(access, kind, sighted)
  return hidden.size === 0 ? sighted.rows : sighted.rows.filter(({ id }) => !hidden.has(id))
}

/** Those of these ids, of rows of any kind, that are erased themselves or out of sight. */
async function erasedAmong(
  access: CollectionAccess,
  ids: readonly string[],
  erased: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = new Set(ids.filter((id) => erased.has(id)))
  if (erased.size === 0) return found
  for (const kind of ownedKinds) {
    const rows = await findSighted(access, kind, ids)
    for (const id of await findHidden(access, kind, { rows, erased })) found.add(id)
  }
  return found
}

export async function isAnyErased(
  access: CollectionAccess,
  ids: readonly string[],
  erased: ReadonlySet<string>,
): Promise<boolean> {
  return erased.size > 0 && (await erasedAmong(access, ids, erased)).size > 0
}

/** Events as a reader may see them: of what was erased a moment ago no more than which events they were. */
export async function withoutErased<E extends EventRecord>(
  access: CollectionAccess,
  events: readonly E[],
): Promise<E[]> {
  const erased = events.length === 0 ? noErasures : await findErasures(access)
  if (erased.size === 0) return [...events]
  const subjects = [...new Set(events.flatMap((event) => event.subjects))]
  const gone = await erasedAmong(access, subjects, erased)
  // The row that hides an event may have gone between the two reads; by then the event has lost its body.
  const now = await access.find('events', access.among(events.map(({ _id }) => _id)), {
    fields: ['id', 'row.body'],
  })
  const bodies = new Map(now.map(({ id, row }) => [id, String(row['body'])]))
  return events.map((event) => asErased({ ...event, body: bodies.get(event._id) ?? event.body }, gone))
}
