import type { OperationId } from '@crmkit/core'
import { password } from '../support/call.ts'
import type { SmallWorld } from './world.ts'

/** Arguments with which an operation succeeds in the given world. */
export interface Sample {
  params?: Record<string, string>
  query?: string
  body?: unknown
  /** Fields of a form, where the operation accepts one. */
  form?: Readonly<Record<string, string | Blob>>
  headers?: Record<string, string>
}

/**
 * One sample for every operation. The compiler refuses an operation without one, so no new operation can escape the
 * generated tests. Called for each request: unique values are made here.
 */
export const samples: { readonly [Id in OperationId]: (world: SmallWorld) => Sample } = {
  'health.get': () => ({}),
  'auth.register': () => ({
    body: { tenantName: 'Another', email: `${crypto.randomUUID()}@example.com`, password },
  }),
  'auth.login': ({ email }) => ({ body: { email, password } }),
  'auth.refresh': ({ refreshToken }) => ({ body: { refreshToken } }),
  'auth.acceptInvite': ({ inviteToken }) => ({ body: { token: inviteToken, password } }),
  'auth.requestPasswordReset': ({ email }) => ({ body: { email } }),
  'auth.confirmPasswordReset': ({ resetToken }) => ({ body: { token: resetToken, password } }),
  'auth.logout': () => ({}),
  'auth.me': () => ({}),
  'auth.changePassword': () => ({ body: { currentPassword: password, newPassword: password } }),
  'tenant.get': () => ({}),
  'tenant.auditLog': () => ({}),
  'apiKeys.list': () => ({ query: 'environment=production&isActive=true' }),
  'apiKeys.create': () => ({ body: { name: 'New', permissions: ['read:customers'] } }),
  'apiKeys.get': ({ apiKeyId }) => ({ params: { id: apiKeyId } }),
  'apiKeys.update': ({ apiKeyId }) => ({ params: { id: apiKeyId }, body: { name: 'Renamed' } }),
  'apiKeys.usage': ({ apiKeyId }) => ({
    params: { id: apiKeyId },
    query: `month=${new Date().toISOString().slice(0, 7)}`,
  }),
  'apiKeys.rotate': ({ apiKeyId }) => ({ params: { id: apiKeyId }, body: { overlapSeconds: 60 } }),
  'apiKeys.revoke': ({ apiKeyId }) => ({ params: { id: apiKeyId } }),
  'apiKeys.delete': ({ apiKeyId }) => ({ params: { id: apiKeyId } }),
  'customers.list': () => ({ query: 'search=ada' }),
  'customers.get': ({ customerId }) => ({ params: { id: customerId } }),
  'customers.create': () => ({ body: { firstName: 'Grace' } }),
  'customers.createMany': () => ({ body: { customers: [{ firstName: 'Grace' }, { firstName: 'Ada' }] } }),
  'customers.putByExternalId': ({ externalId }) => ({
    params: { source: 'shop', id: externalId },
    body: { company: 'Analytical Engines' },
  }),
  'customers.addTags': ({ customerId }) => ({ params: { id: customerId }, body: { tags: ['vip'] } }),
  'customers.removeTags': ({ customerId }) => ({ params: { id: customerId }, body: { tags: ['vip'] } }),
  'customers.update': ({ customerId }) => ({
    params: { id: customerId },
    body: { company: 'Analytical Engines' },
  }),
  'customers.delete': ({ customerId }) => ({ params: { id: customerId } }),
  'customers.merge': ({ customerId, otherCustomerId }) => ({
    params: { id: customerId },
    body: { sourceId: otherCustomerId },
  }),
  'customers.export': ({ customerId }) => ({ params: { id: customerId }, query: 'format=csv' }),
  'conversations.list': ({ customerId, inboxId, userId }) => ({
    query: `customerId=${customerId}&inboxId=${inboxId}&assignedTo=${userId}`,
  }),
  'conversations.get': ({ conversationId }) => ({ params: { id: conversationId } }),
  'conversations.create': ({ inboxId, customerId, userId }) => ({
    body: { subject: 'New', inboxId, customerId, assignedTo: userId, message: { content: 'Hello' } },
  }),
  'conversations.update': ({ conversationId, customerId, inboxId, userId }) => ({
    params: { id: conversationId },
    body: { priority: 'high', customerId, inboxId, assignedTo: userId },
  }),
  'conversations.delete': ({ conversationId }) => ({
    params: { id: conversationId },
    body: { reason: 'Test' },
  }),
  'conversations.addLabels': ({ conversationId }) => ({
    params: { id: conversationId },
    body: { labels: ['billing'] },
  }),
  'conversations.removeLabels': ({ conversationId }) => ({
    params: { id: conversationId },
    body: { labels: ['billing'] },
  }),
  'conversations.counts': ({ inboxId }) => ({ query: `view=mine,${inboxId}` }),
  'conversations.recipients': ({ conversationId }) => ({ params: { id: conversationId } }),
  'conversations.setPresence': ({ conversationId }) => ({
    params: { id: conversationId },
    body: { state: 'viewing' },
  }),
  'conversations.read': ({ conversationId }) => ({ params: { id: conversationId } }),
  'conversations.unread': ({ conversationId, messageId }) => ({
    params: { id: conversationId },
    body: { messageId },
  }),
  'messages.list': ({ conversationId }) => ({ params: { id: conversationId } }),
  'messages.create': ({ conversationId, attachmentId }) => ({
    params: { id: conversationId },
    body: { content: 'Reply', attachments: [attachmentId] },
  }),
  'messages.get': ({ messageId }) => ({ params: { id: messageId } }),
  'messages.attempts': ({ messageId }) => ({ params: { id: messageId } }),
  'messages.delete': ({ queuedMailId }) => ({ params: { id: queuedMailId } }),
  'messages.sendAgain': ({ failedMailId }) => ({ params: { id: failedMailId } }),
  'messages.update': ({ messageId }) => ({ params: { id: messageId }, body: { status: 'delivered' } }),
  'drafts.get': ({ conversationId }) => ({ params: { id: conversationId } }),
  'drafts.save': ({ conversationId, attachmentId }) => ({
    params: { id: conversationId },
    body: { content: 'Reply', attachments: [attachmentId] },
  }),
  'drafts.discard': ({ conversationId }) => ({ params: { id: conversationId } }),
  'drafts.list': ({ conversationId }) => ({ params: { id: conversationId } }),
  'drafts.delete': ({ conversationId, draftId }) => ({ params: { id: conversationId, draftId } }),
  'drafts.send': ({ conversationId, draftId }) => ({ params: { id: conversationId, draftId } }),
  'attachments.create': () => ({ form: { file: new File(['A moth'], 'moth.txt') } }),
  'attachments.get': ({ attachmentId }) => ({ params: { id: attachmentId } }),
  'users.list': () => ({}),
  'users.create': () => ({ body: { email: `${crypto.randomUUID()}@example.com`, role: 'agent' } }),
  'users.inviteAgain': ({ invitedUserId }) => ({ params: { id: invitedUserId } }),
  'users.me': () => ({}),
  'users.updateMe': () => ({ body: { firstName: 'Olivia' } }),
  'users.get': ({ userId }) => ({ params: { id: userId } }),
  'users.update': ({ userId }) => ({ params: { id: userId }, body: { lastName: 'Ownersson' } }),
  'users.delete': ({ invitedUserId }) => ({ params: { id: invitedUserId } }),
  'inboxes.list': () => ({}),
  'inboxes.get': ({ inboxId }) => ({ params: { id: inboxId } }),
  'inboxes.create': ({ userId }) => ({ body: { name: 'New', members: [userId] } }),
  'inboxes.update': ({ inboxId, userId }) => ({ params: { id: inboxId }, body: { members: [userId] } }),
  'inboxes.makeWidgetSecret': ({ inboxId }) => ({ params: { id: inboxId }, body: {} }),
  'inboxes.setEmailCredentials': ({ inboxId }) => ({
    params: { id: inboxId },
    body: { mailgunSigningKey: 'key-1' },
  }),
  'inboxes.testEmail': ({ mailInboxId }) => ({ params: { id: mailInboxId }, body: {} }),
  'inboxes.dns': ({ mailInboxId }) => ({ params: { id: mailInboxId } }),
  'inboxes.verifyDomain': ({ mailInboxId }) => ({ params: { id: mailInboxId } }),
  'inboxes.makeDkimKey': ({ mailInboxId }) => ({ params: { id: mailInboxId }, body: {} }),
  'inboxes.deleteDkimKey': ({ mailInboxId }) => ({ params: { id: mailInboxId } }),
  'inboxes.makeInboundToken': ({ inboxId }) => ({ params: { id: inboxId }, body: { overlapSeconds: 0 } }),
  'mails.list': ({ inboxId }) => ({ query: `inboxId=${inboxId}` }),
  'mails.get': ({ mailId }) => ({ params: { id: mailId } }),
  'mails.raw': ({ mailId }) => ({ params: { id: mailId } }),
  'mails.processAgain': ({ mailId }) => ({ params: { id: mailId } }),
  'inboxes.delete': ({ emptyInboxId }) => ({ params: { id: emptyInboxId } }),
  'telephony.createToken': ({ userId }) => ({ body: { customerPhone: '+15551234567', agentId: userId } }),
  'calls.list': ({ customerId, conversationId, userId }) => ({
    query: `customerId=${customerId}&conversationId=${conversationId}&agentId=${userId}`,
  }),
  'calls.create': ({ customerId, conversationId, userId }) => ({
    body: { to: '+15551234567', customerId, conversationId, agentId: userId },
  }),
  'calls.get': ({ callId }) => ({ params: { callId } }),
  'calls.updateMetadata': ({ callId }) => ({ params: { callId }, body: { rating: 5 } }),
  'widget.config': ({ widgetKey }) => ({ query: `key=${widgetKey}` }),
  'widget.createSession': ({ widgetKey }) => ({ body: { key: widgetKey, profile: { firstName: 'Vera' } } }),
  'widget.endSession': () => ({}),
  'widget.listConversations': () => ({ query: 'limit=20' }),
  'widget.createConversation': ({ visitorUploadId }) => ({
    body: { message: 'Hello', clientMessageId: crypto.randomUUID(), attachments: [visitorUploadId] },
  }),
  'widget.listMessages': ({ widgetConversationId }) => ({ params: { id: widgetConversationId } }),
  'widget.createMessage': ({ widgetConversationId, visitorUploadId }) => ({
    params: { id: widgetConversationId },
    body: { content: 'Reply', clientMessageId: crypto.randomUUID(), attachments: [visitorUploadId] },
  }),
  'widget.read': ({ widgetConversationId }) => ({ params: { id: widgetConversationId } }),
  'widget.typing': ({ widgetConversationId }) => ({
    params: { id: widgetConversationId },
    body: { isTyping: true },
  }),
  'widget.rate': ({ widgetConversationId }) => ({
    params: { id: widgetConversationId },
    body: { rating: 5 },
  }),
  'widget.createAttachment': () => ({ form: { file: new File(['A moth'], 'moth.txt') } }),
  'widget.getAttachment': ({ widgetAttachmentId }) => ({ params: { id: widgetAttachmentId } }),
  'widget.listEvents': () => ({ query: 'limit=1' }),
  'widget.stream': () => ({}),
  'integrations.list': () => ({}),
  'integrations.create': () => ({ body: { provider: 'file', name: 'New' } }),
  'integrations.connect': () => ({ params: { provider: 'zoho' }, body: { name: 'Old CRM' } }),
  'integrations.confirm': ({ signInState }) => ({
    params: { provider: 'zoho' },
    body: { state: signInState },
  }),
  'integrations.get': ({ integrationId }) => ({ params: { id: integrationId } }),
  'integrations.update': ({ integrationId }) => ({
    params: { id: integrationId },
    body: { name: 'Renamed' },
  }),
  'integrations.test': ({ integrationId }) => ({ params: { id: integrationId } }),
  'integrations.fields': ({ integrationId }) => ({
    params: { module: 'Contacts' },
    query: `integrationId=${integrationId}`,
  }),
  'integrations.delete': ({ integrationId }) => ({ params: { id: integrationId } }),
  'imports.uploadFile': ({ integrationId }) => ({
    params: { id: integrationId },
    form: { module: 'Contacts', file: new File(['id,email\n1,ada@example.com\n'], 'people.csv') },
  }),
  'imports.start': ({ fileIntegrationId }) => ({ params: { id: fileIntegrationId }, body: { dryRun: true } }),
  'imports.status': ({ integrationId }) => ({ params: { id: integrationId } }),
  'imports.cancel': ({ pausedIntegrationId }) => ({ params: { id: pausedIntegrationId } }),
  'imports.list': ({ integrationId }) => ({ params: { id: integrationId } }),
  'imports.get': ({ integrationId, runId }) => ({ params: { id: integrationId, runId } }),
  'imports.listErrors': ({ integrationId, runId }) => ({ params: { id: integrationId, runId } }),
  'imports.exportErrors': ({ integrationId, runId }) => ({ params: { id: integrationId, runId } }),
  'imports.retry': ({ integrationId, runId }) => ({ params: { id: integrationId, runId } }),
  'imports.undo': ({ integrationId, runId }) => ({ params: { id: integrationId, runId } }),
  'integrations.setAutoSync': ({ zohoIntegrationId }) => ({
    params: { id: zohoIntegrationId },
    body: { enabled: false },
  }),
  'suppressedAddresses.list': () => ({}),
  'suppressedAddresses.delete': ({ suppressedAddressId }) => ({ params: { id: suppressedAddressId } }),
  'webhooks.list': () => ({ query: 'isActive=true' }),
  'webhooks.create': () => ({
    body: { name: 'New', url: 'https://127.0.0.1:1024/hook', events: ['customer.created'] },
  }),
  'webhooks.get': ({ webhookId }) => ({ params: { id: webhookId } }),
  'webhooks.update': ({ webhookId }) => ({ params: { id: webhookId }, body: { name: 'Renamed' } }),
  'webhooks.delete': ({ webhookId }) => ({ params: { id: webhookId } }),
  'webhooks.test': ({ webhookId }) => ({ params: { id: webhookId } }),
  'events.list': () => ({ query: 'after=earliest&types=customer.created' }),
  'events.stream': () => ({ query: 'types=customer.created' }),
  'webhooks.logs': ({ webhookId }) => ({ params: { id: webhookId } }),
  'webhooks.getLog': ({ webhookId, logId }) => ({ params: { id: webhookId, logId } }),
  'webhooks.redeliver': ({ webhookId, logId }) => ({ params: { id: webhookId, logId } }),
  'webhooks.rotateSecret': ({ webhookId }) => ({ params: { id: webhookId }, body: {} }),
  'webhooks.recover': ({ webhookId }) => ({
    params: { id: webhookId },
    body: { since: '2026-01-01T00:00:00.000Z' },
  }),
  'analytics.usage': () => ({ query: `month=${new Date().toISOString().slice(0, 7)}` }),
  'analytics.usageHistory': () => ({ query: 'months=3' }),
  'analytics.tags': ({ userId }) => ({ query: `startDate=2020-01-01&agentId=${userId}` }),
  'privacy.export': () => ({ query: 'format=csv' }),
  'privacy.requestDeletion': () => ({ body: { reason: 'I leave' } }),
  'privacy.deletionStatus': () => ({}),
  'privacy.cancelDeletion': () => ({}),
  'privacy.requestAccess': () => ({ body: { reason: 'I am curious', details: 'All of it' } }),
  'privacy.requestRectification': () => ({ body: { field: 'lastName', requestedValue: 'Lovelace' } }),
  'privacy.requestRestriction': () => ({ body: { reason: 'It is disputed' } }),
  'privacy.requestObjection': () => ({ body: { reason: 'No comparisons' } }),
  'privacyRequests.list': ({ userId }) => ({ query: `userId=${userId}&type=access&status=pending` }),
  'privacyRequests.approve': ({ privacyRequestId }) => ({
    params: { id: privacyRequestId },
    body: { notes: 'Checked' },
  }),
  'privacyRequests.reject': ({ privacyRequestId }) => ({
    params: { id: privacyRequestId },
    body: { rejectionReason: 'Unfounded' },
  }),
  'privacyRequests.complete': ({ approvedRequestId }) => ({ params: { id: approvedRequestId }, body: {} }),
  'analytics.metrics': () => ({ query: `month=${new Date().toISOString().slice(0, 7)}` }),
}
