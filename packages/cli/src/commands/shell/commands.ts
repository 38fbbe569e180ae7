import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { type CommandDescription, describeCommands } from '../../describe-commands.ts'
import { printJson } from '../../output/print-json.ts'
import { printRows } from '../../output/print-list.ts'
import { examples, runAction } from '../run-action.ts'

export function defineCommands(command: Command): void {
  command
    .description('List every command; with --json also its arguments, options and examples, as a tree.')
    .addHelpText('after', examples('crm commands', 'crm commands --json'))
    .action((_, self) => runAction(self, (context) => listCommands(context, self)))
}

async function listCommands({ output }: Context, self: CommandUnknownOpts): Promise<void> {
  const tree = await describeCommands(self.parent ?? self)
  if (output.json) {
    printJson(output, tree)
    return
  }
  const rows = leavesOf(tree)
  const width = output.isTerminal ? Math.max(...rows.map(({ path }) => path.length)) : 0
  printRows(output, {
    rows,
    columns: [
      { title: 'Command', value: ({ path }) => path.padEnd(width) },
      { title: 'Summary', value: ({ summary }) => summary },
    ],
    quiet: ({ path }) => path,
  })
}

function leavesOf(command: CommandDescription): CommandDescription[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}
