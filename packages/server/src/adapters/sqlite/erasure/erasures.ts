import { isOwned, ownedKinds } from '../../../storage/kinds/derive.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import { asErased } from '../../../storage/rules/erased.ts'
import type { Sql } from '../connection/sql.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { Condition } from '../lists/list-query.ts'
import { tableOf } from '../rows/kinds.ts'

/*
 * Rows that are erased and not deleted yet are hidden: `tasks.erases` names their owner, or an owner of their owner.
 * Mostly there is no such task, and then a read checks nothing else.
 */

type Runner = ReturnType<Sql['tenant']>

const anyErasure = 'SELECT 1 FROM tasks AS o WHERE o.tenant_id = @tenant AND o.erases IS NOT NULL LIMIT 1'

/** Returns expressions for the ids of a row's owners and of their owners. `column` returns the name of a column. */
function ownerIds(kind: Kind, column: (name: string) => string, depth = 1): string[] {
  return Object.entries(tableOf(kind).owners).flatMap(([owner, name]) => {
    const alias = `p${depth}`
    const { table } = tableOf(owner as Kind)
    const further = (ofOwner: string) =>
      `(SELECT ${alias}.${ofOwner} FROM ${table} AS ${alias} WHERE ${alias}.tenant_id = @tenant AND ${alias}.id = ${column(name)})`
    return [column(name), ...ownerIds(owner as Kind, further, depth + 1)]
  })
}

/** Returns a condition on a row of this kind; `prefix` is its alias with a dot, where other tables have such columns. */
function isErased(kind: Kind, prefix = ''): string {
  const ids = ownerIds(kind, (name) => `${prefix}${name}`).join(', ')
  return `EXISTS (SELECT 1 FROM tasks AS e WHERE e.tenant_id = @tenant AND e.erases IN (${ids}))`
}

/** Returns the condition to add to a look-up by id. Empty for kinds without owners: the first commit deletes their rows. */
export function andNotErased(kind: Kind): string {
  return isOwned(kind) ? ` AND (NOT EXISTS (${anyErasure}) OR NOT ${isErased(kind)})` : ''
}

/** Returns the condition for lists, which use it only while an erasure is unfinished. */
export function notErased(kind: Kind, prefix = ''): Condition {
  return { sql: `NOT ${isErased(kind, prefix)}`, params: [] }
}

export function hasErasures(scoped: Runner): boolean {
  return scoped.get(anyErasure) !== undefined
}

/** Returns whether the row exists and an erasure hides it. */
export function isErasedRow(scoped: Runner, kind: Kind, id: string): boolean {
  if (!isOwned(kind)) return false
  const text = `SELECT 1 FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND id = ? AND ${isErased(kind)}`
  return scoped.get(text, id) !== undefined
}

const erasedAmongText = `SELECT s.value AS id FROM json_each(?) AS s WHERE
  s.value IN (SELECT t.erases FROM tasks AS t WHERE t.tenant_id = @tenant AND t.erases IS NOT NULL)`

/** Returns the subset of these ids, of rows of any kind, that are erased or hidden. */
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

/** Returns the events as a reader may see them: events about erased subjects without their content. */
export function withoutErased(scoped: Runner, rows: EventRow[]): EventRow[] {
  if (rows.length === 0 || !hasErasures(scoped)) return rows
  const events = rows.map((row) => ({ ...row, subjects: JSON.parse(row.subjects) as string[] }))
  const erased = erasedAmong(scoped, [...new Set(events.flatMap(({ subjects }) => subjects))])
  return events.map((event) => ({ ...asErased(event, erased), subjects: JSON.stringify(event.subjects) }))
}
