import type { AnyOperation, OperationById, OperationId } from '@crmkit/core'
import { handleGetConversationFigures } from './analytics/figures/get-conversation-figures.ts'
import { handleGetMetrics } from './analytics/get-metrics.ts'
import { handleGetTags } from './analytics/get-tags.ts'
import { handleGetUsage } from './analytics/get-usage.ts'
import { handleGetUsageHistory } from './analytics/get-usage-history.ts'
import { handleCreateApiKey } from './api-keys/create-api-key.ts'
import { handleDeleteApiKey } from './api-keys/delete-api-key.ts'
import { handleGetApiKeyUsage } from './api-keys/get-api-key-usage.ts'
import { handleGetApiKey, handleListApiKeys } from './api-keys/read-api-keys.ts'
import { handleRotateApiKey } from './api-keys/rotate-api-key.ts'
import { handleRevokeApiKey, handleUpdateApiKey } from './api-keys/update-api-key.ts'
import { handleCreateAttachment } from './attachments/create-attachment.ts'
import { handleGetAttachment } from './attachments/get-attachment.ts'
import { handleAcceptInvite } from './auth/accept-invite.ts'
import { handleChangePassword } from './auth/change-password.ts'
import { handleConfirmPasswordReset } from './auth/confirm-password-reset.ts'
import { handleGetInvitation } from './auth/get-invitation.ts'
import { handleGetRegistration } from './auth/get-registration.ts'
import { handleLogin } from './auth/login.ts'
import { handleLogout } from './auth/logout.ts'
import { handleMe } from './auth/me.ts'
import { handleRefresh } from './auth/refresh.ts'
import { handleRegister } from './auth/register.ts'
import { handleRequestPasswordReset } from './auth/request-password-reset.ts'
import { cannedReplyHandlers } from './canned-replies/canned-reply-handlers.ts'
import { handleChangeConversations } from './conversations/change-conversations.ts'
import { handleCountConversations } from './conversations/count-conversations.ts'
import { handleCreateConversation } from './conversations/create-conversation.ts'
import { handleDeleteConversation } from './conversations/delete-conversation.ts'
import { draftHandlers } from './conversations/drafts/draft-handlers.ts'
import { handleGetConversation } from './conversations/get-conversation.ts'
import {
  handleAddConversationLabels,
  handleRemoveConversationLabels,
} from './conversations/label-conversation.ts'
import { handleListConversations } from './conversations/list-conversations.ts'
import { handleListReplyRecipients } from './conversations/list-reply-recipients.ts'
import { handleMergeConversations, handleUnmergeConversation } from './conversations/merge-conversations.ts'
import { messageHandlers } from './conversations/message-handlers.ts'
import { handleReadConversation } from './conversations/read-conversation.ts'
import { handleListTimeline } from './conversations/read-timeline.ts'
import { handleSetPresence } from './conversations/set-presence.ts'
import { handleUnreadConversation } from './conversations/unread-conversation.ts'
import { handleUpdateConversation } from './conversations/update-conversation.ts'
import { customerHandlers } from './customers/customer-handlers.ts'
import { handleExportCustomer } from './customers/export-customer.ts'
import { customerNoteHandlers } from './customers/notes/note-handlers.ts'
import { handleAddSampleData } from './customers/samples/add-sample-data.ts'
import { handleRemoveSampleData } from './customers/samples/remove-sample-data.ts'
import { handleListDoors } from './doors/list-doors.ts'
import { handleListEvents } from './events/list-events.ts'
import { handleStreamEvents } from './events/stream-events.ts'
import type { Handler } from './handler.ts'
import { handleGetHealth, handleGetLiveness } from './health/get-health.ts'
import { handleCancelImport } from './imports/cancel-import.ts'
import { handleCountSheet } from './imports/count-sheet.ts'
import { handleExportImportErrors } from './imports/export-errors.ts'
import { handleExportRejectedRows } from './imports/export-rejected.ts'
import { handleHandOver } from './imports/hand-over.ts'
import { handleDeletePackage, handleGetPackage, handlePutPackageFile } from './imports/package-files.ts'
import {
  handleDeleteImportFile,
  handleGetImportFile,
  handleListImportFiles,
  handleUpdateImportFile,
} from './imports/read-import-files.ts'
import {
  handleGetImport,
  handleGetImportStatus,
  handleListImportErrors,
  handleListImports,
} from './imports/read-imports.ts'
import { handleRetryImport, handleUndoImport } from './imports/repeat-import.ts'
import { handleSetAutoSync } from './imports/set-auto-sync.ts'
import { handleStartImport } from './imports/start-import.ts'
import { handleUploadImportFile } from './imports/upload-import-file.ts'
import { handleCreateInbox, handleDeleteInbox, handleUpdateInbox } from './inboxes/change-inbox.ts'
import { handleGetInboxDns, handleVerifyDomain } from './inboxes/check-dns.ts'
import { handleConfirmEmailSignIn } from './inboxes/confirm-email-sign-in.ts'
import { handleDeleteDkimKey, handleMakeDkimKey } from './inboxes/dkim-key.ts'
import { handleEndEmailSignIn } from './inboxes/end-email-sign-in.ts'
import { handleMakeEventsToken } from './inboxes/make-events-token.ts'
import { handleMakeInboundToken } from './inboxes/make-inbound-token.ts'
import { handleMakeWidgetSecret } from './inboxes/make-widget-secret.ts'
import { handleGetInbox, handleListInboxes } from './inboxes/read-inboxes.ts'
import { handleReleaseMail } from './inboxes/release-mail.ts'
import { handleSetEmailCredentials } from './inboxes/set-email-credentials.ts'
import { handleStartEmailSignIn } from './inboxes/start-email-sign-in.ts'
import { handleTestEmail } from './inboxes/test-email.ts'
import { handleConfirmIntegration } from './integrations/confirm-sign-in.ts'
import { handleCreateIntegration } from './integrations/create-integration.ts'
import { handleDeleteIntegration } from './integrations/delete-integration.ts'
import { handleGetIntegration, handleListIntegrations } from './integrations/read-integrations.ts'
import { handleGetSourceFields } from './integrations/source-fields.ts'
import { handleConnectIntegration } from './integrations/start-sign-in.ts'
import { handleTestIntegration } from './integrations/test-integration.ts'
import { handleUpdateIntegration } from './integrations/update-integration.ts'
import { handleDiscardMail } from './mails/discard-mail.ts'
import { handleMakeConversationOfMail } from './mails/make-conversation.ts'
import { handleProcessMailAgain } from './mails/process-again.ts'
import { handleGetInboundMail, handleGetRawMail, handleListInboundMails } from './mails/read-mails.ts'
import {
  handleApprovePrivacyRequest,
  handleCompletePrivacyRequest,
  handleListPrivacyRequests,
  handleRejectPrivacyRequest,
} from './privacy/decide-requests.ts'
import { handleCancelDeletion, handleGetDeletionStatus } from './privacy/deletion-requests.ts'
import { handleExportOwnData } from './privacy/export-own-data.ts'
import {
  handleRequestAccess,
  handleRequestDeletion,
  handleRequestObjection,
  handleRequestRectification,
  handleRequestRestriction,
} from './privacy/request-own.ts'
import { handleSearchEverything } from './search/search-everything.ts'
import type { DownloadHandler, PollHandler, StreamHandler } from './stream-handler.ts'
import { handleDeleteSuppressedAddress } from './suppressed-addresses/delete-suppressed-address.ts'
import { handleListSuppressedAddresses } from './suppressed-addresses/list-suppressed-addresses.ts'
import type { SystemHandler } from './system-handler.ts'
import { handleCreateCall } from './telephony/create-call.ts'
import { handleCreateCapabilityToken } from './telephony/create-capability-token.ts'
import { handleGetCall, handleListCalls } from './telephony/read-calls.ts'
import { handleUpdateCallMetadata } from './telephony/update-call-metadata.ts'
import {
  handleCreateTenantExport,
  handleGetTenantExport,
  handleGetTenantExportPart,
  handleListTenantExports,
} from './tenant/exports/exports.ts'
import { handleGetTenant } from './tenant/get-tenant.ts'
import { handleListAuditLog } from './tenant/list-audit-log.ts'
import { handleGetTenantRetention } from './tenant/retention/get-retention.ts'
import { handleGetTenantSetup, handleUpdateTenantSetup } from './tenant/tenant-setup.ts'
import { handleUpdateTenant } from './tenant/update-tenant.ts'
import { handleDeleteUser } from './users/delete-user.ts'
import { handleCreateUser, handleInviteUserAgain } from './users/invite-user.ts'
import { handleGetMe, handleGetUser, handleListUsers } from './users/read-users.ts'
import { handleSetActivity } from './users/set-activity.ts'
import { handleUpdateMe, handleUpdateUser } from './users/update-user.ts'
import { viewHandlers } from './views/view-handlers.ts'
import { webhookHandlers } from './webhooks/webhook-handlers.ts'
import { handleGetWidgetAttachment } from './widget/attachments.ts'
import { handleCreateWidgetSession } from './widget/create-session.ts'
import { handleListWidgetEvents, handleStreamWidgetEvents } from './widget/follow-events.ts'
import { handleGetWidgetConfig } from './widget/get-config.ts'
import { widgetHandlers } from './widget/widget-handlers.ts'

/** Operations that need more than one tenant's store: sign-in, memberships, the tenant's own row, the service's health. */
type SystemOperationId = Extract<
  OperationId,
  | `auth.${string}`
  | `health.${string}`
  | `tenant.${'get' | 'update'}${'' | 'Setup'}`
  | 'tenant.getRetention'
  | `tenant.${'add' | 'remove'}SampleData`
  | 'tenant.createExport'
  | 'users.delete'
  | 'users.setActivity'
  | 'privacyRequests.approve'
  | 'inboxes.confirmEmailSignIn'
  | 'integrations.confirm'
  | 'widget.config'
  | 'widget.createSession'
>
/** The only operations whose response is something else than one reply. */
type PollOperationId = 'widget.listEvents'
type StreamOperationId = Extract<AnyOperation, { isStream: true }>['id']
type DownloadOperationId = Extract<AnyOperation, { download: readonly string[] }>['id']
type TenantOperationId = Exclude<
  OperationId,
  SystemOperationId | StreamOperationId | DownloadOperationId | PollOperationId
>

export type SystemHandlers = { readonly [Id in SystemOperationId]: SystemHandler<OperationById<Id>> }
export type TenantHandlers = { readonly [Id in TenantOperationId]: Handler<OperationById<Id>> }

export type StreamHandlers = { readonly [Id in StreamOperationId]: StreamHandler<OperationById<Id>> }

export const systemHandlers: SystemHandlers = {
  'health.get': handleGetHealth,
  'health.getLiveness': handleGetLiveness,
  'tenant.get': handleGetTenant,
  'tenant.update': handleUpdateTenant,
  'tenant.getRetention': handleGetTenantRetention,
  'tenant.getSetup': handleGetTenantSetup,
  'tenant.updateSetup': handleUpdateTenantSetup,
  'tenant.addSampleData': handleAddSampleData,
  'tenant.removeSampleData': handleRemoveSampleData,
  'tenant.createExport': handleCreateTenantExport,
  'users.delete': handleDeleteUser,
  'users.setActivity': handleSetActivity,
  'privacyRequests.approve': handleApprovePrivacyRequest,
  'inboxes.confirmEmailSignIn': handleConfirmEmailSignIn,
  'integrations.confirm': handleConfirmIntegration,
  'widget.config': handleGetWidgetConfig,
  'widget.createSession': handleCreateWidgetSession,
  'auth.register': handleRegister,
  'auth.registration': handleGetRegistration,
  'auth.login': handleLogin,
  'auth.refresh': handleRefresh,
  'auth.acceptInvite': handleAcceptInvite,
  'auth.invitation': handleGetInvitation,
  'auth.requestPasswordReset': handleRequestPasswordReset,
  'auth.confirmPasswordReset': handleConfirmPasswordReset,
  'auth.logout': handleLogout,
  'auth.me': handleMe,
  'auth.changePassword': handleChangePassword,
}

export const streamHandlers: StreamHandlers = {
  'events.stream': handleStreamEvents,
  'widget.stream': handleStreamWidgetEvents,
}

export type PollHandlers = { readonly [Id in PollOperationId]: PollHandler<OperationById<Id>> }

/** A request that waits for an event holds no slot of the conflict queues and makes no change. */
export const pollHandlers: PollHandlers = {
  'widget.listEvents': handleListWidgetEvents,
}

export type DownloadHandlers = { readonly [Id in DownloadOperationId]: DownloadHandler<OperationById<Id>> }

export const downloadHandlers: DownloadHandlers = {
  'attachments.get': handleGetAttachment,
  'tenant.getExportPart': handleGetTenantExportPart,
  'widget.getAttachment': handleGetWidgetAttachment,
  'customers.export': handleExportCustomer,
  'imports.countSheet': handleCountSheet,
  'imports.exportErrors': handleExportImportErrors,
  'imports.exportRejected': handleExportRejectedRows,
  'privacy.export': handleExportOwnData,
  'mails.raw': handleGetRawMail,
}

/** The compiler refuses an operation without its handler here. */
export const tenantHandlers: TenantHandlers = {
  'tenant.auditLog': handleListAuditLog,
  'tenant.listExports': handleListTenantExports,
  'tenant.getExport': handleGetTenantExport,
  'telephony.createToken': handleCreateCapabilityToken,
  'calls.list': handleListCalls,
  'calls.create': handleCreateCall,
  'calls.get': handleGetCall,
  'calls.updateMetadata': handleUpdateCallMetadata,
  'apiKeys.list': handleListApiKeys,
  'apiKeys.create': handleCreateApiKey,
  'apiKeys.get': handleGetApiKey,
  'apiKeys.update': handleUpdateApiKey,
  'apiKeys.usage': handleGetApiKeyUsage,
  'apiKeys.rotate': handleRotateApiKey,
  'apiKeys.revoke': handleRevokeApiKey,
  'apiKeys.delete': handleDeleteApiKey,
  ...customerHandlers,
  'conversations.list': handleListConversations,
  'conversations.get': handleGetConversation,
  'conversations.create': handleCreateConversation,
  'conversations.update': handleUpdateConversation,
  'conversations.updateMany': handleChangeConversations,
  'conversations.delete': handleDeleteConversation,
  'conversations.addLabels': handleAddConversationLabels,
  'conversations.removeLabels': handleRemoveConversationLabels,
  'search.find': handleSearchEverything,
  ...cannedReplyHandlers,
  ...viewHandlers,
  ...customerNoteHandlers,
  ...draftHandlers,
  ...messageHandlers,
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
  'inboxes.setEmailCredentials': handleSetEmailCredentials,
  'inboxes.startEmailSignIn': handleStartEmailSignIn,
  'inboxes.endEmailSignIn': handleEndEmailSignIn,
  'inboxes.makeInboundToken': handleMakeInboundToken,
  'inboxes.makeEventsToken': handleMakeEventsToken,
  'inboxes.testEmail': handleTestEmail,
  'inboxes.dns': handleGetInboxDns,
  'inboxes.verifyDomain': handleVerifyDomain,
  'inboxes.releaseMail': handleReleaseMail,
  'inboxes.makeDkimKey': handleMakeDkimKey,
  'inboxes.deleteDkimKey': handleDeleteDkimKey,
  'mails.list': handleListInboundMails,
  'mails.get': handleGetInboundMail,
  'mails.processAgain': handleProcessMailAgain,
  'mails.makeConversation': handleMakeConversationOfMail,
  'mails.discard': handleDiscardMail,
  ...widgetHandlers,
  'integrations.list': handleListIntegrations,
  'integrations.create': handleCreateIntegration,
  'integrations.connect': handleConnectIntegration,
  'integrations.get': handleGetIntegration,
  'integrations.update': handleUpdateIntegration,
  'integrations.delete': handleDeleteIntegration,
  'integrations.test': handleTestIntegration,
  'integrations.fields': handleGetSourceFields,
  'imports.uploadFile': handleUploadImportFile,
  'imports.listFiles': handleListImportFiles,
  'imports.getFile': handleGetImportFile,
  'imports.updateFile': handleUpdateImportFile,
  'imports.deleteFile': handleDeleteImportFile,
  'imports.putPackageFile': handlePutPackageFile,
  'imports.getPackage': handleGetPackage,
  'imports.deletePackage': handleDeletePackage,
  'imports.start': handleStartImport,
  'imports.status': handleGetImportStatus,
  'imports.cancel': handleCancelImport,
  'imports.list': handleListImports,
  'imports.get': handleGetImport,
  'imports.listErrors': handleListImportErrors,
  'imports.retry': handleRetryImport,
  'imports.undo': handleUndoImport,
  'integrations.setAutoSync': handleSetAutoSync,
  'integrations.handOver': handleHandOver,
  'doors.list': handleListDoors,
  'suppressedAddresses.list': handleListSuppressedAddresses,
  'suppressedAddresses.delete': handleDeleteSuppressedAddress,
  'conversations.counts': handleCountConversations,
  'conversations.recipients': handleListReplyRecipients,
  'conversations.timeline': handleListTimeline,
  'conversations.setPresence': handleSetPresence,
  'conversations.read': handleReadConversation,
  'conversations.unread': handleUnreadConversation,
  'conversations.merge': handleMergeConversations,
  'conversations.unmerge': handleUnmergeConversation,
  ...webhookHandlers,
  'events.list': handleListEvents,
  'analytics.usage': handleGetUsage,
  'analytics.usageHistory': handleGetUsageHistory,
  'analytics.metrics': handleGetMetrics,
  'analytics.tags': handleGetTags,
  'analytics.conversations': handleGetConversationFigures,
  'privacy.requestDeletion': handleRequestDeletion,
  'privacy.deletionStatus': handleGetDeletionStatus,
  'privacy.cancelDeletion': handleCancelDeletion,
  'privacy.requestAccess': handleRequestAccess,
  'privacy.requestRectification': handleRequestRectification,
  'privacy.requestRestriction': handleRequestRestriction,
  'privacy.requestObjection': handleRequestObjection,
  'privacyRequests.list': handleListPrivacyRequests,
  'privacyRequests.reject': handleRejectPrivacyRequest,
  'privacyRequests.complete': handleCompletePrivacyRequest,
}
