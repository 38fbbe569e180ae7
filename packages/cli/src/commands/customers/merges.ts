import type { CustomerMerge } from '@crmkit/sdk'
import { customers } from '../../operations/customers.gen.ts'
import type { Column } from '../../output/column.ts'
import { printAll } from '../../output/print-list.ts'
import { resultCommand } from '../factories/result-command.ts'

const columns: readonly Column<CustomerMerge>[] = [
  { title: 'Source', value: (row) => row.sourceId },
  { title: 'Name', value: (row) => row.sourceName, isFlexible: true },
  { title: 'Merged', value: (row) => row.mergedAt, isTime: true },
  { title: 'By', value: (row) => row.mergedBy?._id ?? null },
  { title: 'Undo until', value: (row) => row.undoableUntil, isTime: true },
]

/** `crm customers merges ID`: each merge that `crm customers unmerge` takes back. */
export const listMerges = resultCommand({
  operation: customers.merges,
  summary: 'List the merges that can be taken back',
  description:
    'List the merges into a customer of the last 30 days, with the customers who were merged. `crm customers unmerge` takes one back.',
  print: (output, rows) => {
    if (rows.length === 0) output.say('There is no merge that can be taken back.')
    return printAll(output, { rows, columns, quiet: ({ sourceId }) => sourceId })
  },
})
