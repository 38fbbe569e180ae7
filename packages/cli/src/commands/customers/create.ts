import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CreateCustomer } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { examples, runAction } from '../run-action.ts'
import { customerColumns } from './customer-columns.ts'
import { addCustomerFieldOptions, type CustomerFields } from './customer-fields.ts'

export function defineCreateCustomer(customers: CommandUnknownOpts): void {
  const create = customers
    .command('create')
    .summary('Create a customer')
    .description('Create a customer. At least one of first name, last name, e-mail and phone is needed.')
  addCustomerFieldOptions(create)
  create
    .addHelpText(
      'after',
      examples(
        'crm customers create --first-name Ada --email ada@example.com --tier gold --tags vip,beta',
        'id=$(crm customers create --email ada@example.com --custom-field seats:=5 --quiet)',
      ),
    )
    .action(({ customField, ...fields }: CustomerFields, self) =>
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
