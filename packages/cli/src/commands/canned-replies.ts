import type { CannedReply } from '@crmkit/sdk'
import { cannedReplies } from '../operations/canned-replies.gen.ts'
import type { Column } from '../output/column.ts'
import { createCommand } from './factories/create-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { deleteCommand } from './factories/delete-command.ts'
import { getCommand } from './factories/get-command.ts'
import { listCommand } from './factories/list-command.ts'
import { resultCommand } from './factories/result-command.ts'
import { updateCommand } from './factories/update-command.ts'

const columns: readonly Column<CannedReply>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Shortcut', value: (row) => row.shortcut },
  { title: 'Title', value: (row) => row.title },
  { title: 'Shared', value: (row) => row.isShared },
  { title: 'Owner', value: (row) => row.ownerId, isOptional: true },
  { title: 'Created', value: (row) => row.createdAt, isTime: true, isOptional: true },
]

export const defineCannedReplies = defineNoun({
  name: 'canned reply',
  prefix: 'rep',
  columns,
  examples: [
    'crm canned-replies list',
    "crm canned-replies create --shortcut hello --title Greeting --content 'Hello!'",
  ],
  commands: [
    listCommand({ operation: cannedReplies.list }),
    getCommand({ operation: cannedReplies.get }),
    createCommand({ operation: cannedReplies.create }),
    updateCommand({ operation: cannedReplies.update }),
    deleteCommand({
      operation: cannedReplies.delete,
      read: cannedReplies.get,
      nameOf: (row) => row.shortcut,
    }),
    resultCommand({
      operation: cannedReplies.render,
      examples: ['crm canned-replies render rep_01J8ZQ4W7N --conversation-id con_01J8ZQ4W7N'],
      print: (output, { content, missing }) => {
        if (missing.length > 0) output.say(`No value for ${missing.join(', ')}.`)
        output.print(content)
      },
    }),
  ],
})
