import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { JsonValue } from '@crmkit/sdk'
import { addToList } from '../option-values.ts'

export const customerTiers = ['bronze', 'silver', 'gold', 'platinum'] as const
export const customerStatuses = ['active', 'inactive', 'archived'] as const

/** The options of `create` and `update`. */
export const addCustomerFields = (command: Command) =>
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
      'a text; name:=value for JSON, such as seats:=5; can be given several times',
      addCustomField,
    )

/** The values of these options. */
export type CustomerFields = ReturnType<ReturnType<typeof addCustomerFields>['opts']>

function addCustomField(
  text: string,
  previous: Readonly<Record<string, JsonValue>> | undefined,
): Record<string, JsonValue> {
  const [, name, kind, value = ''] = /^([^=]+?)(:?=)(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('Expected name=value.')
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
    throw new InvalidArgumentError('The value after := is not JSON; for a text use =.')
  }
}
