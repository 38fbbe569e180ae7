import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { type Context, createContext } from '../context.ts'

/** Runs the work of a command with the context that the global options make. */
export function runAction(
  command: CommandUnknownOpts,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  return work(createContext(command.optsWithGlobals()))
}

/** The examples at the end of a help text. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}
