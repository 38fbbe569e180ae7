import type { ComponentChildren, JSX } from 'preact'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { styles } from './analytics-styles.ts'
import { type CsvRow, downloadCsv } from './csv.ts'

interface FigureSectionProps {
  readonly title: string
  /** The line of titles first. */
  readonly csv: readonly CsvRow[]
  readonly children: ComponentChildren
}

/** A chart with its title and the download of its numbers. */
export function FigureSection({ title, csv, children }: FigureSectionProps): JSX.Element {
  return (
    <section aria-label={title}>
      <div style={styles.head}>
        <h2 style={styles.title}>{title}</h2>
        <Button isSmall onClick={() => downloadCsv(title, csv)}>
          {more.analytics.csv}
        </Button>
      </div>
      {children}
    </section>
  )
}

interface FigureTableProps {
  readonly label: string
  readonly columns: readonly string[]
  readonly children: ComponentChildren
}

/** A table that scrolls sideways on a narrow screen, by the keys too. */
export function FigureTable({ label, columns, children }: FigureTableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus
    <section style={styles.wide} tabIndex={0} aria-label={`${label}: ${more.analytics.table}`}>
      <table style={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" style={styles.columnHead}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
