import type { CreateView, UpdateView, View } from '@crmkit/sdk'
import { views } from '../operations/views.gen.ts'
import type { Column } from '../output/column.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { updateCommand } from './factories/update-command.ts'
import { addFilter, splitFilter } from './views/view-filter.ts'

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
  examples: [
    'crm views list',
    "crm views create --name 'Urgent repairs' --status open,pending --priority urgent --assigned-to me",
  ],
  commands: [
    listCommand({ operation: views.list }),
    getCommand({ operation: views.get }),
    createCommand({
      operation: views.create,
      description: 'Save a view of conversations. Its filter has the options of "crm conversations list".',
      examples: [
        "crm views create --name 'Urgent repairs' --status open,pending --priority urgent --is-shared",
      ],
      options: addFilter,
      inputOf: (given): Partial<CreateView> => {
        const { filter = {}, rest } = splitFilter(given)
        return { ...rest, filter }
      },
    }),
    updateCommand({
      operation: views.update,
      description:
        'Change a view. Fields that you do not name stay as they are; with one option of the filter the whole filter is replaced.',
      examples: ['crm views update viw_01J8ZQ4W7N --name Repairs --label repair'],
      options: addFilter,
      inputOf: (given): UpdateView => {
        const { filter, rest } = splitFilter(given)
        return filter === undefined ? rest : { ...rest, filter }
      },
    }),
    deleteCommand({ operation: views.delete, read: views.get, nameOf: (row) => row.name }),
  ],
})
