import type { CellUse, PageOfFile, SourceRecord, SourceWarning } from '../../ports/connector.ts'
import type { Outcome, PagePlan } from './page-plan.ts'

export type RowFigure = Outcome | 'repeated'
export type CellFigure = Exclude<CellUse, 'lost'> | 'cells'

/** A record with the use of its cells. */
type TalliedRecord = Pick<SourceRecord, 'row' | 'cells' | 'columns'> & { module: string }

/** The rows and cells of one page of a file, each in one figure. A page of another source has none. */
export class PageTally {
  file: PageOfFile | undefined
  readonly rows = new Map<RowFigure, number>()
  readonly columns = new Map<string, Map<CellFigure, number>>()

  /** Counts a row of a file and its cells by what became of the record. */
  add(
    plan: Pick<PagePlan, 'keptHere' | 'countIssue'>,
    record: TalliedRecord,
    outcome: RowFigure,
    warnings: readonly SourceWarning[] = [],
  ): void {
    const { cells, columns, module, row } = record
    if (cells === undefined || columns === undefined) return
    const named = new Set(warnings.flatMap((warning) => columnOf(record, warning) ?? []))
    for (const path of plan.keptHere) {
      const column = columns.get(path.replace(/^profile\./, '').replace(/^custom\./, 'customFields.'))
      if (column === undefined || !cells.has(column)) continue
      named.add(column)
      const message = 'another value is here, which stays'
      plan.countIssue({ module, row, id: null }, { severity: 'kept', code: 'CONFLICT_KEPT', message, column })
    }
    const isNamed = outcome === 'failed' || outcome === 'skipped' || outcome === 'repeated'
    this.addRow(outcome)
    for (const [column, use] of cells) {
      this.#addCell(column, use !== 'leftOut' && (isNamed || named.has(column)) ? 'named' : use)
    }
  }

  addRow(figure: RowFigure): void {
    this.rows.set(figure, (this.rows.get(figure) ?? 0) + 1)
  }

  /** Counts a record that is left out on purpose. */
  addLeftOut(cells: SourceRecord['cells']): void {
    this.addRow('skipped')
    for (const [column, use] of cells ?? []) this.#addCell(column, use === 'leftOut' ? use : 'named')
  }

  #addCell(column: string, use: CellUse): void {
    const figures = this.columns.get(column) ?? new Map<CellFigure, number>()
    this.columns.set(column, figures)
    // A cell that was lost is in no figure but the sum, so that the balance does not close.
    for (const figure of use === 'lost' ? (['cells'] as const) : (['cells', use] as const))
      figures.set(figure, (figures.get(figure) ?? 0) + 1)
  }
}

/** Returns the column of a warning, which may name the custom field instead. A text that was cut is stored. */
function columnOf({ cells, columns }: TalliedRecord, { code, column }: SourceWarning): string | undefined {
  if (column === undefined || code === 'SOURCE_TRUNCATED') return undefined
  return cells?.has(column) ? column : columns?.get(`customFields.${column}`)
}
