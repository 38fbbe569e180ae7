import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Customer, UpdateCustomer } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { assertChange } from '../assert-change.ts'
import { clearedFields, clearOption } from '../clear-option.ts'
import { addToList } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { customerColumns } from './customer-columns.ts'
import { addCustomerFieldOptions, type CustomerFields, customerStatuses } from './customer-fields.ts'

interface UpdateOptions extends CustomerFields {
  readonly status?: (typeof customerStatuses)[number] | undefined
  readonly addTags?: readonly string[] | undefined
  readonly removeTags?: readonly string[] | undefined
  readonly removeCustomFields?: readonly string[] | undefined
  readonly clear?: readonly string[] | undefined
}

const clearable = [
  'first-name',
  'last-name',
  'email',
  'phone',
  'company',
  'job-title',
  'tags',
  'custom-fields',
]

export function defineUpdateCustomer(customers: CommandUnknownOpts): void {
  const update = customers
    .command('update')
    .argument('<id>', 'the id of the customer')
    .summary('Change a customer')
    .description('Change a customer. What is not named stays; so do other tags and custom fields.')
  addCustomerFieldOptions(update)
  update
    .addOption(new Option('--status <status>', 'status').choices(customerStatuses))
    .addOption(new Option('--add-tags <list>', 'comma separated').argParser(addToList).conflicts('tags'))
    .addOption(new Option('--remove-tags <list>', 'comma separated').argParser(addToList).conflicts('tags'))
    .option('--remove-custom-fields <list>', 'comma separated', addToList)
    .addOption(clearOption(clearable))
    .addHelpText(
      'after',
      `\nTags and custom fields that stay are read first: two updates of one customer at once may lose one.\n${examples(
        'crm customers update cus_01J8ZQ4W7N --tier gold --add-tags vip',
        'crm customers update cus_01J8ZQ4W7N --custom-field plan=pro --clear phone,company',
      )}`,
    )
    .action((id: string, options: UpdateOptions, self) =>
      runAction(self, (context) => updateCustomer(context, id, options)),
    )
}

async function updateCustomer(context: Context, id: string, options: UpdateOptions): Promise<void> {
  assertChange({ ...options })
  const client = await openClient(context)
  const needsCurrent = [
    options.addTags,
    options.removeTags,
    options.customField,
    options.removeCustomFields,
  ].some((value) => value !== undefined)
  const current = needsCurrent ? await client.call((crm) => crm.customers.get(id)) : undefined
  const body = bodyOf(options, current)
  const customer = await client.call((crm) => crm.customers.update(id, body))
  context.output.say('Changed the customer.')
  printRecord(context.output, { row: customer, columns: customerColumns, quiet: customer._id })
}

function bodyOf(options: UpdateOptions, current: Customer | undefined): UpdateCustomer {
  const { addTags, removeTags, customField, removeCustomFields, clear, ...fields } = options
  if (!current) return { ...fields, ...clearedFields(clear) }
  const hasTags = addTags !== undefined || removeTags !== undefined
  const tags = hasTags ? changedTags(current.tags, { addTags, removeTags }) : fields.tags
  const removed = removeCustomFields ?? []
  const kept = Object.entries(current.customFields).filter(([name]) => !removed.includes(name))
  const customFields =
    customField === undefined && removeCustomFields === undefined
      ? undefined
      : Object.fromEntries([...kept, ...Object.entries(customField ?? {})])
  return { ...fields, tags, customFields, ...clearedFields(clear) }
}

/** Tags are the same in any case, as on the server. */
function changedTags(
  tags: readonly string[],
  { addTags = [], removeTags = [] }: Pick<UpdateOptions, 'addTags' | 'removeTags'>,
): string[] {
  const removed = new Set(removeTags.map((tag) => tag.toLowerCase()))
  return [...tags, ...addTags].filter((tag) => !removed.has(tag.toLowerCase()))
}
