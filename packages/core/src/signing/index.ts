export {
  isStandardWebhookSignature,
  type StandardWebhook,
  secretPrefix,
  signStandardWebhook,
} from './standard-webhooks.ts'
export { isWebhookBodySignature, signWebhookBody } from './webhook-signature.ts'
