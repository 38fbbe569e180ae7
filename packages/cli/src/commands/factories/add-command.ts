import type { Command, CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings'
import type { Crm } from '@crmkit/sdk'
import type { Field, Operation } from '../../operations/operation.ts'
import type { Column } from '../../output/column.ts'
import type { Client, Need } from '../../profile/open-client.ts'
import { examples } from '../run-action.ts'
import {
  addClearOption,
  addFieldOptions,
  type FieldUse,
  type FieldWords,
  fieldOptions,
  fieldValues,
} from './field-options.ts'

/** The words of one command in its help. */
export interface CommandWords {
  readonly description: string
  /** The line in the help of the noun; default: the description. */
  readonly summary?: string
  /** A paragraph between the options and the examples. */
  readonly notes?: string
  /** Command lines as a person types them; a test runs each one. */
  readonly examples: readonly [string, ...string[]]
}

/** The noun that a command belongs to. */
export interface Noun<Row = never> {
  /** In the singular, as in "the id of the customer". */
  readonly name: string
  /** Ids begin with it; the examples of help show it. */
  readonly prefix?: string
  /** The columns of its tables and cards; `withColumns` gives a command others. */
  readonly columns: readonly Column<Row>[]
}

/** Adds one command to the command of its noun. */
export type NounCommand<Row = never> = (parent: CommandUnknownOpts, noun: Noun<Row>) => void

/** A command whose rows are others than those of its noun. */
export function withColumns<Row>(columns: readonly Column<Row>[], add: NounCommand<Row>): NounCommand {
  return (parent, noun) => add(parent, { ...noun, columns })
}

/** Adds options to a command; their types are inferred from what it returns. */
export type AddOptions<Options extends OptionValues> = (command: Command) => Command<[], Options>

export type NoOptions = Record<never, never>

/** The client of one request, with the credential that it uses. */
export interface Call {
  readonly crm: Crm
  readonly credential: Client['credential']
}

interface CommandSpec<Options extends OptionValues> extends CommandWords {
  readonly name: string
  readonly options?: AddOptions<Options> | undefined
}

/** Adds a command to its noun, with words and options; the action of the command is still missing. */
export function addCommand<Options extends OptionValues = OptionValues>(
  parent: CommandUnknownOpts,
  { name, options, summary, description, ...end }: CommandSpec<Options>,
): Command<[], Options> {
  const command = parent.command(name).description(description).addHelpText('after', helpEnd(end))
  if (summary !== undefined) command.summary(summary)
  return (options ? options(command) : command) as unknown as Command<[], Options>
}

/** A command that calls one operation: whatever it does not say follows from the operation and the noun. */
export interface OperationSpec<Input, Reply, Options extends OptionValues> extends Partial<CommandWords> {
  readonly operation: Operation<Input, Reply>
  /** Default: the credential that the operation needs. */
  readonly need?: Need
  /** The options of its fields, where they are others than the contract says. */
  readonly fields?: FieldWords<Input>
  /** The only fields that have an option; default: all. */
  readonly only?: readonly (keyof Input)[]
  /** The fields that `--clear` can empty, where they are others than those of options that null empties. */
  readonly clear?: readonly string[]
  /** More options. */
  readonly options?: AddOptions<Options>
}

interface Defaults extends FieldUse {
  readonly name: string
  readonly description: string
  readonly summary?: string
  /** The end of the example, behind `crm NOUN NAME`. */
  readonly example?: string | undefined
  readonly canClear?: boolean
}

interface OperationCommand {
  readonly command: Command<[], OptionValues>
  /** Turns the options that were given into the fields of the request; further options keep their names. */
  readonly valuesOf: (given: OptionValues) => OptionValues
  readonly options: ReturnType<typeof fieldOptions>
}

/** Adds the command of an operation, with an option for each of its fields. */
export function addOperationCommand<Input, Reply, Options extends OptionValues>(
  parent: CommandUnknownOpts,
  { operation, fields: words = {}, only, clear, options, ...given }: OperationSpec<Input, Reply, Options>,
  { name, example, canClear = false, ...texts }: Defaults,
): OperationCommand {
  const line = [pathOf(parent), name, example].filter(Boolean).join(' ')
  const summary = given.summary ?? (given.description === undefined ? texts.summary : undefined)
  const description = given.description ?? texts.description
  const { notes, examples: lines = [line] } = given
  const command = addCommand(parent, {
    name,
    description,
    examples: lines,
    ...(summary === undefined ? {} : { summary }),
    ...(notes === undefined ? {} : { notes }),
  })
  const isOffered = ({ name }: Field) => only === undefined || only.some((one) => one === name)
  const ofFields = fieldOptions(operation.fields.filter(isOffered), words)
  addFieldOptions(command, ofFields, texts)
  options?.(command as unknown as Command)
  if (canClear || clear !== undefined) addClearOption(command, ofFields, clear)
  return { command, options: ofFields, valuesOf: (values) => fieldValues(ofFields, values) }
}

/** `crm customers`. */
function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** An id for an example. */
export function sampleId({ prefix }: Pick<Noun, 'prefix'>): string {
  return `${prefix ?? 'id'}_01J8ZQ4W7N`
}

/** `an inbox`, `a user`. */
export function withArticle({ name }: Pick<Noun, 'name'>): string {
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`
}

/** The end of a help text: the notes, then the examples. */
export function helpEnd({ notes, examples: lines }: Pick<CommandWords, 'notes' | 'examples'>): string {
  return notes === undefined ? examples(...lines) : `\n${notes}\n${examples(...lines)}`
}
