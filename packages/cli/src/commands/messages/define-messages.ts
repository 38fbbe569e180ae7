import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineGetMessage } from './get.ts'
import { defineUpdateMessage } from './update.ts'

export function defineMessages(messages: CommandUnknownOpts): void {
  messages.addHelpText(
    'after',
    `\nThe messages of a conversation: "crm conversations messages"; a new one: "reply" and "note" there.\n${examples(
      'crm messages get msg_01J8ZQ4W7N',
    )}`,
  )
  defineGetMessage(messages)
  defineUpdateMessage(messages)
}
