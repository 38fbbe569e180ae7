import { download } from '../../ui/download.ts'

/** A cell that a spreadsheet would take for a formula is a text. */
function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export type CsvRow = readonly (string | number | null)[]

function csvOf(rows: readonly CsvRow[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

export function downloadCsv(name: string, rows: readonly CsvRow[]): void {
  download(new Blob([csvOf(rows)], { type: 'text/csv' }), `${name}.csv`)
}
