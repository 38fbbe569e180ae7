import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { CreateCustomer } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { addToList } from '../option-values.ts'
import { examples, runAction } from '../run-action.ts'
import { customerColumns } from './customer-columns.ts'

const tiers = ['bronze', 'silver', 'gold', 'platinum'] as const

export function defineCreateCustomer(customers: CommandUnknownOpts): void {
  customers
    .command('create')
    .summary('Create a customer')
    .description('Create a customer. At least one of first name, last name, e-mail and phone is needed.')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--email <email>', 'e-mail')
    .option('--phone <number>', 'phone number')
    .option('--company <name>', 'company')
    .option('--job-title <title>', 'job title')
    .addOption(new Option('--tier <tier>', 'default: bronze').choices(tiers))
    .option('--tags <list>', 'comma separated', addToList)
    .option('--custom-field <name=value>', 'may be given several times', addCustomField)
    .addHelpText(
      'after',
      examples(
        'crm customers create --first-name Ada --email ada@example.com --tier gold --tags vip,beta',
        'id=$(crm customers create --email ada@example.com --quiet)',
      ),
    )
    .action(({ customField, ...fields }, self) =>
      runAction(self, (context) => createCustomer(context, { ...fields, customFields: customField })),
    )
}

async function createCustomer(context: Context, fields: CreateCustomer): Promise<void> {
  if (!hasName(fields) && !context.prompter.isInteractive) {
    throw usageError('Missing: one of --first-name, --last-name, --email and --phone.')
  }
  const client = await openClient(context)
  const body = hasName(fields) ? fields : { ...fields, ...(await askName(context)) }
  const customer = await client.call((crm) => crm.customers.create(body))
  context.output.say('Created the customer.')
  printRecord(context.output, { row: customer, columns: customerColumns, quiet: customer._id })
}

function hasName({ firstName, lastName, email, phone }: CreateCustomer): boolean {
  return [firstName, lastName, email, phone].some((value) => value !== undefined)
}

async function askName({ prompter }: Context): Promise<CreateCustomer> {
  const ask = async (message: string) => (await prompter.text(message, { isOptional: true })) || undefined
  return { firstName: await ask('First name'), lastName: await ask('Last name'), email: await ask('E-mail') }
}

function addCustomField(text: string, previous: Record<string, string> | undefined): Record<string, string> {
  const end = text.indexOf('=')
  if (end < 1) throw new InvalidArgumentError('It is not name=value.')
  // fromEntries and spread define `__proto__` as a key like any other; the server refuses it by name.
  return Object.fromEntries([...Object.entries(previous ?? {}), [text.slice(0, end), text.slice(end + 1)]])
}
