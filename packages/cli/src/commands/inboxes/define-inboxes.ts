import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineGetInbox } from './get.ts'
import { defineListInboxes } from './list.ts'

export function defineInboxes(inboxes: CommandUnknownOpts): void {
  inboxes.addHelpText('after', examples('crm inboxes list'))
  defineListInboxes(inboxes)
  defineGetInbox(inboxes)
}
