import type { UnmergedCustomers } from '@crmkit/sdk'
import { customers } from '../../operations/customers.gen.ts'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { resultCommand } from '../factories/result-command.ts'

const columns: readonly Column<UnmergedCustomers>[] = [
  { title: 'Source', value: ({ source }) => source._id },
  { title: 'Target', value: ({ target }) => target._id },
  { title: 'Did not go back', value: ({ kept }) => kept },
]

/** `crm customers unmerge ID --source ID`. */
export const unmergeCustomers = resultCommand({
  operation: customers.unmerge,
  summary: 'Take back the merge of another customer',
  description:
    'Take back a merge: the other customer exists again with the old id, and what the merge moved goes back. Later conversations stay. Possible for 30 days.',
  examples: ['crm customers unmerge cus_01J8ZQ4W7N --source cus_01J8ZQ4W8P'],
  id: 'the id of the customer into whom the other one was merged',
  fields: { sourceId: { flag: 'source', text: 'the id of the customer who was merged' } },
  print: (output, reply) => {
    output.say('Took the merge back.')
    printRecord(output, { row: reply, columns, quiet: reply.source._id })
  },
})
