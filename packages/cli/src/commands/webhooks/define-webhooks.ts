import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from '../run-action.ts'
import { defineCreateWebhook } from './create.ts'
import { defineDeleteWebhook } from './delete.ts'
import { defineGetWebhook } from './get.ts'
import { defineListWebhooks } from './list.ts'
import { defineListen } from './listen.ts'
import { defineWebhookLogs } from './logs.ts'
import { defineRecover } from './recover.ts'
import { defineRedeliver } from './redeliver.ts'
import { defineRotateSecret } from './rotate-secret.ts'
import { defineTestWebhook } from './test.ts'
import { defineUpdateWebhook } from './update.ts'
import { defineVerifyWebhook } from './verify.ts'

export function defineWebhooks(webhooks: CommandUnknownOpts): void {
  webhooks.addHelpText('after', examples('crm webhooks list'))
  defineCreateWebhook(webhooks)
  defineListWebhooks(webhooks)
  defineGetWebhook(webhooks)
  defineUpdateWebhook(webhooks)
  defineDeleteWebhook(webhooks)
  defineTestWebhook(webhooks)
  defineWebhookLogs(webhooks)
  defineRedeliver(webhooks)
  defineRecover(webhooks)
  defineRotateSecret(webhooks)
  defineListen(webhooks)
  defineVerifyWebhook(webhooks)
}
