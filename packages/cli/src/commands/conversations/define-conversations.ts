import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineAssignConversation } from './assign.ts'
import { defineCloseConversation } from './close.ts'
import { defineCreateConversation } from './create.ts'
import { defineDeleteConversation } from './delete.ts'
import { defineGetConversation } from './get.ts'
import { defineLabelConversation, defineUnlabelConversation } from './label.ts'
import { defineListConversations } from './list.ts'
import { defineListMessages } from './messages.ts'
import { defineReopenConversation } from './reopen.ts'
import { defineNote, defineReply } from './reply.ts'
import { defineSnoozeConversation } from './snooze.ts'
import { defineUpdateConversation } from './update.ts'

export function defineConversations(conversations: CommandUnknownOpts): void {
  conversations.addHelpText('after', examples('crm conversations list --status open --assigned-to none'))
  defineListConversations(conversations)
  defineGetConversation(conversations)
  defineCreateConversation(conversations)
  defineUpdateConversation(conversations)
  defineListMessages(conversations)
  defineReply(conversations)
  defineNote(conversations)
  defineAssignConversation(conversations)
  defineLabelConversation(conversations)
  defineUnlabelConversation(conversations)
  defineSnoozeConversation(conversations)
  defineCloseConversation(conversations)
  defineReopenConversation(conversations)
  defineDeleteConversation(conversations)
}
