import { Option } from '@commander-js/extra-typings'
import type { CreateCustomer } from '@crmkit/sdk'
import { usageError } from '../cli-error.ts'
import { customers } from '../operations/customers.gen.ts'
import { cleanLine } from '../output/clean-text.ts'
import { nameOfCustomer } from './conversations/read-names.ts'
import { changedCustomer } from './customers/changed-customer.ts'
import { addCustomField } from './customers/custom-field.ts'
import { customerColumns } from './customers/customer-columns.ts'
import { defineExportCustomer } from './customers/export.ts'
import { listMerges } from './customers/merges.ts'
import { addNote, defineDeleteNote, defineShowNote, defineUpdateNote, listNotes } from './customers/notes.ts'
import { defineCreateManyCustomers, definePutManyCustomers } from './customers/rows-of-file.ts'
import { defineTagMany } from './customers/tag-many.ts'
import { unmergeCustomers } from './customers/unmerge.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { addToList } from './option-values.ts'

function hasName({ firstName, lastName, email, phone }: CreateCustomer): boolean {
  return [firstName, lastName, email, phone].some((value) => value !== undefined)
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

export const defineCustomers = defineNoun({
  name: 'customer',
  prefix: 'cus',
  columns: customerColumns,
  examples: ['crm customers list --search ada'],
  commands: [
    createCommand({
      operation: customers.create,
      summary: 'Create a customer',
      description: 'Create a customer. At least one of first name, last name, e-mail and phone is needed.',
      examples: [
        'crm customers create --first-name Ada --email ada@example.com --tier gold --tags vip,beta',
        'id=$(crm customers create --email ada@example.com --custom-field seats:=5 --quiet)',
      ],
      options: addCustomField,
      inputOf: ({ customField, ...fields }, { isInteractive }): CreateCustomer => {
        if (!hasName(fields) && !isInteractive) {
          throw usageError('Missing: one of --first-name, --last-name, --email and --phone.')
        }
        return { ...fields, customFields: customField }
      },
      complete: async (fields, prompter) => {
        if (hasName(fields)) return fields
        const ask = async (message: string) =>
          (await prompter.text(message, { isOptional: true })) || undefined
        const firstName = await ask('First name')
        const lastName = await ask('Last name')
        const email = await ask('E-mail')
        return { ...fields, firstName, lastName, email }
      },
    }),
    defineCreateManyCustomers,
    actionCommand({
      operation: customers.update,
      name: 'put',
      summary: 'Create or change the customer with an id of another system',
      description:
        'Create the customer with this id in another system, or change it when it exists. Fields that you do not name stay as they are.',
      examples: ['crm customers put shop:4711 --first-name Ada --email ada@example.com'],
      id: 'name of the other system and id in it, such as shop:4711',
      options: addCustomField,
      inputOf: ({ customField, ...fields }, text) => {
        const [, source, id] = /^([^:]+):(.+)$/s.exec(text) ?? []
        if (source === undefined || id === undefined)
          throw usageError('Expected source:id, such as shop:4711.')
        return { external: { source, id }, body: { ...fields, customFields: customField } }
      },
      send: ({ crm, input: { external, body } }) =>
        crm.customers.putByExternalId(external.source, external.id, body),
      done: 'Stored the customer.',
    }),
    definePutManyCustomers,
    listCommand({
      operation: customers.list,
      examples: [
        'crm customers list --search "ada lovelace"',
        'crm customers list --email ada@example.com',
        'crm customers list --tier gold --all --json > gold.json',
        'crm customers list --ids cus_01J8ZQ4W7N,cus_01J8ZQ6B2K',
      ],
      fields: { externalId: { value: 'source:id' } },
    }),
    getCommand({
      operation: customers.get,
      examples: ['crm customers get cus_01J8ZQ4W7N', 'crm customers get cus_01J8ZQ4W7N --json customFields'],
    }),
    updateCommand({
      operation: customers.update,
      summary: 'Change a customer',
      description:
        'Change a customer. Fields that you do not name stay as they are, and so do other tags and custom fields.',
      notes:
        'To keep tags and custom fields, the command reads them first: of two updates at the same time one may be lost. "crm customers tag" and "untag" lose none.',
      examples: [
        'crm customers update cus_01J8ZQ4W7N --tier gold --add-tags vip',
        'crm customers update cus_01J8ZQ4W7N --custom-field plan=pro --clear phone,company',
      ],
      options: (command) =>
        addCustomField(command)
          .addOption(
            new Option('--add-tags <list>', 'comma separated').argParser(addToList).conflicts('tags'),
          )
          .addOption(
            new Option('--remove-tags <list>', 'comma separated').argParser(addToList).conflicts('tags'),
          )
          .option('--remove-custom-fields <list>', 'comma separated', addToList),
      clear: clearable,
      send: async ({ crm, id, input }) => {
        const { addTags, removeTags, customField, removeCustomFields } = input
        const needsCurrent = addTags ?? removeTags ?? customField ?? removeCustomFields
        const current = needsCurrent && (await crm.customers.get(id))
        return crm.customers.update(id, changedCustomer(input, current))
      },
    }),
    actionCommand({
      operation: customers.addTags,
      name: 'tag',
      examples: ['crm customers tag cus_01J8ZQ4W7N vip'],
      fields: { tags: { argument: 'one or more tags' } },
      done: 'Changed the tags.',
    }),
    actionCommand({
      operation: customers.removeTags,
      name: 'untag',
      examples: ['crm customers untag cus_01J8ZQ4W7N new'],
      fields: { tags: { argument: 'one or more tags' } },
      done: 'Changed the tags.',
    }),
    defineTagMany,
    actionCommand({
      operation: customers.merge,
      summary: 'Merge another customer into this one',
      description:
        'Merge another customer into this one: empty fields are filled, tags and custom fields are joined, and conversations move. The other customer is deleted. `crm customers unmerge` takes it back for 30 days.',
      examples: ['crm customers merge cus_01J8ZQ4W7N --source cus_01J8ZQ4W8P --yes'],
      id: 'the id of the customer that stays',
      fields: { sourceId: { flag: 'source', text: 'the id of the customer that is merged and deleted' } },
      confirm: {
        question: (id, { sourceId }) => {
          const source = cleanLine(sourceId)
          return `Merge ${source} into ${id}? ${source} is deleted; the merge can be taken back for 30 days.`
        },
        refusal: 'Nothing was changed.',
      },
      done: 'Merged the customers.',
    }),
    listNotes,
    addNote,
    defineShowNote,
    defineUpdateNote,
    defineDeleteNote,
    listMerges,
    unmergeCustomers,
    actionCommand({
      operation: customers.block,
      summary: 'Ignore mail and chat messages of a customer',
      description:
        'Block a customer: mail from their address is stored and ignored, and their chat refuses new messages. Your team can still write to them.',
      done: 'Blocked the customer.',
    }),
    actionCommand({
      operation: customers.unblock,
      summary: 'Accept mail and chat messages of a customer again',
      description: 'Unblock a customer. "crm mails retry" processes a mail that was ignored meanwhile.',
      done: 'Unblocked the customer.',
    }),
    defineExportCustomer,
    deleteCommand({
      operation: customers.delete,
      summary: 'Erase a customer and everything that belongs to it',
      description: 'Erase a customer with its conversations, messages and calls. This cannot be undone.',
      question: (shown) => `Erase ${shown} with its conversations, messages and calls?`,
      read: customers.get,
      nameOf: nameOfCustomer,
    }),
  ],
})
