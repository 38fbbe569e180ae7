import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Field } from '../../operations/operation.ts'
import { clearedFields, clearOption } from '../clear-option.ts'
import { addToList, eitherFlag, isoMoment, listing, oneOf, wholeNumber } from '../option-values.ts'

/** The option of one field, where it is another one than the contract says. */
interface OptionWords {
  readonly text?: string
  /** Without the dashes; default: the name of the field. */
  readonly flag?: string
  /** The word for its value in the help. */
  readonly value?: string
  /** The description of an argument behind the id, which gives the field instead of an option. */
  readonly argument?: string
  /** The command refuses to run without it. */
  readonly isMandatory?: true
  /** Two options instead of one, for true and for false: each a flag and its text. */
  readonly pair?: readonly [readonly [string, string], readonly [string, string]]
}

/** A text, more words, or false for a field that no option of its own gives. */
export type FieldWords<Input> = { readonly [Name in keyof Input]?: string | false | OptionWords }

/** An option, or the two of a flag, with the field that it gives. */
interface FieldOption extends OptionWords {
  readonly field: Field
  readonly flag: string
}

/** The options of the fields that a noun does not take out. */
export function fieldOptions(
  fields: readonly Field[],
  words: FieldWords<Readonly<Record<string, unknown>>>,
): FieldOption[] {
  return fields.flatMap((field) => {
    const given = words[field.name] ?? {}
    if (given === false) return []
    const own = typeof given === 'string' ? { text: given } : given
    return [{ ...own, field, flag: own.flag ?? kebab(field.name) }]
  })
}

/** How a command treats its fields. */
export interface FieldUse {
  /** It refuses to run without a required field; otherwise it asks for it. */
  readonly isMandatory?: boolean
  /** Both options of a pair together find every row. */
  readonly isFilter?: boolean
}

/** Adds options to a command. */
export function addFieldOptions(
  command: CommandUnknownOpts,
  options: readonly FieldOption[],
  { isMandatory = false, isFilter = false }: FieldUse,
): void {
  for (const option of options) {
    const { field, flag, pair, argument } = option
    if (argument !== undefined) continue
    if (field.type === 'flag') {
      const [[yes, yesText], [no, noText]] = pair ?? [
        [flag, option.text ?? field.text],
        [`no-${flag}`, `the opposite of --${flag}`],
      ]
      command.option(`--${yes}`, yesText)
      command.addOption(new Option(`--${no}`, noText).conflicts(pair && !isFilter ? camel(yes) : []))
    } else {
      command.addOption(
        valueOption(option).makeOptionMandatory(
          option.isMandatory ?? (isMandatory && field.isRequired === true),
        ),
      )
    }
  }
}

function valueOption({ field, flag, text = field.text, value = field.value }: FieldOption): Option {
  const { type, choices } = field
  const option = new Option(`--${flag} <${value}>`, text)
  if (type === 'list')
    return choices ? listing(option.argParser(oneOf(choices)), choices) : option.argParser(addToList)
  if (type === 'integer') return option.argParser(wholeNumber)
  if (type === 'moment') return option.argParser(isoMoment)
  return choices ? option.choices(choices) : option
}

/** Adds `--clear` for the fields that null empties, or for the named ones. */
export function addClearOption(
  command: CommandUnknownOpts,
  options: readonly FieldOption[],
  names: readonly string[] = options.filter(({ field }) => field.isNullable).map(({ flag }) => flag),
): void {
  if (names.length > 0) command.addOption(clearOption(names))
}

type Values = Readonly<Record<string, unknown>>

/** The fields of the request instead of the options that give them; other options stay as they are. */
export function fieldValues(options: readonly FieldOption[], given: Values): Values {
  const { clear, ...rest } = given as Values & { readonly clear?: readonly string[] }
  const values: Record<string, unknown> = rest
  const fields = new Map(options.map(({ field, flag }) => [camel(flag), field.name]))
  for (const { field, pair } of options) {
    if (!pair) continue
    const [yes, no] = pair.map(([flag]) => camel(flag)) as [string, string]
    const value = eitherFlag(values[yes] as true | undefined, values[no] as true | undefined)
    delete values[yes]
    delete values[no]
    values[field.name] = value
  }
  const entries = Object.entries({ ...values, ...clearedFields(clear) })
  return Object.fromEntries(entries.map(([name, value]) => [fields.get(name) ?? name, value]))
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function camel(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
