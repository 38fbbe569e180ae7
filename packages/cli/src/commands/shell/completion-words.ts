import type { CommandDescription, OptionDescription } from '../../describe-commands.ts'

/** The words that can follow one command. */
export interface CompletionNode {
  /** The words of the command without `crm`, joined by blanks. */
  readonly path: string
  readonly description: string
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly OptionDescription[]
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
    default: null,
  }
  return nodesOf(tree).map((command) => ({
    path: command.path.split(' ').slice(1).join(' '),
    description: command.summary,
    commands: command.commands.map((child) => ({
      name: child.path.split(' ').at(-1) ?? '',
      description: child.summary,
    })),
    options: [...(command === tree ? tree.options : [...command.options, ...everywhere]), help],
  }))
}

function nodesOf(command: CommandDescription): CommandDescription[] {
  return [command, ...command.commands.flatMap(nodesOf)]
}

export function isFileOption({ long, flags }: OptionDescription): boolean {
  return flags.includes('<file>') || long.endsWith('-file')
}
