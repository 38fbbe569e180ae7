import type { CommandDescription, OptionDescription } from '../../describe-commands.ts'

/** The words that can follow one command. */
export interface CompletionNode {
  /** The words of the command without `crm`, joined by blanks. */
  readonly path: string
  readonly description: string
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly OptionDescription[]
  /** The values of the arguments, where a shell can list them. */
  readonly values: 'files' | 'profiles' | null
}

/** Flattens the tree; each node also has the options of `crm` itself. */
export function completionNodes(tree: CommandDescription): CompletionNode[] {
  const everywhere = tree.options.filter(({ long }) => long !== '--version')
  const help: OptionDescription = {
    flags: '-h, --help',
    long: '--help',
    short: '-h',
    description: 'show help',
    value: 'none',
    choices: null,
    listOf: null,
    default: null,
  }
  return nodesOf(tree).map((command) => ({
    path: command.path.split(' ').slice(1).join(' '),
    description: command.summary,
    commands: command.commands.map((child) => ({
      name: child.path.split(' ').at(-1) ?? '',
      description: child.summary,
    })),
    values: valuesOf(command),
    options: [...(command === tree ? tree.options : [...command.options, ...everywhere]), help],
  }))
}

function nodesOf(command: CommandDescription): CommandDescription[] {
  return [command, ...command.commands.flatMap(nodesOf)]
}

function valuesOf({ arguments: list }: CommandDescription): CompletionNode['values'] {
  const names = list.map(({ name }) => name)
  if (names.includes('profile')) return 'profiles'
  return names.some((name) => name === 'file' || name === 'files') ? 'files' : null
}

export function isFileOption({ long, flags }: OptionDescription): boolean {
  return /<file(\.\.\.)?>/.test(flags) || long.endsWith('-file')
}

export function isProfileOption({ long }: OptionDescription): boolean {
  return long === '--profile'
}

/** Prints the names of the profiles on this machine, one a line. */
export const profileNamesCommand = 'crm profiles list --quiet 2>/dev/null'
