import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { type Context, createContext } from '../context.ts'

/** Runs a command's work with what the options for all commands say. */
export function runAction(
  command: CommandUnknownOpts,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  return work(createContext(command.optsWithGlobals()))
}

/** The end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}
