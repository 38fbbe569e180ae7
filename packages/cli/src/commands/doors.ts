import type { Door } from '@crmkit/sdk'
import { doors } from '../operations/doors.gen.ts'
import type { Column } from '../output/column.ts'
import { defineNoun } from './factories/define-noun.ts'
import { listCommand } from './factories/list-command.ts'

const columns: readonly Column<Door>[] = [
  { title: 'Of', value: (row) => row.inboxId ?? row.integrationId },
  { title: 'Part', value: (row) => row.part },
  { title: 'Door', value: (row) => row.door },
  { title: 'Since', value: (row) => row.since, isTime: true },
  { title: 'Waiting', value: (row) => row.waiting },
  { title: 'Reason', value: (row) => row.reason, isFlexible: true },
]

export const defineDoors = defineNoun({
  name: 'door',
  prefix: 'inb',
  columns,
  examples: ['crm doors list'],
  commands: [
    listCommand({
      operation: doors.list,
      description: 'List the inboxes and sources that do not work at present, with the reason.',
      examples: ['crm doors list', 'crm doors list --json'],
    }),
  ],
})
