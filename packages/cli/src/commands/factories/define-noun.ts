import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { type CommandWords, helpEnd, type Noun, type NounCommand } from './add-command.ts'

interface NounSpec extends Noun, Pick<CommandWords, 'notes' | 'examples'> {
  /** In the order of the help. */
  readonly commands: readonly NounCommand[]
}

/** Adds the commands of a noun to `crm NOUN`. */
export function defineNoun({
  name,
  prefix,
  commands,
  ...end
}: NounSpec): (parent: CommandUnknownOpts) => void {
  return (parent) => {
    parent.addHelpText('after', helpEnd(end))
    for (const add of commands) add(parent, { name, ...(prefix === undefined ? {} : { prefix }) })
  }
}
