import type { CommandUnknownOpts } from '@commander-js/extra-typings'

const loaders = new WeakMap<CommandUnknownOpts, () => Promise<void>>()

/** Registers the function that adds options and subcommands to a command; it runs at most once. */
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

/** Loads every command: completion, the reference and `crm commands` describe the whole tree. */
export async function loadAllCommands(program: CommandUnknownOpts): Promise<void> {
  await Promise.all(program.commands.map(loadCommand))
}
