import { rowOf } from './values.ts'

/** The names of fields by their id or key. */
export type FieldNames = Readonly<Record<string, string>>

/** Returns the name of a field; its id or key where the account does not show its name. */
export function nameOf(names: FieldNames, key: string): string {
  return Object.hasOwn(names, key) ? (names[key] ?? key) : key
}

/** The values of own fields, by the names that people know them by. */
export function namedFields(values: unknown, names: FieldNames): [string, unknown][] {
  return Object.entries(rowOf(values)).map(([key, value]) => [nameOf(names, key), value])
}
