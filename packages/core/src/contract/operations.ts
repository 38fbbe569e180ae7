import * as analytics from '../analytics/analytics-operations.ts'
import * as apiKeys from '../api-keys/api-key-operations.ts'
import * as attachments from '../attachments/attachment-operations.ts'
import * as auth from '../auth/auth-operations.ts'
import * as conversations from '../conversations/conversation-operations.ts'
import * as customers from '../customers/customer-operations.ts'
import * as events from '../events/event-operations.ts'
import * as health from '../health/health-operations.ts'
import * as inboxes from '../inboxes/inbox-operations.ts'
import * as integrations from '../integrations/integration-operations.ts'
import * as messages from '../messages/message-operations.ts'
import * as privacy from '../privacy/privacy-operations.ts'
import * as telephony from '../telephony/telephony-operations.ts'
import * as tenants from '../tenants/tenant-operations.ts'
import * as users from '../users/user-operations.ts'
import * as webhooks from '../webhooks/webhook-operations.ts'

/** Every operation of the service, in the order of the reference. */
export const operations = [
  health.getHealth,
  auth.register,
  auth.login,
  auth.refresh,
  auth.acceptInvite,
  auth.logout,
  auth.me,
  auth.changePassword,
  tenants.getTenant,
  tenants.listAuditLog,
  apiKeys.listApiKeys,
  apiKeys.createApiKey,
  apiKeys.getApiKey,
  apiKeys.updateApiKey,
  apiKeys.getApiKeyUsage,
  apiKeys.rotateApiKey,
  apiKeys.revokeApiKey,
  apiKeys.deleteApiKey,
  customers.listCustomers,
  customers.getCustomer,
  customers.createCustomer,
  customers.createCustomers,
  customers.putCustomerByExternalId,
  customers.updateCustomer,
  customers.deleteCustomer,
  customers.mergeCustomers,
  customers.exportCustomer,
  customers.addCustomerTags,
  customers.removeCustomerTags,
  conversations.listConversations,
  conversations.getConversation,
  conversations.createConversation,
  conversations.updateConversation,
  conversations.deleteConversation,
  conversations.addConversationLabels,
  conversations.removeConversationLabels,
  messages.listMessages,
  messages.createMessage,
  messages.getMessage,
  messages.updateMessage,
  attachments.createAttachment,
  attachments.getAttachment,
  users.listUsers,
  users.createUser,
  users.inviteUserAgain,
  users.getMe,
  users.updateMe,
  users.getUser,
  users.updateUser,
  users.deleteUser,
  inboxes.listInboxes,
  inboxes.getInbox,
  inboxes.createInbox,
  inboxes.updateInbox,
  inboxes.deleteInbox,
  inboxes.makeWidgetSecret,
  telephony.createCapabilityToken,
  telephony.listCalls,
  telephony.createCall,
  telephony.getCall,
  telephony.updateCallMetadata,
  integrations.listIntegrations,
  integrations.createIntegration,
  integrations.getIntegration,
  integrations.updateIntegration,
  integrations.deleteIntegration,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.testWebhook,
  webhooks.listDeliveryLogs,
  webhooks.getDeliveryLog,
  webhooks.redeliver,
  webhooks.rotateWebhookSecret,
  webhooks.recoverDeliveries,
  events.listEvents,
  events.streamEvents,
  analytics.getUsage,
  analytics.getUsageHistory,
  analytics.getMetrics,
  analytics.getTags,
  privacy.exportOwnData,
  privacy.requestDeletion,
  privacy.getDeletionStatus,
  privacy.cancelDeletion,
  privacy.requestAccess,
  privacy.requestRectification,
  privacy.requestRestriction,
  privacy.requestObjection,
  privacy.listPrivacyRequests,
  privacy.approvePrivacyRequest,
  privacy.rejectPrivacyRequest,
  privacy.completePrivacyRequest,
] as const

export type AnyOperation = (typeof operations)[number]
export type OperationId = AnyOperation['id']
export type OperationById<Id extends OperationId> = Extract<AnyOperation, { id: Id }>
