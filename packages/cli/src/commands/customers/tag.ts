import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand, type CommandWords } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'
import { customerColumns } from './customer-columns.ts'

type Operation = 'addTags' | 'removeTags'

interface TagCommand extends CommandWords {
  readonly name: string
  readonly operation: Operation
}

export function defineTagCustomer(customers: CommandUnknownOpts): void {
  addTagCommand(customers, {
    name: 'tag',
    operation: 'addTags',
    description: 'Add tags to a customer.',
    examples: ['crm customers tag cus_01J8ZQ4W7N vip'],
  })
}

export function defineUntagCustomer(customers: CommandUnknownOpts): void {
  addTagCommand(customers, {
    name: 'untag',
    operation: 'removeTags',
    description: 'Remove tags from a customer.',
    examples: ['crm customers untag cus_01J8ZQ4W7N new'],
  })
}

function addTagCommand(customers: CommandUnknownOpts, spec: TagCommand): void {
  const { operation } = spec
  addCommand(customers, spec)
    .argument('<id>', 'the id of the customer')
    .argument('<tags...>', 'one or more tags')
    .action((id, tags, _, self) => runAction(self, (context) => changeTags(context, { id, tags, operation })))
}

interface TagRequest {
  readonly id: string
  readonly tags: readonly string[]
  readonly operation: Operation
}

async function changeTags(context: Context, { id, tags, operation }: TagRequest): Promise<void> {
  const client = await openClient(context)
  const row = await client.call((crm) => crm.customers[operation](id, { tags }))
  context.output.say('Changed the tags.')
  printRecord(context.output, { row, columns: customerColumns, quiet: row._id })
}
