import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineCreateInbox } from './create.ts'
import { defineDeleteInbox } from './delete.ts'
import { defineGetInbox } from './get.ts'
import { defineListInboxes } from './list.ts'
import { defineUpdateInbox } from './update.ts'
import { defineWidgetSecret } from './widget-secret.ts'

export function defineInboxes(inboxes: CommandUnknownOpts): void {
  inboxes.addHelpText('after', examples('crm inboxes list'))
  defineListInboxes(inboxes)
  defineGetInbox(inboxes)
  defineCreateInbox(inboxes)
  defineUpdateInbox(inboxes)
  defineDeleteInbox(inboxes)
  defineWidgetSecret(inboxes)
}
