import type { LabelRange, SpellingCount } from '../../../storage/label-counts.ts'
import type { Sql, SqlValue } from '../connection/sql.ts'
import { hasErasures, notErased } from '../erasure/erasures.ts'
import { tableOf } from '../rows/kinds.ts'

export interface LabelRequest {
  tenantId: string
  range: LabelRange
}

type Scoped = ReturnType<Sql['tenant']>

const uses = 'conversation_label_uses'
const dayLength = 'YYYY-MM-DD'.length

/** Every label that is used, after the empty one, which stands for all rows with any label. */
export function* labelsOf(scoped: Scoped): Generator<string> {
  const next = `SELECT min(label) AS label FROM ${uses} WHERE tenant_id = @tenant AND label > ?`
  for (let label: string | null = ''; label !== null; ) {
    yield label
    label = scoped.get<{ label: string | null }>(next, label)?.label ?? null
  }
}

/** The conditions on the uses of a label, beside its time, with their values. */
function conditionsOf(scoped: Scoped, { usedBy }: LabelRange): { text: string; values: SqlValue[] } {
  const isShown = `EXISTS (SELECT 1 FROM ${tableOf('conversations').table} AS c
    WHERE c.tenant_id = @tenant AND c.n = u.n AND ${notErased('conversations', 'c.').sql})`
  const conditions = [
    ...(usedBy === undefined ? [] : ['u.used_by = ?']),
    ...(hasErasures(scoped) ? [isShown] : []),
  ]
  return {
    text: conditions.map((condition) => ` AND ${condition}`).join(''),
    values: usedBy === undefined ? [] : [usedBy],
  }
}

/** Counts one by one. */
function countUses(scoped: Scoped, range: LabelRange): (label: string) => number {
  const { text, values } = conditionsOf(scoped, range)
  const count = `SELECT count(*) AS count FROM ${uses} AS u
    WHERE u.tenant_id = @tenant AND u.label = ? AND u.at >= ? AND u.at <= ?${text}`
  const { from, to } = range
  return (label) => scoped.get<{ count: number }>(count, label, from, to, ...values)?.count ?? 0
}

/** The days of a range that are counted as a whole: those after `first` and before `last`. */
interface CountedDays {
  first: string
  last: string
}

function countedDaysOf(scoped: Scoped, { from, to }: LabelRange): CountedDays | undefined {
  const counted = 'SELECT until FROM conversation_label_counted WHERE tenant_id = @tenant'
  const until = scoped.get<{ until: string }>(counted)?.until
  // The counts include what an unfinished erasure hides.
  if (until === undefined || hasErasures(scoped)) return undefined
  const days = { first: from.slice(0, dayLength), last: [to.slice(0, dayLength), until].sort()[0] ?? '' }
  return days.first < days.last ? days : undefined
}

/** Counts the days that are counted already, and one by one only before and after them. */
function countDays(
  scoped: Scoped,
  range: LabelRange,
  { first, last }: CountedDays,
): (label: string) => number {
  const { from, to, usedBy } = range
  const { text, values } = conditionsOf(scoped, range)
  const part = `SELECT count(*) FROM ${uses} AS u WHERE u.tenant_id = @tenant AND u.label = ?`
  const count = `SELECT (${part} AND u.at >= ? AND u.at < ?${text})
    + (SELECT ifnull(sum(d.count), 0) FROM conversation_label_days AS d
       WHERE d.tenant_id = @tenant AND d.used_by = ? AND d.label = ? AND d.day > ? AND d.day < ?)
    + (${part} AND u.at >= ? AND u.at <= ?${text}) AS count`
  // A text that is shorter than a day, as the start of all time, is no part of a day.
  const firstEnd = first.length < dayLength ? from : `${first}U`
  return (label) =>
    scoped.get<{ count: number }>(
      count,
      ...[label, from, firstEnd, ...values],
      ...[usedBy ?? '', label, first, last],
      ...[label, last, to, ...values],
    )?.count ?? 0
}

/**
 * Counts the labels of conversations. It takes time in proportion to the labels of the tenant, to the days of the range,
 * and to the conversations of days that are not counted: for a thread that nothing waits for.
 */
export function countLabels(sql: Sql, { tenantId, range }: LabelRequest): SpellingCount[] {
  const scoped = sql.tenant(tenantId)
  const days = countedDaysOf(scoped, range)
  const countOf = days === undefined ? countUses(scoped, range) : countDays(scoped, range, days)
  return Array.from(labelsOf(scoped), (label) => ({ label, count: countOf(label) }))
}
