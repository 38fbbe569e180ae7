import { text as textOf } from 'node:stream/consumers'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { CreatedCustomer, Crm } from '@crmkit/sdk'
import { CliError, usageError } from '../../cli-error.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { Column } from '../../output/column.ts'
import { counted } from '../../output/plural.ts'
import { printAll } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { readGivenFile } from '../../prompts/read-secret.ts'
import { addCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'

const rowsPerRequest = 100

type ResultRow = Pick<CreatedCustomer, 'index' | 'customer' | 'problems'> & { result: string }

const columns: readonly Column<ResultRow>[] = [
  { title: 'Row', value: ({ index }) => index + 1 },
  { title: 'Result', value: ({ result }) => result },
  { title: 'Id', value: ({ customer }) => customer?._id },
  {
    title: 'Problems',
    value: ({ problems }) => problems.map(({ field, message }) => `${field} ${message}`),
    isFlexible: true,
  },
]

interface ManyCommand {
  name: string
  summary: string
  description: string
  send(crm: Crm, customers: Record<string, unknown>[]): Promise<ResultRow[]>
  /** The past of what the command does: `Created`. */
  done: string
}

/** A command that sends the rows of a JSON file, 100 in each request. */
function manyCommand({ send, done, ...about }: ManyCommand) {
  return (customers: CommandUnknownOpts): void => {
    addCommand(customers, { ...about, examples: [`crm customers ${about.name} customers.json`] })
      .argument('<file>', 'the file; - is stdin')
      .action((file, _, self) => runAction(self, (context) => sendRows(context, { file, send, done })))
  }
}

export const defineCreateManyCustomers = manyCommand({
  name: 'create-many',
  summary: 'Create the customers of a JSON file',
  description:
    'Create the customers of a JSON file: a list of objects, or one object in each line. A row that is not valid is reported, and the others are created.',
  send: (crm, customers) => crm.customers.createMany({ customers }),
  done: 'Created',
})

export const definePutManyCustomers = manyCommand({
  name: 'put-many',
  summary: 'Create or change the customers of a JSON file, by their ids in another system',
  description:
    'Create or change the customers of a JSON file: a list of objects, or one object in each line. `source` and `id` of a row name the customer in the other system; fields that it does not name stay as they are. A row that is not valid is reported, and the others are stored.',
  send: (crm, customers) => crm.customers.putMany({ customers }),
  done: 'Stored',
})

async function sendRows(
  context: Context,
  { file, send, done }: Pick<ManyCommand, 'send' | 'done'> & { file: string },
): Promise<void> {
  const rows = parseRows(file === '-' ? await textOf(process.stdin) : await readGivenFile(file))
  const client = await openClient(context)
  const results: ResultRow[] = []
  for (let start = 0; start < rows.length; start += rowsPerRequest) {
    const page = await client.call((crm) => send(crm, rows.slice(start, start + rowsPerRequest)))
    results.push(...page.map((row) => ({ ...row, index: row.index + start })))
  }
  const refused = results.filter(({ result }) => result === 'refused').length
  const { output } = context
  output.say(`${done} ${counted(results.length - refused, 'customer')}.`)
  await printAll(output, { rows: results, columns, quiet: ({ customer }) => customer?._id ?? '' })
  if (refused > 0) throw refusedRows(refused)
}

function refusedRows(count: number): CliError {
  const exitCode = exitCodes.conflictOrValidation
  return new CliError(`${counted(count, 'row')} refused.`, { code: 'VALIDATION_ERROR', exitCode })
}

function parseRows(text: string): Record<string, unknown>[] {
  const isList = text.trimStart().startsWith('[')
  try {
    if (isList) return JSON.parse(text)
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => JSON.parse(line))
  } catch {
    throw usageError('The file is not JSON.', 'It has a list of objects, or one object in each line.')
  }
}
