import { foldLabel } from '@crmkit/core/vocabulary'
import type { Arm, Condition, Order } from './list-query.ts'
import { tableArm } from './list-query.ts'

interface LabelledList {
  table: string
  labelTable: string
  /** The column whose order the label table keeps. */
  sortedColumn: string
}

/** Returns conditions on a row number: the row has all labels. */
export function hasLabels(labelTable: string, labels: readonly string[], rowNumber: string): Condition[] {
  const ofLabel = `SELECT n FROM ${labelTable} WHERE tenant_id = @tenant AND label = ?`
  return labels.map((label) => ({ sql: `${rowNumber} IN (${ofLabel})`, params: [foldLabel(label)] }))
}

interface LabelQuery {
  order: Order
  labels: readonly string[]
  where: Condition[]
}

/**
 * Returns the arm of rows that have all labels. It reads the first label's range when that has the list's order;
 * otherwise it finds the rows with the labels first and sorts them.
 */
export function labelArm(
  { table, labelTable, sortedColumn }: LabelledList,
  { order, labels, where }: LabelQuery,
): Arm {
  const [first, ...others] = labels.map(foldLabel)
  if (first === undefined) return tableArm(table, order, { where })
  if (order.column !== sortedColumn) {
    return tableArm(table, order, { where: [...hasLabels(labelTable, labels, 'n'), ...where] })
  }
  const hasOther = `EXISTS (SELECT 1 FROM ${labelTable} AS o
    WHERE o.tenant_id = @tenant AND o.label = ? AND o.sorted_at = l.sorted_at AND o.id = l.id)`
  const join = where.length > 0 ? ` CROSS JOIN ${table} AS t ON t.n = l.n AND t.tenant_id = @tenant` : ''
  return {
    from: `${labelTable} AS l${join}`,
    keys: { n: 'l.n', value: 'l.sorted_at', id: 'l.id' },
    range: [
      { sql: 'l.tenant_id = @tenant', params: [] },
      { sql: 'l.label = ?', params: [first] },
    ],
    where: [...others.map((label) => ({ sql: hasOther, params: [label] })), ...where],
  }
}
