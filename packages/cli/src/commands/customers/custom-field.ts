import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import type { JsonValue } from '@crmkit/sdk'

/** `--custom-field`: custom fields are the only field of a customer that is an object. */
export const addCustomField = (command: Command) =>
  command.option(
    '--custom-field <name=value>',
    'a text; name:=value for JSON, such as seats:=5; can be given several times',
    parseCustomField,
  )

function parseCustomField(
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
