import type { ComponentChildren, JSX } from 'preact'
import { styles } from './settings-styles.ts'

interface SettingsTableProps {
  readonly label: string
  readonly columns: readonly string[]
  readonly children: ComponentChildren
}

/** A table that scrolls sideways on a narrow screen, by the keys too. */
export function SettingsTable({ label, columns, children }: SettingsTableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus
    <section style={styles.wide} tabIndex={0} aria-label={label}>
      <table style={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" style={styles.head}>
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

export function Cell({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <td style={styles.cell} dir="auto">
      {children}
    </td>
  )
}
