import type { Command, CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings'
import type { Crm } from '@crmkit/sdk'
import type { Client } from '../../profile/open-client.ts'
import { examples } from '../run-action.ts'

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
export interface Noun {
  /** In the singular, as in "the id of the customer". */
  readonly name: string
}

/** Adds one command to the command of its noun. */
export type NounCommand = (parent: CommandUnknownOpts, noun: Noun) => void

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

/** The end of a help text: the notes, then the examples. */
export function helpEnd({ notes, examples: lines }: Pick<CommandWords, 'notes' | 'examples'>): string {
  return notes === undefined ? examples(...lines) : `\n${notes}\n${examples(...lines)}`
}
