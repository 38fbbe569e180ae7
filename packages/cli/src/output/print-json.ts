import { cleanLine, escapeJsonText } from './clean-text.ts'
import type { Output } from './output.ts'

/** Prints JSON, whole or with the fields of `--json a,b.c` only. A field that no row has becomes null, with a warning. */
export function printJson(output: Output, value: object | readonly object[]): void {
  const picked = Array.isArray(output.json) ? pickFields(output, value, output.json) : value
  output.print(escapeJsonText(JSON.stringify(picked, null, 2)))
}

/** Prints one row of a stream as NDJSON. A field that this row lacks becomes null without a warning. */
export function printJsonLine(output: Output, row: object): void {
  const picked = Array.isArray(output.json) ? pick(row, output.json) : row
  output.print(escapeJsonText(JSON.stringify(picked)))
}

function pickFields(output: Output, value: object | readonly object[], fields: readonly string[]): unknown {
  const rows: readonly object[] = Array.isArray(value) ? value : [value]
  for (const field of fields) {
    if (rows.length === 0 || rows.some((row) => valueAt(row, field) !== undefined)) continue
    output.warn(`There is no field ${cleanLine(field)}. Fields: ${Object.keys(rows[0] ?? {}).join(', ')}`)
  }
  return Array.isArray(value) ? rows.map((row) => pick(row, fields)) : pick(value, fields)
}

function pick(row: object, fields: readonly string[]): object {
  return Object.fromEntries(fields.map((field) => [field, valueAt(row, field) ?? null]))
}

function valueAt(row: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      row,
    )
}
