import { CliError } from '../cli-error.ts'
import { cleanLine, escapeJsonText } from './clean-text.ts'
import type { Output } from './output.ts'

/**
 * Prints JSON, whole or with the fields of `--json a,b.c` only. A field that no row has becomes null, and
 * the command fails: a misspelled name must not look like an absence. Below a field that exists, such as a custom field, it warns.
 */
export function printJson(output: Output, value: object | readonly object[]): void {
  const fields = Array.isArray(output.json) ? output.json : []
  const picked = fields.length > 0 ? pickFields(output, value, fields) : value
  output.print(escapeJsonText(JSON.stringify(picked, null, 2)))
  const [row] = Array.isArray(value) ? value : [value]
  const unknown = fields.filter((field) => row !== undefined && !isKnown(value, field))
  if (unknown.length > 0)
    throw new CliError(`There is no field ${unknown.map(cleanLine).join(', ')}.`, {
      code: 'USAGE',
      hint: `Fields: ${Object.keys(row).join(', ')}.`,
    })
}

/** Whether a row has the first member of the path. */
function isKnown(value: object | readonly object[], field: string): boolean {
  const [name = ''] = field.split('.')
  return [value].flat().some((row) => Object.hasOwn(row, name))
}

/** Prints one row of a stream as NDJSON. A field that this row lacks becomes null without a warning. */
export function printJsonLine(output: Output, row: object): void {
  const picked = Array.isArray(output.json) ? pick(row, output.json) : row
  output.print(escapeJsonText(JSON.stringify(picked)))
}

function pickFields(output: Output, value: object | readonly object[], fields: readonly string[]): unknown {
  const rows: readonly object[] = Array.isArray(value) ? value : [value]
  for (const field of fields) {
    if (!isKnown(value, field) || rows.some((row) => valueAt(row, field) !== undefined)) continue
    output.warn(`No row has ${cleanLine(field)}.`)
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
