import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { type CommandWords, helpEnd, type Noun, type NounCommand } from './add-command.ts'

interface NounSpec<Row>
  extends Omit<Noun<Row>, 'columns'>,
    Partial<Pick<Noun<Row>, 'columns'>>,
    Pick<CommandWords, 'notes' | 'examples'> {
  /** In the order of the help. */
  readonly commands: readonly NounCommand<NoInfer<Row>>[]
}

/** Adds the commands of a noun to `crm NOUN`. */
export function defineNoun<Row = never>({
  commands,
  columns = [],
  ...noun
}: NounSpec<Row>): (parent: CommandUnknownOpts) => void {
  return (parent) => {
    parent.addHelpText('after', helpEnd(noun))
    for (const add of commands) add(parent, { ...noun, columns })
  }
}
