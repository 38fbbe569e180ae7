import {
  type CommandDescription,
  describeCommands,
  type OptionDescription,
} from '../../packages/cli/src/describe-commands.ts'
import { createProgram } from '../../packages/cli/src/program.ts'

/** Renders docs/reference/cli.md: every command with the texts of its help. */
export async function renderCliReference(): Promise<string> {
  const tree = await describeCommands(createProgram('0.0.0'))
  const groups = tree.commands.map(renderCommand)
  return [
    '# Reference of the `crm` command',
    'Generated from the command tree by `npm run generate`; do not edit. To learn it, read [cli.md](../cli.md).',
    '## Contents',
    contentsOf(tree),
    '## Options of every command',
    renderOptions(tree.options),
    ...groups,
  ]
    .join('\n\n')
    .concat('\n')
}

function contentsOf(tree: CommandDescription): string {
  return tree.commands
    .map((command) => `- [${command.path}](#${anchor(command.path)}): ${command.summary}`)
    .join('\n')
}

function anchor(path: string): string {
  return path.replaceAll(' ', '-')
}

function renderCommand(command: CommandDescription): string {
  const isGroup = command.commands.length > 0
  const level = command.path.split(' ').length > 2 ? '###' : '##'
  const words = [command.path, ...command.arguments.map(argumentWord), ...(isGroup ? ['<command>'] : [])]
  const parts = [
    `${level} ${command.path}`,
    escapeText(command.description),
    ...(isGroup ? [] : [`\`${words.join(' ')}${command.options.length > 0 ? ' [options]' : ''}\``]),
    renderArguments(command),
    renderOptions(command.options),
    ...(isGroup ? [] : [`\`\`\`sh\n${command.examples.join('\n')}\n\`\`\``]),
    ...command.commands.map(renderCommand),
  ]
  return parts.filter(Boolean).join('\n\n')
}

function argumentWord({ name, isRequired, isVariadic }: CommandDescription['arguments'][number]): string {
  const word = isVariadic ? `${name}...` : name
  return isRequired ? `<${word}>` : `[${word}]`
}

function renderArguments(command: CommandDescription): string {
  if (command.arguments.length === 0) return ''
  const rows = command.arguments.map((one) => `| \`${argumentWord(one)}\` | ${escapeCell(one.description)} |`)
  return ['| argument | |', '|---|---|', ...rows].join('\n')
}

function renderOptions(options: readonly OptionDescription[]): string {
  if (options.length === 0) return ''
  const rows = options.map((option) => `| \`${option.flags}\` | ${escapeCell(wordsOf(option))} |`)
  return ['| option | |', '|---|---|', ...rows].join('\n')
}

function wordsOf({ description, choices, default: preset }: OptionDescription): string {
  const notes = [...(choices ? [choices.join(', ')] : []), ...(preset === null ? [] : [`default: ${preset}`])]
  return notes.length > 0 ? `${description} (${notes.join('; ')})` : description
}

function escapeCell(text: string): string {
  return escapeText(text).replaceAll('|', '\\|')
}

/** Words in angle brackets would be taken for HTML. */
function escapeText(text: string): string {
  return text.replaceAll('\n', ' ').replace(/<(?=\w)/g, '\\<')
}
