import type { SuppressedAddress } from '@crmkit/sdk'
import { suppressedAddresses } from '../operations/suppressed-addresses.gen.ts'
import type { Column } from '../output/column.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { listCommand } from './factories/list-command.ts'

const columns: readonly Column<SuppressedAddress>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Address', value: (row) => row.address },
  { title: 'Status', value: (row) => row.status },
  { title: 'Text', value: (row) => row.text, isFlexible: true },
  { title: 'Message', value: (row) => row.messageId, isDetail: true },
  { title: 'Customer', value: (row) => row.customerId, isDetail: true },
  { title: 'Created', value: (row) => row.createdAt, isTime: true },
]

export const defineSuppressedAddresses = defineNoun({
  name: 'suppressed address',
  prefix: 'sup',
  columns,
  examples: ['crm suppressed-addresses list', 'crm suppressed-addresses delete sup_01J8ZQ4W7N --yes'],
  commands: [
    listCommand({
      operation: suppressedAddresses.list,
      description: 'List the addresses that do not exist, as mail servers report. They get no mail.',
      examples: ['crm suppressed-addresses list', 'crm suppressed-addresses list --address ada@example.com'],
    }),
    deleteCommand({
      operation: suppressedAddresses.delete,
      description: 'Delete a suppressed address, so that mail is sent to it again.',
      // The list names addresses; no operation reads one of them by its id.
      question: (shown) => `Send mail to the address of ${shown} again?`,
    }),
  ],
})
