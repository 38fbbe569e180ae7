import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { Integration, SourceFields, TestedIntegration, UpdateIntegration } from '@crmkit/sdk'
import { CliError, usageError } from '../cli-error.ts'
import { integrations } from '../operations/integrations.gen.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { Column } from '../output/column.ts'
import { printJson } from '../output/print-json.ts'
import { printAll, printCount } from '../output/print-list.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { resultCommand } from './factories/result-command.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { connectAccount } from './integrations/connect.ts'
import { integrationColumns as columns } from './integrations/integration-columns.ts'

type Mapping = NonNullable<UpdateIntegration['mapping']>

function addTarget(text: string, previous: Mapping | undefined): Mapping {
  // bounded: a flag of the person's own command.
  const [, module = '', header = '', target = ''] = /^(\w+):(.+)=(.*)$/.exec(text) ?? []
  if (header === '') throw new InvalidArgumentError('Expected MODULE:HEADER=FIELD.')
  const headers = { ...previous?.[module], [header]: target === '' ? null : target }
  return { ...previous, [module]: headers }
}

type Values = NonNullable<UpdateIntegration['values']>

function addMeaning(text: string, previous: Values | undefined): Values {
  // bounded: a flag of the person's own command.
  const [, module = '', target = '', word = '', meaning = ''] = /^(\w+):(\w+):(.+)=(\w+)$/.exec(text) ?? []
  if (word === '') throw new InvalidArgumentError('Expected MODULE:FIELD:WORD=MEANING.')
  const targets = previous?.[module]
  return { ...previous, [module]: { ...targets, [target]: { ...targets?.[target], [word]: meaning } } }
}

type DateOrders = NonNullable<UpdateIntegration['dateOrders']>
type Orders = Record<string, Record<string, DateOrder>>
type DateOrder = NonNullable<UpdateIntegration['dateOrder']>
interface GivenOrders {
  all?: DateOrder
  columns?: DateOrders
}

const isDateOrder = (text: string): text is DateOrder => ['dmy', 'mdy', 'ymd'].includes(text)

function addDateOrder(text: string, previous: GivenOrders | undefined): GivenOrders {
  if (isDateOrder(text)) return { ...previous, all: text }
  // bounded: a flag of the person's own command.
  const [, module = '', header = '', order = ''] = /^(\w+):(.+)=(\w+)$/.exec(text) ?? []
  if (!isDateOrder(order)) throw new InvalidArgumentError('Expected dmy, mdy, ymd or MODULE:HEADER=ORDER.')
  const columns = previous?.columns
  return { ...previous, columns: { ...columns, [module]: { ...columns?.[module], [header]: order } } }
}

/** Adds to each module what is given for it. */
function mergedModules<T>(
  before: Readonly<Record<string, Readonly<Record<string, T>>>>,
  given: Readonly<Record<string, Readonly<Record<string, T>> | null>>,
): Record<string, Record<string, T>> {
  return Object.fromEntries(
    Object.entries(given).map(([module, headers]) => [module, { ...before[module], ...headers }]),
  )
}

/** Adds words to those of the fields before. */
function mergedValues(before: Integration['values'], given: Values): Values {
  const merged = Object.entries(given).map(([module, targets]) => {
    const known = before[module] ?? {}
    const fields = Object.entries(targets ?? {}).map(([target, words]) => [
      target,
      { ...known[target], ...words },
    ])
    return [module, { ...known, ...Object.fromEntries(fields) }]
  })
  return Object.fromEntries(merged)
}

const fieldColumns: readonly Column<SourceFields['fields'][number]>[] = [
  { title: 'Field', value: (field) => field.apiName },
  { title: 'Label', value: (field) => field.label, isFlexible: true },
  { title: 'Type', value: (field) => field.type },
  { title: 'Mapped to', value: (field) => field.mappedTo, isFlexible: true },
  { title: 'Required', value: (field) => field.required, isOptional: true },
  { title: 'Custom', value: (field) => field.custom, isOptional: true },
]

const fieldModules = ['Contacts', 'Deals', 'Cases', 'Accounts', 'Leads'] as const

function notConnected({ error }: TestedIntegration): CliError {
  const isRefused = error?.code === 'REAUTH_REQUIRED'
  return new CliError(cleanLine(error?.message ?? 'The source cannot be read'), {
    code: cleanLine(error?.code ?? 'SOURCE_ERROR'),
    hint: isRefused ? 'Connect the account again with new credentials.' : undefined,
  })
}

interface Given {
  map: Mapping | undefined
  value: Values | undefined
  columns: DateOrders | undefined
}

/** Adds what the flags give to what the integration has. */
function withWhatIsKnown(before: Integration, { map, value, columns }: Given): UpdateIntegration {
  return {
    ...(map && { mapping: mergedModules(before.mapping, map) }),
    ...(value && { values: mergedValues(before.values, value) }),
    ...(columns && { dateOrders: mergedModules(before.dateOrders as Orders, columns) }),
  }
}

export const defineIntegrations = defineNoun({
  name: 'integration',
  prefix: 'int',
  columns,
  examples: ['crm integrations list'],
  commands: [
    // The server gives all integrations in one response: a tenant has at most 50.
    resultCommand({
      operation: integrations.list,
      examples: ['crm integrations list', 'crm integrations list --json _id,provider,syncStatus'],
      hasId: false,
      print: async (output, rows) => {
        await printAll(output, { rows, columns, quiet: ({ _id }) => _id })
        const all = { count: rows.length, total: rows.length, totalIsEstimate: false, nextCursor: null }
        printCount(output, { ...all, noun: 'integration' })
      },
    }),
    getCommand({
      operation: integrations.get,
      description: 'Show an integration with the progress of its import.',
    }),
    createCommand({
      operation: integrations.create,
      summary: 'Create an integration for files, or for a package',
      description:
        'Create an integration for files, or for the package of a support history. Upload its files afterwards.',
      examples: [
        'crm integrations create --name "Old help desk"',
        'crm integrations create --name "Old help desk" --package',
      ],
      fields: { name: 'name of the integration', provider: false, apiDomain: false, accountsServer: false },
      options: (command) => command.option('--package', 'for the package that "crm migrate" made'),
      inputOf: ({ package: isPackage, ...given }) => ({
        ...given,
        provider: isPackage ? ('package' as const) : ('file' as const),
      }),
      ask: { name: 'Name of the integration' },
    }),
    connectAccount,
    updateCommand({
      operation: integrations.update,
      notes: 'Deactivating cancels a run in progress and switches automatic sync off.',
      examples: [
        'crm integrations update int_01J8ZQ4W7N --name "Old help desk" --date-order mdy --country US',
        'crm integrations update int_01J8ZQ4W7N --date-order "Contacts:Member Since=dmy"',
        'crm integrations update int_01J8ZQ4W7N --map Contacts:Nachname=lastName --map Contacts:Fax=',
        'crm integrations update int_01J8ZQ4W7N --value "Cases:status:With the lawyer=pending"',
      ],
      fields: {
        isActive: {
          pair: [
            ['activate', 'import again'],
            ['deactivate', 'stop importing'],
          ],
        },
        conflict: { text: 'the result for a field that was edited here', value: 'policy' },
        emitEvents: false,
        timeZone: { text: 'time zone of times without an offset', value: 'zone' },
        dateOrder: false,
        defaultCountry: { flag: 'country', text: 'country of phone numbers without +', value: 'code' },
      },
      options: (command) =>
        command
          .option('--map <module:header=field>', 'target of a header; no field leaves it out', addTarget)
          .option(
            '--date-order <[module:header=]order>',
            'order of dates, of all columns or of one: dmy, mdy or ymd',
            addDateOrder,
          )
          .option('--value <module:field:word=meaning>', 'meaning of a word of a choice', addMeaning),
      clear: ['time-zone', 'default-country', 'mapping', 'values', 'date-orders'],
      send: async ({ crm, id, input: { map, value, dateOrder, ...fields } }) => {
        const { all, columns }: GivenOrders = dateOrder ?? {}
        const change = { ...fields, ...(all !== undefined && { dateOrder: all }) }
        const given = {
          map: fields.mapping === null ? undefined : map,
          value: fields.values === null ? undefined : value,
          columns: fields.dateOrders === null ? undefined : columns,
        }
        if (Object.values(given).every((one) => one === undefined)) return crm.integrations.update(id, change)
        // The server replaces a module as a whole.
        const before = await crm.integrations.get(id)
        return crm.integrations.update(id, { ...change, ...withWhatIsKnown(before, given) })
      },
    }),
    deleteCommand({
      operation: integrations.delete,
      summary: 'Disconnect an integration; imported records stay',
      description: 'Disconnect an integration. Its credentials and files are removed; imported records stay.',
      question: (shown) => `Disconnect ${shown} and remove its files and credentials?`,
      read: integrations.get,
      nameOf: ({ name }) => name,
    }),
    resultCommand({
      operation: integrations.test,
      description: 'Test the connection of an integration.',
      print: (output, tested, { id }) => {
        if (output.json) printJson(output, tested)
        if (!tested.ok) throw notConnected(tested)
        const unreadable = tested.modules.filter(({ readable }) => !readable).map(({ module }) => module)
        output.say(`Connected to ${cleanLine(tested.account?.name ?? tested.account?.id ?? id)}.`)
        if (unreadable.length > 0) output.say(`Not readable: ${cleanLine(unreadable.join(', '))}.`)
      },
    }),
    resultCommand({
      operation: integrations.fields,
      description: 'List the fields of a module of the source, and what each is mapped to.',
      examples: ['crm integrations fields int_01J8ZQ4W7N --module Deals'],
      only: [],
      options: (command) =>
        command.addOption(
          new Option('--module <module>', 'module of the source')
            .choices(fieldModules)
            .default('Contacts' as const),
        ),
      send: ({ crm, id, input: { module } }) => crm.integrations.fields(module, { integrationId: id }),
      print: (output, found) => {
        if (output.json) return printJson(output, found)
        return printAll(output, {
          rows: found.fields,
          columns: fieldColumns,
          quiet: ({ apiName }) => apiName,
        })
      },
    }),
    actionCommand({
      operation: integrations.handOver,
      summary: 'Hand the conversations of a package over to your team',
      done: 'Your team writes in the conversations of the package from now on.',
    }),
    actionCommand({
      operation: integrations.setAutoSync,
      name: 'auto-sync',
      description: 'Switch automatic sync on or off.',
      examples: ['crm integrations auto-sync int_01J8ZQ4W7N --off'],
      fields: {
        enabled: {
          pair: [
            ['on', 'import changes of the source regularly'],
            ['off', 'import only when asked'],
          ],
        },
        intervalMinutes: {
          flag: 'every',
          value: 'minutes',
          text: 'minutes between two syncs, 1 to 1440; default: 15',
        },
      },
      inputOf: (given) => {
        if (given.enabled === undefined) throw usageError('Use either --on or --off.')
        return given
      },
      done: ({ autoSync }) => `Automatic sync is ${autoSync.enabled ? 'on' : 'off'}.`,
    }),
  ],
})
