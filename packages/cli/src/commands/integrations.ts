import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { Integration, SourceFields, TestedIntegration, UpdateIntegration } from '@crmkit/sdk'
import { CliError, usageError } from '../cli-error.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { Column } from '../output/column.ts'
import type { Output } from '../output/output.ts'
import { printJson } from '../output/print-json.ts'
import { printCount, printList, printRows } from '../output/print-list.ts'
import { openClient } from '../profile/open-client.ts'
import { clearedFields, clearOption } from './clear-option.ts'
import { addCommand, type NounCommand } from './factories/add-command.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { actionCommand, updateCommand } from './factories/update-command.ts'
import { connectAccount } from './integrations/connect.ts'
import { integrationColumns as columns } from './integrations/integration-columns.ts'
import { eitherFlag, wholeNumber } from './option-values.ts'
import { runAction } from './run-action.ts'

/** The server gives all integrations in one response: a tenant has at most 50. */
const listIntegrations: NounCommand = (parent, noun) => {
  addCommand(parent, {
    name: 'list',
    description: 'List all integrations, oldest first.',
    examples: ['crm integrations list', 'crm integrations list --json _id,provider,syncStatus'],
  }).action((_options, self) =>
    runAction(self, async (context) => {
      const { output } = context
      const { call } = await openClient(context)
      const rows = await call((crm) => crm.integrations.list())
      const quiet = ({ _id }: Integration) => _id
      if (!output.json && (output.isQuiet || !output.isTerminal)) printRows(output, { rows, columns, quiet })
      else await printList(output, { rows, columns })
      printCount(output, {
        count: rows.length,
        total: rows.length,
        totalIsEstimate: false,
        noun: noun.name,
        nextCursor: null,
      })
    }),
  )
}

const getIntegration = getCommand({
  description: 'Show an integration with the progress of its import.',
  examples: ['crm integrations get int_01J8ZQ4W7N'],
  columns,
  fetch: ({ crm, id }) => crm.integrations.get(id),
})

const createIntegration = createCommand({
  summary: 'Create an integration for files',
  description: 'Create an integration for files. Upload its files afterwards.',
  examples: ['crm integrations create --name "Old help desk"'],
  columns,
  options: (command) => command.option('--name <name>', 'name'),
  ask: { name: 'Name of the integration' },
  send: ({ crm, input }) => crm.integrations.create({ provider: 'file', name: input.name }),
  done: 'Created the integration.',
})

const updateIntegration = updateCommand({
  summary: 'Change an integration',
  description: 'Change an integration. Fields that you do not name stay as they are.',
  notes: 'Deactivating cancels a run in progress and switches automatic sync off.',
  examples: [
    'crm integrations update int_01J8ZQ4W7N --name "Old help desk" --date-order mdy --country US',
    'crm integrations update int_01J8ZQ4W7N --map Contacts:Nachname=lastName --map Contacts:Fax=',
  ],
  columns,
  options: (command) =>
    command
      .option('--name <name>', 'name')
      .option('--activate', 'import again')
      .addOption(new Option('--deactivate', 'stop importing').conflicts('activate'))
      .addOption(
        new Option('--conflict <policy>', 'the result for a field that was edited here').choices([
          'merge',
          'source_wins',
          'local_wins',
        ] as const),
      )
      .option('--map <module:header=field>', 'target of a header; no field leaves it out', addTarget)
      .option('--time-zone <zone>', 'time zone of times without an offset')
      .addOption(new Option('--date-order <order>', 'order of dates').choices(['dmy', 'mdy', 'ymd'] as const))
      .option('--country <code>', 'country of phone numbers without +')
      .addOption(clearOption(['time-zone', 'default-country', 'mapping'])),
  inputOf: ({ activate, deactivate, map, country, clear, ...rest }) => ({
    ...rest,
    isActive: eitherFlag(activate, deactivate),
    mapping: map,
    defaultCountry: country,
    ...clearedFields(clear),
  }),
  send: async ({ crm, id, input }) => {
    const { mapping } = input
    if (!mapping) return crm.integrations.update(id, input)
    // The server replaces the mapping of a module as a whole.
    const { mapping: before } = await crm.integrations.get(id)
    const merged = Object.entries(mapping).map(([module, headers]) => [
      module,
      { ...before[module], ...headers },
    ])
    return crm.integrations.update(id, { ...input, mapping: Object.fromEntries(merged) })
  },
  done: 'Changed the integration.',
})

type Mapping = NonNullable<UpdateIntegration['mapping']>

function addTarget(text: string, previous: Mapping | undefined): Mapping {
  // bounded: a flag of the person's own command.
  const [, module = '', header = '', target = ''] = /^(\w+):(.+)=(.*)$/.exec(text) ?? []
  if (header === '') throw new InvalidArgumentError('Expected MODULE:HEADER=FIELD.')
  const headers = { ...previous?.[module], [header]: target === '' ? null : target }
  return { ...previous, [module]: headers }
}

const deleteIntegration = deleteCommand({
  summary: 'Disconnect an integration; imported records stay',
  description: 'Disconnect an integration. Its credentials and files are removed; imported records stay.',
  examples: ['crm integrations delete int_01J8ZQ4W7N --yes'],
  question: (shown) => `Disconnect ${shown} and remove its files and credentials?`,
  nameOf: ({ crm, id }) => crm.integrations.get(id).then(({ name }) => name),
  send: ({ crm, id }) => crm.integrations.delete(id),
})

const fieldColumns: readonly Column<SourceFields['fields'][number]>[] = [
  { title: 'Field', value: (field) => field.apiName },
  { title: 'Label', value: (field) => field.label, isFlexible: true },
  { title: 'Type', value: (field) => field.type },
  { title: 'Mapped to', value: (field) => field.mappedTo, isFlexible: true },
  { title: 'Required', value: (field) => field.required, isOptional: true },
  { title: 'Custom', value: (field) => field.custom, isOptional: true },
]

const fieldModules = ['Contacts', 'Deals', 'Cases', 'Accounts', 'Leads'] as const

const showFields: NounCommand = (parent, noun) => {
  addCommand(parent, {
    name: 'fields',
    description: 'List the fields of a module of the source, and what each is mapped to.',
    examples: ['crm integrations fields int_01J8ZQ4W7N --module Deals'],
  })
    .argument('<id>', `the id of the ${noun.name}`)
    .addOption(
      new Option('--module <module>', 'module of the source').choices(fieldModules).default('Contacts'),
    )
    .action((integrationId, { module }, self) =>
      runAction(self, async (context) => {
        const { output } = context
        const { call } = await openClient(context)
        const found = await call((crm) => crm.integrations.fields(String(module), { integrationId }))
        if (output.json) printJson(output, found)
        else await printFields(output, found.fields)
      }),
    )
}

async function printFields(output: Output, rows: SourceFields['fields']): Promise<void> {
  const quiet = ({ apiName }: SourceFields['fields'][number]) => apiName
  if (output.isQuiet || !output.isTerminal) printRows(output, { rows, columns: fieldColumns, quiet })
  else await printList(output, { rows, columns: fieldColumns })
}

const testIntegration: NounCommand = (parent, noun) => {
  addCommand(parent, {
    name: 'test',
    description: 'Test the connection of an integration.',
    examples: ['crm integrations test int_01J8ZQ4W7N'],
  })
    .argument('<id>', `the id of the ${noun.name}`)
    .action((id, _options, self) =>
      runAction(self, async (context) => {
        const { output } = context
        const { call } = await openClient(context)
        const tested = await call((crm) => crm.integrations.test(id))
        if (output.json) printJson(output, tested)
        if (!tested.ok) throw notConnected(tested)
        const unreadable = tested.modules.filter(({ readable }) => !readable).map(({ module }) => module)
        output.say(`Connected to ${cleanLine(tested.account?.name ?? tested.account?.id ?? id)}.`)
        if (unreadable.length > 0) output.say(`Not readable: ${cleanLine(unreadable.join(', '))}.`)
      }),
    )
}

function notConnected({ error }: TestedIntegration): CliError {
  const isRefused = error?.code === 'REAUTH_REQUIRED'
  return new CliError(cleanLine(error?.message ?? 'The source cannot be read'), {
    code: cleanLine(error?.code ?? 'SOURCE_ERROR'),
    hint: isRefused ? 'Connect the account again with new credentials.' : undefined,
  })
}

const setAutoSync = actionCommand({
  name: 'auto-sync',
  description: 'Switch automatic sync on or off.',
  examples: ['crm integrations auto-sync int_01J8ZQ4W7N --off'],
  columns,
  options: (command) =>
    command
      .option('--on', 'import changes of the source regularly')
      .addOption(new Option('--off', 'import only when asked').conflicts('on'))
      .option('--every <minutes>', 'minutes between two syncs, 1 to 1440; default: 15', wholeNumber),
  inputOf: ({ on, off, every }) => {
    const enabled = eitherFlag(on, off)
    if (enabled === undefined) throw usageError('Use either --on or --off.')
    return { enabled, intervalMinutes: every }
  },
  send: ({ crm, id, input }) => crm.integrations.setAutoSync(id, input),
  done: ({ autoSync }) => `Automatic sync is ${autoSync.enabled ? 'on' : 'off'}.`,
})

export const defineIntegrations = defineNoun({
  name: 'integration',
  examples: ['crm integrations list'],
  commands: [
    listIntegrations,
    getIntegration,
    createIntegration,
    connectAccount,
    updateIntegration,
    deleteIntegration,
    testIntegration,
    showFields,
    setAutoSync,
  ],
})
