import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { CreateCustomer, JsonValue } from '@crmkit/sdk'
import { addToList } from '../option-values.ts'

export const customerTiers = ['bronze', 'silver', 'gold', 'platinum'] as const
export const customerStatuses = ['active', 'inactive', 'archived'] as const

/** What `create` and `update` both take. */
export interface CustomerFields extends Omit<CreateCustomer, 'customFields'> {
  readonly customField?: Readonly<Record<string, JsonValue>> | undefined
}

export function addCustomerFieldOptions(command: CommandUnknownOpts): void {
  command
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--email <email>', 'e-mail')
    .option('--phone <number>', 'phone number')
    .option('--company <name>', 'company')
    .option('--job-title <title>', 'job title')
    .addOption(new Option('--tier <tier>', 'a new customer is bronze').choices(customerTiers))
    .option('--tags <list>', 'comma separated', addToList)
    .option(
      '--custom-field <name=value>',
      'a text; name:=value for JSON, such as seats:=5; may be given several times',
      addCustomField,
    )
}

function addCustomField(
  text: string,
  previous: Readonly<Record<string, JsonValue>> | undefined,
): Record<string, JsonValue> {
  const [, name, kind, value = ''] = /^([^=]+?)(:?=)(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('It is not name=value.')
  // fromEntries and spread define `__proto__` as a key like any other; the server refuses it by name.
  return Object.fromEntries([
    ...Object.entries(previous ?? {}),
    [name, kind === ':=' ? jsonOf(value) : value],
  ])
}

function jsonOf(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('What follows := is not JSON; for a text use =.')
  }
}
