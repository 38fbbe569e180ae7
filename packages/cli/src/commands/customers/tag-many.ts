import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CreatedCustomer } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/column.ts'
import { counted } from '../../output/plural.ts'
import { printAll } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand } from '../factories/add-command.ts'
import { addToList } from '../option-values.ts'
import { runAction } from '../run-action.ts'

const columns: readonly Column<CreatedCustomer>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Result', value: (row) => row.result },
  { title: 'Code', value: (row) => row.code },
]

interface TagOptions {
  readonly addTags?: string[] | undefined
  readonly removeTags?: string[] | undefined
}

/** `crm customers tag-many ID…`: changes the tags of up to 100 customers. */
export function defineTagMany(customers: CommandUnknownOpts): void {
  addCommand(customers, {
    name: 'tag-many',
    summary: 'Change the tags of many customers',
    description:
      'Change the tags of up to 100 customers at once, with a result for each. Tags are removed before others are added.',
    examples: ['crm customers tag-many cus_01J8ZQ4W7N cus_01J8ZQ6B2K --add-tags vip --remove-tags new'],
  })
    .argument('<ids...>', 'ids of customers')
    .option('--add-tags <list>', 'comma separated', addToList)
    .option('--remove-tags <list>', 'comma separated', addToList)
    .action((ids, options, self) => runAction(self, (context) => tagMany(context, ids, options)))
}

async function tagMany(context: Context, ids: string[], { addTags, removeTags }: TagOptions): Promise<void> {
  if (addTags === undefined && removeTags === undefined)
    throw usageError('Missing: one of --add-tags and --remove-tags.')
  const client = await openClient(context)
  const rows = await client.call((crm) => crm.customers.createMany({ ids, addTags, removeTags }))
  const { output } = context
  const changed = rows.filter(({ result }) => result === 'changed').length
  output.say(`Changed ${counted(changed, 'customer')}.`)
  await printAll(output, { rows, columns, quiet: ({ _id }) => _id ?? '' })
}
