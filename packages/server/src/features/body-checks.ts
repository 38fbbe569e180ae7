import type { OperationId } from '@crmkit/core'
import { assertApiKey } from './api-keys/assert-api-key.ts'
import type { BodyCheck } from './handler.ts'
import { assertWebhook } from './webhooks/assert-webhook.ts'

const checkApiKey: BodyCheck = ({ now }, fields) => assertApiKey(fields, now)
const checkWebhook: BodyCheck = ({ services }, fields) => assertWebhook(services.checkDestination, fields)
const checkNewWebhook: BodyCheck = ({ services }, fields) =>
  assertWebhook(services.checkDestination, { ...fields, isNew: true })

/**
 * The checks of handlers, for bodies that the schema has refused and that no handler will get: so the caller gets all
 * problems at once.
 */
export const bodyChecks: { readonly [Id in OperationId]?: BodyCheck } = {
  'apiKeys.create': checkApiKey,
  'apiKeys.update': checkApiKey,
  'webhooks.create': checkNewWebhook,
  'webhooks.update': checkWebhook,
}
