import { Option } from '@commander-js/extra-typings'
import { listing, oneOf } from './option-values.ts'

/** `--clear phone,company` empties the named fields. */
export function clearOption(fields: readonly string[]) {
  const option = new Option('--clear <fields>', `empty these fields: ${fields.join(', ')}`)
  return listing(option.argParser(oneOf(fields)), fields)
}

/** Turns `first-name` into the field `firstName` with the value null. */
export function clearedFields(names: readonly string[] | undefined): Record<string, null> {
  const fieldOf = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries((names ?? []).map((name) => [fieldOf(name), null]))
}
