import type { ApiKeyUsage } from '@crmkit/sdk'
import { apiKeys } from '../../operations/api-keys.gen.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Column } from '../../output/column.ts'
import { counted } from '../../output/plural.ts'
import { printJson } from '../../output/print-json.ts'
import { printAll } from '../../output/print-list.ts'
import { resultCommand } from '../factories/result-command.ts'
import { monthOption } from '../month-option.ts'

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

export const keyUsage = resultCommand({
  operation: apiKeys.usage,
  summary: 'Show how often a key was used in a month',
  description: 'Show how often a key was used in a month, by endpoint and by method.',
  examples: ['crm keys usage key_01J8ZQ4W7N', 'crm keys usage key_01J8ZQ4W7N --json'],
  only: [],
  options: (command) => command.addOption(monthOption()),
  print: async (output, usage) => {
    if (output.json) printJson(output, usage)
    else if (output.isQuiet) output.print(String(usage.totalRequests))
    else await printAll(output, { rows: rowsOf(usage), columns, quiet: ({ name }) => name })
    output.say(`${counted(usage.totalRequests, 'request')} in ${cleanLine(usage.month)}.`)
  },
})

/** Sorts by requests, the highest number first. */
function rowsOf({ requestsByEndpoint, requestsByMethod }: ApiKeyUsage): UsageRow[] {
  const sorted = (kind: UsageRow['kind'], counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, requests]) => ({ kind, name, requests }))
      .sort((a, b) => b.requests - a.requests)
  return [...sorted('endpoint', requestsByEndpoint), ...sorted('method', requestsByMethod)]
}
