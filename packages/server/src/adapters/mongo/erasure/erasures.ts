import { isOwned, ownedKinds } from '../../../storage/kinds/derive.ts'
import type { EventRecord } from '../../../storage/kinds/events.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import { asErased } from '../../../storage/rules/erased.ts'
import type { CollectionAccess, Database, StoredRow } from '../connection/access.ts'
import { isOneOf, trusted } from '../connection/filters.ts'
import { ruleOf } from '../rows/kinds.ts'

/*
 * Rows that are erased and not deleted yet are hidden: an erasure task of the tenant names their owner, or an owner of
 * their owner. Mostly there is no such task, and then a read costs only one query of a small collection.
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

const waiting = new WeakMap<CollectionAccess, Promise<ReadonlySet<string>>>()

/**
 * Returns the same for all callers of one turn of the event loop, with one command that starts after all of them have asked. Reads
 * by id share their command in the same way; each with a command of its own for this was most of what a screen asked.
 */
export function findErasuresShared(access: CollectionAccess): Promise<ReadonlySet<string>> {
  const known = waiting.get(access)
  if (known !== undefined) return known
  const found = new Promise<void>((resolve) => {
    setImmediate(() => {
      waiting.delete(access)
      resolve()
    })
  }).then(() => findErasures(access))
  waiting.set(access, found)
  return found
}

/** Returns the subset of these tenants that have an unfinished erasure. */
export async function tenantsWithErasures(
  database: Database,
  tenantIds: readonly string[],
): Promise<string[]> {
  if (tenantIds.length === 0) return []
  const filter = { ...isOneOf('tenantId', tenantIds), 'keys.erases': trusted({ $gte: '' }) }
  const tasks = await database.across().find('tasks', filter, { fields: ['tenantId'] })
  return [...new Set(tasks.map(({ tenantId }) => tenantId))]
}

/** Returns null for a row without an owner: an empty id names none. */
function ownerIdOf(row: StoredRow, field: string): string | null {
  const [part, name] = field.split('.') as ['row' | 'keys', string]
  const id = row[part]?.[name]
  return typeof id === 'string' && id !== '' ? id : null
}

interface ReadRows {
  rows: readonly StoredRow[]
  /** The ids of erased subjects. */
  erased: ReadonlySet<string>
}

/** Returns the ids of the rows that an erasure hides. */
async function findHidden(
  access: CollectionAccess,
  kind: Kind,
  { rows, erased }: ReadRows,
): Promise<Set<string>> {
  const hidden = new Set<string>()
  if (erased.size === 0 || rows.length === 0) return hidden
  for (const [owner, field] of Object.entries(ruleOf(kind).owners)) {
    const ids = [...new Set(rows.map((row) => ownerIdOf(row, field)))].filter((id) => id !== null)
    const hiddenOwners = new Set(ids.filter((id) => erased.has(id)))
    const rest = ids.filter((id) => !hiddenOwners.has(id))
    for (const id of await findHiddenOwners(access, owner as Kind, { ids: rest, erased }))
      hiddenOwners.add(id)
    for (const row of rows) if (hiddenOwners.has(ownerIdOf(row, field) ?? '')) hidden.add(row.id)
  }
  return hidden
}

interface ReadIds {
  ids: readonly string[]
  /** The ids of erased subjects. */
  erased: ReadonlySet<string>
}

/** Reads the owners' ids of these rows, which decide whether they are hidden; none for a kind without owners. */
async function findOwnerIds(
  access: CollectionAccess,
  kind: Kind,
  ids: readonly string[],
): Promise<StoredRow[]> {
  const fields = Object.values(ruleOf(kind).owners)
  if (fields.length === 0 || ids.length === 0) return []
  return access.find(kind, access.among(ids), { fields: ['id', ...fields] })
}

/** Returns the owners that are hidden, or were deleted since the row that names them was read. */
async function findHiddenOwners(
  access: CollectionAccess,
  kind: Kind,
  { ids, erased }: ReadIds,
): Promise<Set<string>> {
  if (!isOwned(kind)) return new Set()
  const rows = await findOwnerIds(access, kind, ids)
  const hidden = await findHidden(access, kind, { rows, erased })
  const found = new Set(rows.map(({ id }) => id))
  for (const id of ids) if (!found.has(id)) hidden.add(id)
  return hidden
}

/** Returns the rows that no erasure hides. */
export async function visibleRows(
  access: CollectionAccess,
  kind: Kind,
  read: ReadRows,
): Promise<readonly StoredRow[]> {
  const hidden = await findHidden(access, kind, read)
  return hidden.size === 0 ? read.rows : read.rows.filter(({ id }) => !hidden.has(id))
}

/** Returns the subset of these ids, of rows of any kind, that are erased or hidden. */
async function erasedAmong(
  access: CollectionAccess,
  ids: readonly string[],
  erased: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = new Set(ids.filter((id) => erased.has(id)))
  if (erased.size === 0) return found
  for (const kind of ownedKinds) {
    const rows = await findOwnerIds(access, kind, ids)
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

/** Returns the events as a reader may see them: events about erased subjects without their content. */
export async function withoutErased<E extends EventRecord>(
  access: CollectionAccess,
  events: readonly E[],
): Promise<E[]> {
  const erased = events.length === 0 ? noErasures : await findErasures(access)
  if (erased.size === 0) return [...events]
  const subjects = [...new Set(events.flatMap((event) => event.subjects))]
  const hidden = await erasedAmong(access, subjects, erased)
  // The row that hides an event may have been deleted between the two reads; the event's body is erased before that.
  const now = await access.find('events', access.among(events.map(({ _id }) => _id)), {
    fields: ['id', 'row.body'],
  })
  const bodies = new Map(now.map(({ id, row }) => [id, String(row['body'])]))
  return events.map((event) => asErased({ ...event, body: bodies.get(event._id) ?? event.body }, hidden))
}
