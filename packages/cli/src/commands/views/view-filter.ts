import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { ConversationsListQuery, NewViewFilter } from '@crmkit/sdk'
import { conversations } from '../../operations/conversations.gen.ts'
import { addFieldOptions, camel, fieldOptions } from '../factories/field-options.ts'

/** A view has an order and a name of its own. */
const filterFields = conversations.list.fields.filter(({ name }) => name !== 'sort')
const filterOptions = fieldOptions(filterFields, {
  assignedTo: { text: 'an id, none for the unassigned, or me for whoever looks', value: 'user' },
  inboxId: { flag: 'inbox' },
  customerId: { flag: 'customer' },
})

/** The options of "crm conversations list" that choose conversations: the filter is the only object of a view. */
export function addFilter(command: Command): Command<[], OptionValues> {
  addFieldOptions(command, filterOptions, {})
  return command
}

type Given = Readonly<Record<string, unknown>>

/** Takes the filter out of the options that were given; undefined when none of them belongs to it. */
export function splitFilter(given: Given): { filter: NewViewFilter | undefined; rest: Given } {
  const rest: Record<string, unknown> = { ...given }
  const filter: Partial<Record<keyof ConversationsListQuery, unknown>> = {}
  for (const { flag, field } of filterOptions) {
    const value = rest[camel(flag)]
    delete rest[camel(flag)]
    if (value !== undefined) Object.assign(filter, { [field.name]: value })
  }
  return { filter: Object.keys(filter).length > 0 ? (filter as NewViewFilter) : undefined, rest }
}
