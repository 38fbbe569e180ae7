import { type Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { describeCommands } from '../../describe-commands.ts'
import { examples, runAction } from '../run-action.ts'
import { bashCompletion } from './completion-bash.ts'
import { fishCompletion } from './completion-fish.ts'
import { type CompletionNode, completionNodes } from './completion-words.ts'
import { zshCompletion } from './completion-zsh.ts'

const writers: Readonly<Record<string, (nodes: readonly CompletionNode[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}
const shells = Object.keys(writers)

export function defineCompletion(command: Command): void {
  command
    .description('Print the completion script of a shell.')
    .argument('<shell>', shells.join(', '), parseShell)
    .addHelpText(
      'after',
      `
Install it:
  bash: crm completion bash > ~/.local/share/bash-completion/completions/crm
  zsh:  crm completion zsh > "\${fpath[1]}/_crm"
  fish: crm completion fish > ~/.config/fish/completions/crm.fish
${examples('crm completion bash', 'eval "$(crm completion bash)"')}`,
    )
    .action((shell, _, self) => runAction(self, (context) => printCompletion(context, shell, self)))
}

async function printCompletion({ output }: Context, shell: string, self: CommandUnknownOpts): Promise<void> {
  const nodes = completionNodes(await describeCommands(self.parent ?? self))
  output.print(writers[shell]?.(nodes) ?? '')
}

function parseShell(text: string): string {
  if (shells.includes(text)) return text
  throw new InvalidArgumentError(`Allowed values: ${shells.join(', ')}.`)
}
