import { Option } from '@commander-js/extra-typings'
import type { CreateCustomer, Customer } from '@crmkit/sdk'
import { usageError } from '../cli-error.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { Column } from '../output/column.ts'
import { clearOption } from './clear-option.ts'
import { changedCustomer } from './customers/changed-customer.ts'
import { addCustomerFields, customerStatuses, customerTiers } from './customers/customer-fields.ts'
import { defineExportCustomer } from './customers/export.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { addToList, isoMoment } from './option-values.ts'

const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'lastName'] as const

const columns: readonly Column<Customer>[] = [
  { title: 'Id', value: (customer) => customer._id },
  {
    title: 'Name',
    value: ({ profile }) => [profile.firstName, profile.lastName].filter(Boolean).join(' '),
    isFlexible: true,
  },
  { title: 'E-mail', value: ({ profile }) => profile.email, isFlexible: true },
  { title: 'Phone', value: ({ profile }) => profile.phone, isDetail: true },
  { title: 'Company', value: ({ profile }) => profile.company, isFlexible: true, isOptional: true },
  { title: 'Job title', value: (customer) => customer.jobTitle, isDetail: true },
  { title: 'Tier', value: (customer) => customer.tier, isOptional: true },
  { title: 'Status', value: (customer) => customer.status, isOptional: true },
  { title: 'Tags', value: (customer) => customer.tags, isDetail: true },
  {
    title: 'Custom fields',
    value: ({ customFields }) =>
      Object.entries(customFields).map(
        ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
    isDetail: true,
  },
  { title: 'Created', value: (customer) => customer.createdAt, isTime: true },
]

const createCustomer = createCommand({
  summary: 'Create a customer',
  description: 'Create a customer. At least one of first name, last name, e-mail and phone is needed.',
  examples: [
    'crm customers create --first-name Ada --email ada@example.com --tier gold --tags vip,beta',
    'id=$(crm customers create --email ada@example.com --custom-field seats:=5 --quiet)',
  ],
  columns,
  options: addCustomerFields,
  inputOf: ({ customField, ...fields }, { isInteractive }): CreateCustomer => {
    if (!hasName(fields) && !isInteractive) {
      throw usageError('Missing: one of --first-name, --last-name, --email and --phone.')
    }
    return { ...fields, customFields: customField }
  },
  complete: async (fields, prompter) => {
    if (hasName(fields)) return fields
    const ask = async (message: string) => (await prompter.text(message, { isOptional: true })) || undefined
    const firstName = await ask('First name')
    const lastName = await ask('Last name')
    const email = await ask('E-mail')
    return { ...fields, firstName, lastName, email }
  },
  send: ({ crm, input }) => crm.customers.create(input),
  done: 'Created the customer.',
})

function hasName({ firstName, lastName, email, phone }: CreateCustomer): boolean {
  return [firstName, lastName, email, phone].some((value) => value !== undefined)
}

const listCustomers = listCommand({
  description: 'List customers, newest first.',
  examples: [
    'crm customers list --search "ada lovelace"',
    'crm customers list --tier gold --all --json > gold.json',
  ],
  columns,
  options: (command) =>
    command
      .option('--search <terms>', 'every term occurs in name, e-mail, phone or company')
      .addOption(new Option('--tier <tier>', 'customers of this tier').choices(customerTiers))
      .addOption(new Option('--status <status>', 'customers of this status').choices(customerStatuses))
      .option('--tags <list>', 'customers with all of these tags, comma separated', addToList)
      .option('--updated-since <time>', 'changed since, such as 2026-11-01', isoMoment)
      .addOption(new Option('--sort <order>', 'order; a leading - reverses it').choices(sorts)),
  fetchPage: ({ crm, filter }, query) => crm.customers.list({ ...filter, ...query }),
})

const getCustomer = getCommand({
  description: 'Show a customer.',
  examples: ['crm customers get cus_01J8ZQ4W7N', 'crm customers get cus_01J8ZQ4W7N --json customFields'],
  columns,
  fetch: ({ crm, id }) => crm.customers.get(id),
})

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

const updateCustomer = updateCommand({
  summary: 'Change a customer',
  description:
    'Change a customer. Fields that you do not name stay as they are, and so do other tags and custom fields.',
  notes:
    'To keep tags and custom fields, the command reads them first: of two updates at the same time one may be lost.',
  examples: [
    'crm customers update cus_01J8ZQ4W7N --tier gold --add-tags vip',
    'crm customers update cus_01J8ZQ4W7N --custom-field plan=pro --clear phone,company',
  ],
  columns,
  options: (command) =>
    addCustomerFields(command)
      .addOption(new Option('--status <status>', 'status').choices(customerStatuses))
      .addOption(new Option('--add-tags <list>', 'comma separated').argParser(addToList).conflicts('tags'))
      .addOption(new Option('--remove-tags <list>', 'comma separated').argParser(addToList).conflicts('tags'))
      .option('--remove-custom-fields <list>', 'comma separated', addToList)
      .addOption(clearOption(clearable)),
  send: async ({ crm, id, input }) => {
    const { addTags, removeTags, customField, removeCustomFields } = input
    const needsCurrent = addTags ?? removeTags ?? customField ?? removeCustomFields
    const current = needsCurrent && (await crm.customers.get(id))
    return crm.customers.update(id, changedCustomer(input, current))
  },
  done: 'Changed the customer.',
})

const mergeCustomers = actionCommand({
  name: 'merge',
  summary: 'Merge another customer into this one',
  description:
    'Merge another customer into this one: empty fields are filled, tags and custom fields are joined, and conversations move. The other customer is deleted. This cannot be undone.',
  examples: ['crm customers merge cus_01J8ZQ4W7N --source cus_01J8ZQ4W8P --yes'],
  id: 'the id of the customer that stays',
  columns,
  options: (command) =>
    command.requiredOption('--source <id>', 'the id of the customer that is merged and deleted'),
  confirm: {
    question: (id, { source }) => {
      const sourceId = cleanLine(source)
      return `Merge ${sourceId} into ${id}? ${sourceId} is deleted, and this cannot be undone.`
    },
    refusal: 'Nothing was changed.',
  },
  send: ({ crm, id, input }) => crm.customers.merge(id, { sourceId: input.source }),
  done: 'Merged the customers.',
})

const deleteCustomer = deleteCommand({
  summary: 'Erase a customer and everything that belongs to it',
  description: 'Erase a customer with its conversations, messages and calls. This cannot be undone.',
  examples: ['crm customers delete cus_01J8ZQ4W7N --yes'],
  question: (id) => `Erase ${id} with its conversations, messages and calls?`,
  send: ({ crm, id }) => crm.customers.delete(id),
})

export const defineCustomers = defineNoun({
  name: 'customer',
  examples: ['crm customers list --search ada'],
  commands: [
    createCustomer,
    listCustomers,
    getCustomer,
    updateCustomer,
    mergeCustomers,
    defineExportCustomer,
    deleteCustomer,
  ],
})
