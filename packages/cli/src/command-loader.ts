import type { CommandUnknownOpts } from '@commander-js/extra-typings'

const loaders = new WeakMap<CommandUnknownOpts, () => Promise<void>>()

/** Says how a command gets its options and subcommands; it happens at most once. */
export function onLoad(command: CommandUnknownOpts, complete: () => Promise<void>): void {
  let loading: Promise<void> | undefined
  loaders.set(command, () => {
    loading ??= complete()
    return loading
  })
}

export async function loadCommand(command: CommandUnknownOpts): Promise<void> {
  await loaders.get(command)?.()
}

/** For whoever describes the whole tree: help of all, completion, the reference. */
export async function loadAllCommands(program: CommandUnknownOpts): Promise<void> {
  await Promise.all(program.commands.map(loadCommand))
}
