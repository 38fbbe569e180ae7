import { Command, CommanderError } from '@commander-js/extra-typings'
import { expect, it } from 'vitest'
import { askFor } from '../src/commands/factories/create-command.ts'
import {
  addClearOption,
  addFieldOptions,
  fieldOptions,
  fieldValues,
} from '../src/commands/factories/field-options.ts'
import { calls } from '../src/operations/calls.gen.ts'
import { conversations } from '../src/operations/conversations.gen.ts'
import { customers } from '../src/operations/customers.gen.ts'
import { mails } from '../src/operations/mails.gen.ts'
import { users } from '../src/operations/users.gen.ts'
import type { Prompter } from '../src/prompts/prompter.ts'

type Words = Parameters<typeof fieldOptions>[1]
type Given = Parameters<typeof addFieldOptions>[2] & { readonly words?: Words; readonly canClear?: boolean }

/** Parses a command line with the options of an operation, and returns the fields of its request. */
function parse(
  { fields }: { readonly fields: Parameters<typeof fieldOptions>[0] },
  line: string,
  { words = {}, canClear = false, ...use }: Given = {},
): object {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  const options = fieldOptions(fields, words)
  addFieldOptions(command, options, use)
  if (canClear) addClearOption(command, options)
  command.parse(line.split(' ').filter(Boolean), { from: 'user' })
  return fieldValues(options, command.opts())
}

const pair = [
  ['activate', 'let the user sign in again'],
  ['deactivate', 'end the sessions'],
] as const

it('knows the type, the words and the values of a field from the contract', () => {
  expect(customers.create.fields.find(({ name }) => name === 'tier')).toEqual({
    name: 'tier',
    type: 'text',
    text: 'service level; default: bronze',
    value: 'tier',
    choices: ['bronze', 'silver', 'gold', 'platinum'],
    isNullable: true,
  })
})

it('says nothing of a default in a change, which leaves an absent field alone', () => {
  expect(customers.update.fields.find(({ name }) => name === 'tier')?.text).toBe('service level')
})

it('needs a session where the contract refuses API keys', () => {
  expect([mails.list.need, customers.list.need]).toEqual(['session', 'any'])
})

it('turns lists, numbers and times into the values of the request', () => {
  expect(parse(calls.updateMetadata, '--tags billing,vip --tags late --rating 5')).toEqual({
    tags: ['billing', 'vip', 'late'],
    rating: 5,
  })
  expect(parse(customers.list, '--updated-since 2026-11-01')).toEqual({
    updatedSince: '2026-11-01T00:00:00.000Z',
  })
})

it.each([
  [customers.list, '--tier wood'],
  [conversations.list, '--status open,lost'],
  [calls.updateMetadata, '--rating many'],
  [customers.list, '--updated-since yesterday'],
])('refuses a value that the contract does not have: %#', (operation, line) => {
  expect(() => parse(operation, line)).toThrow(CommanderError)
})

it('gives the field of a renamed option, of a pair and of --clear', () => {
  const words = { isActive: { pair }, firstName: { flag: 'given-name' } }
  expect(parse(users.update, '--deactivate --given-name Ada', { words })).toEqual({
    isActive: false,
    firstName: 'Ada',
  })
  expect(parse(users.update, '--clear given-name,last-name', { words, canClear: true })).toEqual({
    isActive: undefined,
    firstName: null,
    lastName: null,
  })
})

it('refuses both options of a pair in a change, and finds every row with both in a filter', () => {
  const words = { isActive: { pair } }
  expect(() => parse(users.update, '--activate --deactivate', { words })).toThrow(CommanderError)
  expect(parse(users.update, '--activate --deactivate', { words, isFilter: true })).toEqual({
    isActive: undefined,
  })
})

it('has an option for yes and one for no where a flag has no pair', () => {
  expect(parse(users.update, '--is-active')).toEqual({ isActive: true })
  expect(parse(users.update, '--no-is-active')).toEqual({ isActive: false })
  expect(parse(users.update, '')).toEqual({})
})

it('demands a required field in an action only, and takes out a field without words', () => {
  expect(() => parse(customers.merge, '', { isMandatory: true })).toThrow(CommanderError)
  expect(parse(customers.merge, '')).toEqual({})
  expect(() => parse(customers.merge, '--source-id cus_1', { words: { sourceId: false } })).toThrow(
    CommanderError,
  )
})

it('asks for a number or a time until the parser of the option accepts it', async () => {
  const lines = ['many', '5']
  const prompter: Pick<Prompter, 'text'> = {
    text: async (_message, { problemOf } = {}) => {
      const [typed = ''] = lines.splice(0, 1)
      const problem = problemOf?.(typed)
      if (problem === undefined) return typed
      problems.push(problem)
      return prompter.text('', problemOf && { problemOf })
    },
  }
  const problems: string[] = []
  const rating = calls.updateMetadata.fields.find(({ name }) => name === 'rating')
  expect(rating && (await askFor(rating, 'Rating', prompter as Prompter))).toBe(5)
  expect(problems).toEqual(['Expected a whole number.'])
})
