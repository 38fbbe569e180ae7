import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { addToList } from './option-values.ts'

/** `--clear phone,company`: the named fields become empty. */
export function clearOption(fields: readonly string[]) {
  return new Option('--clear <fields>', `empty these fields: ${fields.join(', ')}`).argParser(
    (text: string, previous: string[] | undefined) => {
      const names = addToList(text, previous)
      const unknown = names.find((name) => !fields.includes(name))
      if (unknown === undefined) return names
      throw new InvalidArgumentError(`It knows ${fields.join(', ')}.`)
    },
  )
}

/** `first-name` as the field `firstName`, set to null. */
export function clearedFields(names: readonly string[] | undefined): Record<string, null> {
  const fieldOf = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries((names ?? []).map((name) => [fieldOf(name), null]))
}
