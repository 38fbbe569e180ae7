import type { AnyOperation, OperationById, OperationId } from '@crmkit/core'
import { handleCreateApiKey } from './features/api-keys/create-api-key.ts'
import { handleDeleteApiKey } from './features/api-keys/delete-api-key.ts'
import { handleGetApiKeyUsage } from './features/api-keys/get-api-key-usage.ts'
import { handleGetApiKey, handleListApiKeys } from './features/api-keys/read-api-keys.ts'
import { handleRotateApiKey } from './features/api-keys/rotate-api-key.ts'
import { handleRevokeApiKey, handleUpdateApiKey } from './features/api-keys/update-api-key.ts'
import { handleCreateAttachment } from './features/attachments/create-attachment.ts'
import { handleGetAttachment } from './features/attachments/get-attachment.ts'
import { handleAcceptInvite } from './features/auth/accept-invite.ts'
import { handleChangePassword } from './features/auth/change-password.ts'
import { handleLogin } from './features/auth/login.ts'
import { handleLogout } from './features/auth/logout.ts'
import { handleMe } from './features/auth/me.ts'
import { handleRefresh } from './features/auth/refresh.ts'
import { handleRegister } from './features/auth/register.ts'
import { handleCreateConversation } from './features/conversations/create-conversation.ts'
import { handleDeleteConversation } from './features/conversations/delete-conversation.ts'
import { handleGetConversation } from './features/conversations/get-conversation.ts'
import {
  handleAddConversationLabels,
  handleRemoveConversationLabels,
} from './features/conversations/label-conversation.ts'
import { handleListConversations } from './features/conversations/list-conversations.ts'
import { handleUpdateConversation } from './features/conversations/update-conversation.ts'
import { handleCreateCustomer } from './features/customers/create-customer.ts'
import { handleDeleteCustomer } from './features/customers/delete-customer.ts'
import { handleExportCustomer } from './features/customers/export-customer.ts'
import { handleGetCustomer } from './features/customers/get-customer.ts'
import { handleListCustomers } from './features/customers/list-customers.ts'
import { handleMergeCustomers } from './features/customers/merge-customers.ts'
import { handleUpdateCustomer } from './features/customers/update-customer.ts'
import { handleListEvents } from './features/events/list-events.ts'
import { handleStreamEvents } from './features/events/stream-events.ts'
import { handleGetHealth } from './features/health/get-health.ts'
import { handleCreateInbox, handleDeleteInbox, handleUpdateInbox } from './features/inboxes/change-inbox.ts'
import { handleMakeWidgetSecret } from './features/inboxes/make-widget-secret.ts'
import { handleGetInbox, handleListInboxes } from './features/inboxes/read-inboxes.ts'
import { handleCreateMessage } from './features/messages/create-message.ts'
import { handleGetMessage } from './features/messages/get-message.ts'
import { handleListMessages } from './features/messages/list-messages.ts'
import { handleUpdateMessage } from './features/messages/update-message.ts'
import { handleGetTenant } from './features/tenant/get-tenant.ts'
import { handleListAuditLog } from './features/tenant/list-audit-log.ts'
import { handleDeleteUser } from './features/users/delete-user.ts'
import { handleCreateUser, handleInviteUserAgain } from './features/users/invite-user.ts'
import { handleGetMe, handleGetUser, handleListUsers } from './features/users/read-users.ts'
import { handleUpdateMe, handleUpdateUser } from './features/users/update-user.ts'
import { handleCreateWebhook } from './features/webhooks/create-webhook.ts'
import { handleDeleteWebhook } from './features/webhooks/delete-webhook.ts'
import { handleGetDeliveryLog } from './features/webhooks/get-delivery-log.ts'
import { handleGetWebhook } from './features/webhooks/get-webhook.ts'
import { handleListDeliveryLogs } from './features/webhooks/list-delivery-logs.ts'
import { handleListWebhooks } from './features/webhooks/list-webhooks.ts'
import { handleRecoverDeliveries } from './features/webhooks/recover-deliveries.ts'
import { handleRedeliver } from './features/webhooks/redeliver.ts'
import { handleRotateWebhookSecret } from './features/webhooks/rotate-webhook-secret.ts'
import { handleTestWebhook } from './features/webhooks/test-webhook.ts'
import { handleUpdateWebhook } from './features/webhooks/update-webhook.ts'
import type { DownloadHandler, Handler, StreamHandler, SystemHandler } from './handler.ts'

/** Operations beyond what a tenant's store holds: signing in, memberships, the tenant's own row, the health of the whole service. */
type SystemOperationId = Extract<OperationId, `auth.${string}` | 'health.get' | 'tenant.get' | 'users.delete'>
/** The only operations that answer with something else than one reply. */
type StreamOperationId = Extract<AnyOperation, { isStream: true }>['id']
type DownloadOperationId = Extract<AnyOperation, { download: readonly string[] }>['id']
type TenantOperationId = Exclude<OperationId, SystemOperationId | StreamOperationId | DownloadOperationId>

export type SystemHandlers = { readonly [Id in SystemOperationId]: SystemHandler<OperationById<Id>> }
export type TenantHandlers = { readonly [Id in TenantOperationId]: Handler<OperationById<Id>> }

export type StreamHandlers = { readonly [Id in StreamOperationId]: StreamHandler<OperationById<Id>> }

export const systemHandlers: SystemHandlers = {
  'health.get': handleGetHealth,
  'tenant.get': handleGetTenant,
  'users.delete': handleDeleteUser,
  'auth.register': handleRegister,
  'auth.login': handleLogin,
  'auth.refresh': handleRefresh,
  'auth.acceptInvite': handleAcceptInvite,
  'auth.logout': handleLogout,
  'auth.me': handleMe,
  'auth.changePassword': handleChangePassword,
}

export const streamHandlers: StreamHandlers = {
  'events.stream': handleStreamEvents,
}

export type DownloadHandlers = { readonly [Id in DownloadOperationId]: DownloadHandler<OperationById<Id>> }

export const downloadHandlers: DownloadHandlers = {
  'attachments.get': handleGetAttachment,
  'customers.export': handleExportCustomer,
}

/** The compiler refuses an operation without its handler here. */
export const tenantHandlers: TenantHandlers = {
  'tenant.auditLog': handleListAuditLog,
  'apiKeys.list': handleListApiKeys,
  'apiKeys.create': handleCreateApiKey,
  'apiKeys.get': handleGetApiKey,
  'apiKeys.update': handleUpdateApiKey,
  'apiKeys.usage': handleGetApiKeyUsage,
  'apiKeys.rotate': handleRotateApiKey,
  'apiKeys.revoke': handleRevokeApiKey,
  'apiKeys.delete': handleDeleteApiKey,
  'customers.list': handleListCustomers,
  'customers.get': handleGetCustomer,
  'customers.create': handleCreateCustomer,
  'customers.update': handleUpdateCustomer,
  'customers.delete': handleDeleteCustomer,
  'customers.merge': handleMergeCustomers,
  'conversations.list': handleListConversations,
  'conversations.get': handleGetConversation,
  'conversations.create': handleCreateConversation,
  'conversations.update': handleUpdateConversation,
  'conversations.delete': handleDeleteConversation,
  'conversations.addLabels': handleAddConversationLabels,
  'conversations.removeLabels': handleRemoveConversationLabels,
  'messages.list': handleListMessages,
  'messages.create': handleCreateMessage,
  'messages.get': handleGetMessage,
  'messages.update': handleUpdateMessage,
  'attachments.create': handleCreateAttachment,
  'users.list': handleListUsers,
  'users.create': handleCreateUser,
  'users.inviteAgain': handleInviteUserAgain,
  'users.me': handleGetMe,
  'users.updateMe': handleUpdateMe,
  'users.get': handleGetUser,
  'users.update': handleUpdateUser,
  'inboxes.list': handleListInboxes,
  'inboxes.get': handleGetInbox,
  'inboxes.create': handleCreateInbox,
  'inboxes.update': handleUpdateInbox,
  'inboxes.delete': handleDeleteInbox,
  'inboxes.makeWidgetSecret': handleMakeWidgetSecret,
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
  'events.list': handleListEvents,
}
