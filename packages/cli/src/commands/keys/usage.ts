import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { ApiKeyUsage } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { counted } from '../../output/plural.ts'
import { printJson } from '../../output/print-json.ts'
import { printList, printRows } from '../../output/print-list.ts'
import { openClient } from '../../profile/open-client.ts'
import { monthOption } from '../month-option.ts'
import { examples, runAction } from '../run-action.ts'

interface UsageRow {
  readonly kind: 'endpoint' | 'method'
  readonly name: string
  readonly requests: number
}

const columns: readonly Column<UsageRow>[] = [
  { title: 'By', value: (row) => row.kind },
  { title: 'Name', value: (row) => row.name, isFlexible: true },
  { title: 'Requests', value: (row) => row.requests },
]

export function defineKeyUsage(keys: CommandUnknownOpts): void {
  keys
    .command('usage')
    .argument('<id>', 'the id of the key')
    .summary('Show how often a key was used in a month')
    .description('Show how often a key was used in a month, by endpoint and by method.')
    .addOption(monthOption())
    .addHelpText('after', examples('crm keys usage key_01J8ZQ4W7N', 'crm keys usage key_01J8ZQ4W7N --json'))
    .action((id, { month }, self) => runAction(self, (context) => showUsage(context, id, month)))
}

async function showUsage(context: Context, id: string, month: string | undefined): Promise<void> {
  const { output } = context
  const client = await openClient(context, 'session')
  const usage = await client.call((crm) => crm.apiKeys.usage(id, { month }))
  const rows = rowsOf(usage)
  if (output.json) printJson(output, usage)
  else if (output.isQuiet) output.print(String(usage.totalRequests))
  else if (output.isTerminal) await printList(output, { rows, columns })
  else printRows(output, { rows, columns, quiet: ({ name }) => name })
  output.say(`${counted(usage.totalRequests, 'request')} in ${cleanLine(usage.month)}.`)
}

/** Sorts by requests, the highest number first. */
function rowsOf({ requestsByEndpoint, requestsByMethod }: ApiKeyUsage): UsageRow[] {
  const sorted = (kind: UsageRow['kind'], counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, requests]) => ({ kind, name, requests }))
      .sort((a, b) => b.requests - a.requests)
  return [...sorted('endpoint', requestsByEndpoint), ...sorted('method', requestsByMethod)]
}
