import { handleCreateWebhook } from './create-webhook.ts'
import { handleDeleteWebhook } from './delete-webhook.ts'
import { handleGetDeliveryLog, handleListDeliveryLogs } from './read-delivery-logs.ts'
import { handleGetWebhook, handleListWebhooks } from './read-webhooks.ts'
import { handleRecoverDeliveries } from './recover-deliveries.ts'
import { handleRedeliver } from './redeliver.ts'
import { handleRotateWebhookSecret } from './rotate-webhook-secret.ts'
import { handleTestWebhook } from './test-webhook.ts'
import { handleUpdateWebhook } from './update-webhook.ts'

export const webhookHandlers = {
  'webhooks.list': handleListWebhooks,
  'webhooks.create': handleCreateWebhook,
  'webhooks.get': handleGetWebhook,
  'webhooks.update': handleUpdateWebhook,
  'webhooks.delete': handleDeleteWebhook,
  'webhooks.test': handleTestWebhook,
  'webhooks.logs': handleListDeliveryLogs,
  'webhooks.getLog': handleGetDeliveryLog,
  'webhooks.redeliver': handleRedeliver,
  'webhooks.rotateSecret': handleRotateWebhookSecret,
  'webhooks.recover': handleRecoverDeliveries,
} as const
