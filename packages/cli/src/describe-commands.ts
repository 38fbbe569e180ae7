import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { loadAllCommands } from './command-loader.ts'
import { listedValues } from './commands/option-values.ts'

interface ArgumentDescription {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  readonly isVariadic: boolean
}

export interface OptionDescription {
  /** The flags as in the help: `-y, --yes`, `--limit <n>`. */
  readonly flags: string
  readonly long: string
  readonly short: string | null
  readonly description: string
  /** `none` for a switch. */
  readonly value: 'none' | 'optional' | 'required'
  readonly choices: readonly string[] | null
  /** The values of a comma list; null for any text. */
  readonly listOf: readonly string[] | null
  readonly default: string | null
}

export interface CommandDescription {
  /** `crm keys create`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly arguments: readonly ArgumentDescription[]
  readonly options: readonly OptionDescription[]
  /** Shell command lines. */
  readonly examples: readonly string[]
  readonly commands: readonly CommandDescription[]
}

/** The whole command tree as data: for agents, completion and the reference. */
export async function describeCommands(program: CommandUnknownOpts): Promise<CommandDescription> {
  await loadAllCommands(program)
  return describe(program, [])
}

function describe(command: CommandUnknownOpts, parents: readonly string[]): CommandDescription {
  const names = [...parents, command.name()]
  return {
    path: names.join(' '),
    summary: (command.summary() || command.description()).replace(/\.$/, ''),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      description: argument.description,
      isRequired: argument.required,
      isVariadic: argument.variadic,
    })),
    options: command.options.filter(({ hidden }) => !hidden).map(describeOption),
    examples: examplesOf(command),
    commands: command.commands.map((child) => describe(child, names)),
  }
}

function describeOption(option: CommandUnknownOpts['options'][number]): OptionDescription {
  const { flags, long, short, description, required, optional, argChoices, defaultValue, negate } = option
  return {
    flags,
    long: long ?? '',
    short: short ?? null,
    description,
    value: required ? 'required' : optional ? 'optional' : 'none',
    choices: argChoices ?? null,
    listOf: listedValues(option),
    default: defaultValue === undefined || negate ? null : String(defaultValue),
  }
}

/** Reads the examples from the help text, so that they are written in one place. */
function examplesOf(command: CommandUnknownOpts): string[] {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) })
  command.outputHelp()
  const [, examples = ''] = help.split('\nExamples:\n')
  return [...examples.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line)
}
