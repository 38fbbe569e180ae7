import type { View } from '@crmkit/sdk'
import { views } from '../operations/views.gen.ts'
import type { Column } from '../output/column.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { updateCommand } from './factories/update-command.ts'

const columns: readonly Column<View>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Name', value: (row) => row.name },
  { title: 'Shared', value: (row) => row.isShared },
  { title: 'Sort', value: (row) => row.sort },
  { title: 'Owner', value: (row) => row.ownerId, isOptional: true },
  { title: 'Created', value: (row) => row.createdAt, isTime: true, isOptional: true },
]

export const defineViews = defineNoun({
  name: 'view',
  prefix: 'viw',
  columns,
  examples: ['crm views list'],
  commands: [
    listCommand({ operation: views.list }),
    getCommand({ operation: views.get }),
    createCommand({ operation: views.create }),
    updateCommand({ operation: views.update }),
    deleteCommand({ operation: views.delete, read: views.get, nameOf: (row) => row.name }),
  ],
})
