import { isOwned, ownedKinds } from '../../../storage/kinds/derive.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import { asErased } from '../../../storage/rules/erased.ts'
import type { Sql } from '../connection/sql.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { Condition } from '../lists/list-query.ts'
import { tableOf } from '../rows/kinds.ts'

/*
 * What is erased and not removed yet: rows whose owner, or whose owner's owner, has a task in `tasks.erases`. Most
 * of the time there is none, and that is all that a read asks.
 */

type Runner = ReturnType<Sql['tenant']>

const anyErasure = 'SELECT 1 FROM tasks AS o WHERE o.tenant_id = @tenant AND o.erases IS NOT NULL LIMIT 1'

/** Expressions for the ids of all owners of a row, near and far. `column` says how its columns are named. */
function ownerIds(kind: Kind, column: (name: string) => string, depth = 1): string[] {
  return Object.entries(tableOf(kind).owners).flatMap(([owner, name]) => {
    const alias = `p${depth}`
    const { table } = tableOf(owner as Kind)
    const further = (ofOwner: string) =>
      `(SELECT ${alias}.${ofOwner} FROM ${table} AS ${alias} WHERE ${alias}.tenant_id = @tenant AND ${alias}.id = ${column(name)})`
    return [column(name), ...ownerIds(owner as Kind, further, depth + 1)]
  })
}

/** A condition on a row of this kind; `prefix` is its alias with a dot, where other tables have such columns too. */
function isErased(kind: Kind, prefix = ''): string {
  const ids = ownerIds(kind, (name) => `${prefix}${name}`).join(', ')
  return `EXISTS (SELECT 1 FROM tasks AS e WHERE e.tenant_id = @tenant AND e.erases IN (${ids}))`
}

/** What a look-up by id asks besides. Empty for kinds that nobody owns: their rows go with the first commit. */
export function andNotErased(kind: Kind): string {
  return isOwned(kind) ? ` AND (NOT EXISTS (${anyErasure}) OR NOT ${isErased(kind)})` : ''
}

/** For lists, which ask first whether there is any erasure: nothing is spent on their rows when there is none. */
export function notErased(kind: Kind, prefix = ''): Condition {
  return { sql: `NOT ${isErased(kind, prefix)}`, params: [] }
}

export function hasErasures(scoped: Runner): boolean {
  return scoped.get(anyErasure) !== undefined
}

/** Whether the row is there and out of sight. */
export function isErasedRow(scoped: Runner, kind: Kind, id: string): boolean {
  if (!isOwned(kind)) return false
  const text = `SELECT 1 FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND id = ? AND ${isErased(kind)}`
  return scoped.get(text, id) !== undefined
}

const erasedAmongText = `SELECT s.value AS id FROM json_each(?) AS s WHERE
  s.value IN (SELECT t.erases FROM tasks AS t WHERE t.tenant_id = @tenant AND t.erases IS NOT NULL)`

/** Those of these ids, of rows of any kind, that are erased themselves or out of sight. */
function erasedAmong(scoped: Runner, ids: readonly string[]): Set<string> {
  const ofRows = ownedKinds.map(
    (kind) =>
      `EXISTS (SELECT 1 FROM ${tableOf(kind).table} AS r WHERE r.tenant_id = @tenant AND r.id = s.value AND ${isErased(kind, 'r.')})`,
  )
  const found = scoped.all<{ id: string }>([erasedAmongText, ...ofRows].join(' OR '), JSON.stringify(ids))
  return new Set(found.map(({ id }) => id))
}

export function isAnyErased(scoped: Runner, ids: readonly string[]): boolean {
  return ids.length > 0 && hasErasures(scoped) && erasedAmong(scoped, ids).size > 0
}

/** Events as a reader may see them: of what was erased a moment ago no more than which events they were. */
export function withoutErased(scoped: Runner, rows: EventRow[]): EventRow[] {
  if (rows.length === 0 || !hasErasures(scoped)) return rows
  const told = rows.map((row) => ({ ...row, subjects: JSON.parse(row.subjects) as string[] }))
  const erased = erasedAmong(scoped, [...new Set(told.flatMap(({ subjects }) => subjects))])
  return told.map((event) => ({ ...asErased(event, erased), subjects: JSON.stringify(event.subjects) }))
}
