// Generated from the contract by scripts/generate.ts. Do not edit.
import type { MessageReply } from '../core/call-options.ts'
import type {
  ApiKey,
  ApiKeyUsage,
  Attachment,
  AuditEntry,
  Call,
  CannedReply,
  CapabilityToken,
  ChangedConversation,
  Conversation,
  ConversationCounts,
  ConversationFigures,
  CreatedApiKey,
  CreatedCustomer,
  CreatedWebhook,
  Customer,
  CustomerDetails,
  CustomerMerge,
  CustomerNote,
  DeletionRequestReply,
  DeletionStatus,
  DeliveryLog,
  Door,
  Draft,
  EmailTest,
  EventsToken,
  Health,
  ImportFile,
  ImportIssue,
  ImportRun,
  ImportStatus,
  InboundMail,
  Inbox,
  InboxDns,
  InboxWithInboundToken,
  InboxWithWidgetSecret,
  Integration,
  Invitation,
  InvitedUser,
  ListedCustomer,
  Liveness,
  LoggedDelivery,
  LoggedEvent,
  MailAttempt,
  Me,
  Mention,
  Message,
  MonthlyUsage,
  OwnDraft,
  OwnUser,
  PackageFile,
  PackageState,
  PerformanceMetrics,
  PopulatedConversation,
  Presence,
  PrivacyRequest,
  PrivacyRequestReply,
  ReadState,
  RecoveredDeliveries,
  Registration,
  RenderedReply,
  ReplyRecipients,
  RetentionPreview,
  SampleData,
  SearchResults,
  Session,
  SourceFields,
  StartedSignIn,
  StoredCustomer,
  SuppressedAddress,
  TagCount,
  Tenant,
  TenantExport,
  TenantExportDetails,
  TenantSetup,
  TestedDelivery,
  TestedIntegration,
  TimelineEntry,
  UnmergedCustomers,
  UsageOfMonth,
  User,
  View,
  Webhook,
} from '../resources/types.gen.ts'
import { nextId } from './overrides.ts'
import {
  makeApiKey,
  makeApiKeyUsage,
  makeAttachment,
  makeAuditEntry,
  makeCall,
  makeCannedReply,
  makeCapabilityToken,
  makeChangedConversation,
  makeConversation,
  makeConversationCounts,
  makeConversationFigures,
  makeConversationIncluded,
  makeCreatedApiKey,
  makeCreatedCustomer,
  makeCreatedWebhook,
  makeCustomer,
  makeCustomerDetails,
  makeCustomerMerge,
  makeCustomerNote,
  makeDeletionRequest,
  makeDeliveryLog,
  makeDoor,
  makeDraft,
  makeEmailTest,
  makeEventsToken,
  makeHealth,
  makeImportFile,
  makeImportIssue,
  makeImportRun,
  makeImportStatus,
  makeInboundMail,
  makeInbox,
  makeInboxDns,
  makeInboxWithInboundToken,
  makeInboxWithWidgetSecret,
  makeIntegration,
  makeInvitation,
  makeInvitedUser,
  makeListedCustomer,
  makeLiveness,
  makeLoggedDelivery,
  makeLoggedEvent,
  makeMailAttempt,
  makeMe,
  makeMention,
  makeMessage,
  makeMonthlyUsage,
  makeOwnDraft,
  makeOwnUser,
  makePackageFile,
  makePackageState,
  makePerformanceMetrics,
  makePopulatedConversation,
  makePresence,
  makePrivacyRequest,
  makePrivacyRequestSummary,
  makeReadState,
  makeRecoveredDeliveries,
  makeRegistration,
  makeRenderedReply,
  makeReplyRecipients,
  makeRetentionPreview,
  makeSampleData,
  makeSearchResults,
  makeSession,
  makeSourceFields,
  makeStartedSignIn,
  makeStoredCustomer,
  makeSuppressedAddress,
  makeTagCount,
  makeTenant,
  makeTenantExport,
  makeTenantExportDetails,
  makeTenantSetup,
  makeTestedDelivery,
  makeTestedIntegration,
  makeTimelineEntry,
  makeUnmergedCustomers,
  makeUsageOfMonth,
  makeUser,
  makeView,
  makeWebhook,
} from './samples.gen.ts'

type Rows<T> = T[]

interface AskedFor {
  readonly asks: string
  readonly make: () => Readonly<Record<string, object>>
}

/** The result of each operation: its data, for a list its rows. */
export interface Replies {
  'health.get': Health
  'health.getLiveness': Liveness
  'auth.register': Session
  'auth.registration': Registration
  'auth.login': Session
  'auth.refresh': Session
  'auth.invitation': Invitation
  'auth.acceptInvite': Session
  'auth.requestPasswordReset': MessageReply
  'auth.confirmPasswordReset': Session
  'auth.logout': MessageReply
  'auth.me': Me
  'auth.changePassword': MessageReply
  'tenant.get': Tenant
  'tenant.update': Tenant
  'tenant.getRetention': RetentionPreview
  'tenant.getSetup': TenantSetup
  'tenant.updateSetup': TenantSetup
  'tenant.addSampleData': SampleData
  'tenant.removeSampleData': MessageReply
  'tenant.auditLog': Rows<AuditEntry>
  'tenant.createExport': TenantExport
  'tenant.listExports': TenantExport[]
  'tenant.getExport': TenantExportDetails
  'apiKeys.list': Rows<ApiKey>
  'apiKeys.create': CreatedApiKey
  'apiKeys.get': ApiKey
  'apiKeys.update': ApiKey
  'apiKeys.usage': ApiKeyUsage
  'apiKeys.rotate': CreatedApiKey
  'apiKeys.revoke': ApiKey
  'apiKeys.delete': MessageReply
  'customers.list': Rows<ListedCustomer>
  'customers.get': CustomerDetails
  'customers.create': Customer
  'customers.createMany': CreatedCustomer[]
  'customers.putByExternalId': Customer
  'customers.putMany': StoredCustomer[]
  'customers.update': Customer
  'customers.delete': MessageReply
  'customers.merge': Customer
  'customers.merges': CustomerMerge[]
  'customers.unmerge': UnmergedCustomers
  'customers.block': Customer
  'customers.unblock': Customer
  'customers.addTags': Customer
  'customers.removeTags': Customer
  'customerNotes.list': Rows<CustomerNote>
  'customerNotes.create': CustomerNote
  'customerNotes.get': CustomerNote
  'customerNotes.update': CustomerNote
  'customerNotes.delete': MessageReply
  'conversations.list': Rows<Conversation>
  'conversations.get': PopulatedConversation
  'conversations.create': Conversation
  'conversations.update': Conversation
  'conversations.updateMany': ChangedConversation[]
  'conversations.delete': MessageReply
  'conversations.addLabels': Conversation
  'conversations.removeLabels': Conversation
  'conversations.counts': ConversationCounts
  'conversations.recipients': ReplyRecipients
  'conversations.timeline': Rows<TimelineEntry>
  'conversations.setPresence': Presence[]
  'conversations.read': ReadState
  'conversations.unread': ReadState
  'conversations.merge': Conversation
  'conversations.unmerge': Conversation
  'search.find': SearchResults
  'messages.list': Rows<Message>
  'messages.create': Message
  'messages.get': Message
  'messages.update': Message
  'messages.attempts': MailAttempt[]
  'messages.sendAgain': Message
  'messages.delete': MessageReply
  'drafts.get': Draft | null
  'drafts.save': Draft
  'drafts.discard': MessageReply
  'drafts.list': Rows<Draft>
  'drafts.listOwn': Rows<OwnDraft>
  'drafts.delete': MessageReply
  'drafts.send': Message
  'attachments.create': Attachment
  'users.list': Rows<User>
  'users.create': InvitedUser
  'users.inviteAgain': InvitedUser
  'users.me': OwnUser
  'users.updateMe': OwnUser
  'users.setActivity': User
  'users.listMentions': Rows<Mention>
  'users.get': User
  'users.update': User
  'users.delete': MessageReply
  'inboxes.list': Rows<Inbox>
  'inboxes.get': Inbox
  'inboxes.create': Inbox
  'inboxes.update': Inbox
  'inboxes.delete': MessageReply
  'inboxes.makeWidgetSecret': InboxWithWidgetSecret
  'inboxes.setEmailCredentials': Inbox
  'inboxes.startEmailSignIn': StartedSignIn
  'inboxes.confirmEmailSignIn': Inbox
  'inboxes.endEmailSignIn': Inbox
  'inboxes.makeInboundToken': InboxWithInboundToken
  'inboxes.makeEventsToken': EventsToken
  'inboxes.testEmail': EmailTest
  'inboxes.dns': InboxDns
  'inboxes.verifyDomain': Inbox
  'inboxes.releaseMail': Inbox
  'inboxes.makeDkimKey': Inbox
  'inboxes.deleteDkimKey': Inbox
  'mails.list': Rows<InboundMail>
  'mails.get': InboundMail
  'mails.processAgain': InboundMail
  'mails.makeConversation': Conversation
  'mails.discard': InboundMail
  'telephony.createToken': CapabilityToken
  'calls.list': Rows<Call>
  'calls.create': Call
  'calls.get': Call
  'calls.updateMetadata': Call
  'integrations.list': Integration[]
  'integrations.create': Integration
  'integrations.connect': StartedSignIn
  'integrations.confirm': Integration
  'integrations.get': Integration
  'integrations.update': Integration
  'integrations.delete': MessageReply
  'integrations.handOver': Integration
  'integrations.test': TestedIntegration
  'integrations.fields': SourceFields
  'imports.uploadFile': ImportFile
  'imports.listFiles': Rows<ImportFile>
  'imports.getFile': ImportFile
  'imports.updateFile': ImportFile
  'imports.deleteFile': MessageReply
  'imports.putPackageFile': PackageFile
  'imports.getPackage': PackageState
  'imports.deletePackage': MessageReply
  'imports.start': {
    /** Id of the run. */
    runId: string
    /** State of the run. */
    status: 'queued' | 'running' | 'paused' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled' | (string & {})
  }
  'imports.status': ImportStatus
  'imports.cancel': {
    /** Id of the run. */
    runId: string
    /** State of the run. */
    status: 'queued' | 'running' | 'paused' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled' | (string & {})
  }
  'imports.list': Rows<ImportRun>
  'imports.get': ImportRun
  'imports.listErrors': Rows<ImportIssue>
  'imports.retry': {
    /** Id of the run. */
    runId: string
    /** State of the run. */
    status: 'queued' | 'running' | 'paused' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled' | (string & {})
  }
  'imports.undo': {
    /** Id of the run. */
    runId: string
    /** The undo of the run. */
    undo: {
      /** State of the undo. */
      status: 'none' | 'running' | 'done' | 'failed' | (string & {})
      /** Time at which the undo was requested. ISO 8601. */
      startedAt: string | null
      /** Time at which the undo ended. ISO 8601. */
      finishedAt: string | null
      /** Rows that were removed. */
      removed: number
      /** Rows that have their earlier values again. */
      restored: number
      /** Rows that were changed since and stay as they are. */
      kept: number
    }
  }
  'integrations.setAutoSync': Integration
  'doors.list': Rows<Door>
  'suppressedAddresses.list': Rows<SuppressedAddress>
  'suppressedAddresses.delete': MessageReply
  'cannedReplies.list': Rows<CannedReply>
  'cannedReplies.get': CannedReply
  'cannedReplies.create': CannedReply
  'cannedReplies.update': CannedReply
  'cannedReplies.delete': MessageReply
  'cannedReplies.render': RenderedReply
  'views.list': Rows<View>
  'views.get': View
  'views.create': View
  'views.update': View
  'views.delete': MessageReply
  'webhooks.list': Rows<Webhook>
  'webhooks.create': CreatedWebhook
  'webhooks.get': Webhook
  'webhooks.update': Webhook
  'webhooks.delete': MessageReply
  'webhooks.test': TestedDelivery
  'webhooks.logs': Rows<DeliveryLog>
  'webhooks.getLog': LoggedDelivery
  'webhooks.redeliver': DeliveryLog
  'webhooks.rotateSecret': CreatedWebhook
  'webhooks.recover': RecoveredDeliveries
  'events.list': Rows<LoggedEvent>
  'analytics.usage': MonthlyUsage
  'analytics.usageHistory': UsageOfMonth[]
  'analytics.metrics': PerformanceMetrics
  'analytics.tags': TagCount[]
  'analytics.conversations': ConversationFigures[]
  'privacy.requestDeletion': DeletionRequestReply
  'privacy.deletionStatus': DeletionStatus
  'privacy.cancelDeletion': MessageReply
  'privacy.requestAccess': PrivacyRequestReply
  'privacy.requestRectification': PrivacyRequestReply
  'privacy.requestRestriction': PrivacyRequestReply
  'privacy.requestObjection': PrivacyRequestReply
  'privacyRequests.list': Rows<PrivacyRequest>
  'privacyRequests.approve': PrivacyRequest
  'privacyRequests.reject': PrivacyRequest
  'privacyRequests.complete': PrivacyRequest
}

export const sampleReplies: { readonly [Id in keyof Replies]: () => Replies[Id] } = {
  'health.get': () => makeHealth(),
  'health.getLiveness': () => makeLiveness(),
  'auth.register': () => makeSession(),
  'auth.registration': () => makeRegistration(),
  'auth.login': () => makeSession(),
  'auth.refresh': () => makeSession(),
  'auth.invitation': () => makeInvitation(),
  'auth.acceptInvite': () => makeSession(),
  'auth.requestPasswordReset': () => ({ success: true, message: 'Done' }),
  'auth.confirmPasswordReset': () => makeSession(),
  'auth.logout': () => ({ success: true, message: 'Done' }),
  'auth.me': () => makeMe(),
  'auth.changePassword': () => ({ success: true, message: 'Done' }),
  'tenant.get': () => makeTenant(),
  'tenant.update': () => makeTenant(),
  'tenant.getRetention': () => makeRetentionPreview(),
  'tenant.getSetup': () => makeTenantSetup(),
  'tenant.updateSetup': () => makeTenantSetup(),
  'tenant.addSampleData': () => makeSampleData(),
  'tenant.removeSampleData': () => ({ success: true, message: 'Done' }),
  'tenant.auditLog': () => [makeAuditEntry()],
  'tenant.createExport': () => makeTenantExport(),
  'tenant.listExports': () => [makeTenantExport()],
  'tenant.getExport': () => makeTenantExportDetails(),
  'apiKeys.list': () => [makeApiKey()],
  'apiKeys.create': () => makeCreatedApiKey(),
  'apiKeys.get': () => makeApiKey(),
  'apiKeys.update': () => makeApiKey(),
  'apiKeys.usage': () => makeApiKeyUsage(),
  'apiKeys.rotate': () => makeCreatedApiKey(),
  'apiKeys.revoke': () => makeApiKey(),
  'apiKeys.delete': () => ({ success: true, message: 'Done' }),
  'customers.list': () => [makeListedCustomer()],
  'customers.get': () => makeCustomerDetails(),
  'customers.create': () => makeCustomer(),
  'customers.createMany': () => [makeCreatedCustomer()],
  'customers.putByExternalId': () => makeCustomer(),
  'customers.putMany': () => [makeStoredCustomer()],
  'customers.update': () => makeCustomer(),
  'customers.delete': () => ({ success: true, message: 'Done' }),
  'customers.merge': () => makeCustomer(),
  'customers.merges': () => [makeCustomerMerge()],
  'customers.unmerge': () => makeUnmergedCustomers(),
  'customers.block': () => makeCustomer(),
  'customers.unblock': () => makeCustomer(),
  'customers.addTags': () => makeCustomer(),
  'customers.removeTags': () => makeCustomer(),
  'customerNotes.list': () => [makeCustomerNote()],
  'customerNotes.create': () => makeCustomerNote(),
  'customerNotes.get': () => makeCustomerNote(),
  'customerNotes.update': () => makeCustomerNote(),
  'customerNotes.delete': () => ({ success: true, message: 'Done' }),
  'conversations.list': () => [makeConversation()],
  'conversations.get': () => makePopulatedConversation(),
  'conversations.create': () => makeConversation(),
  'conversations.update': () => makeConversation(),
  'conversations.updateMany': () => [makeChangedConversation()],
  'conversations.delete': () => ({ success: true, message: 'Done' }),
  'conversations.addLabels': () => makeConversation(),
  'conversations.removeLabels': () => makeConversation(),
  'conversations.counts': () => makeConversationCounts(),
  'conversations.recipients': () => makeReplyRecipients(),
  'conversations.timeline': () => [makeTimelineEntry()],
  'conversations.setPresence': () => [makePresence()],
  'conversations.read': () => makeReadState(),
  'conversations.unread': () => makeReadState(),
  'conversations.merge': () => makeConversation(),
  'conversations.unmerge': () => makeConversation(),
  'search.find': () => makeSearchResults(),
  'messages.list': () => [makeMessage()],
  'messages.create': () => makeMessage(),
  'messages.get': () => makeMessage(),
  'messages.update': () => makeMessage(),
  'messages.attempts': () => [makeMailAttempt()],
  'messages.sendAgain': () => makeMessage(),
  'messages.delete': () => ({ success: true, message: 'Done' }),
  'drafts.get': () => makeDraft(),
  'drafts.save': () => makeDraft(),
  'drafts.discard': () => ({ success: true, message: 'Done' }),
  'drafts.list': () => [makeDraft()],
  'drafts.listOwn': () => [makeOwnDraft()],
  'drafts.delete': () => ({ success: true, message: 'Done' }),
  'drafts.send': () => makeMessage(),
  'attachments.create': () => makeAttachment(),
  'users.list': () => [makeUser()],
  'users.create': () => makeInvitedUser(),
  'users.inviteAgain': () => makeInvitedUser(),
  'users.me': () => makeOwnUser(),
  'users.updateMe': () => makeOwnUser(),
  'users.setActivity': () => makeUser(),
  'users.listMentions': () => [makeMention()],
  'users.get': () => makeUser(),
  'users.update': () => makeUser(),
  'users.delete': () => ({ success: true, message: 'Done' }),
  'inboxes.list': () => [makeInbox()],
  'inboxes.get': () => makeInbox(),
  'inboxes.create': () => makeInbox(),
  'inboxes.update': () => makeInbox(),
  'inboxes.delete': () => ({ success: true, message: 'Done' }),
  'inboxes.makeWidgetSecret': () => makeInboxWithWidgetSecret(),
  'inboxes.setEmailCredentials': () => makeInbox(),
  'inboxes.startEmailSignIn': () => makeStartedSignIn(),
  'inboxes.confirmEmailSignIn': () => makeInbox(),
  'inboxes.endEmailSignIn': () => makeInbox(),
  'inboxes.makeInboundToken': () => makeInboxWithInboundToken(),
  'inboxes.makeEventsToken': () => makeEventsToken(),
  'inboxes.testEmail': () => makeEmailTest(),
  'inboxes.dns': () => makeInboxDns(),
  'inboxes.verifyDomain': () => makeInbox(),
  'inboxes.releaseMail': () => makeInbox(),
  'inboxes.makeDkimKey': () => makeInbox(),
  'inboxes.deleteDkimKey': () => makeInbox(),
  'mails.list': () => [makeInboundMail()],
  'mails.get': () => makeInboundMail(),
  'mails.processAgain': () => makeInboundMail(),
  'mails.makeConversation': () => makeConversation(),
  'mails.discard': () => makeInboundMail(),
  'telephony.createToken': () => makeCapabilityToken(),
  'calls.list': () => [makeCall()],
  'calls.create': () => makeCall(),
  'calls.get': () => makeCall(),
  'calls.updateMetadata': () => makeCall(),
  'integrations.list': () => [makeIntegration()],
  'integrations.create': () => makeIntegration(),
  'integrations.connect': () => makeStartedSignIn(),
  'integrations.confirm': () => makeIntegration(),
  'integrations.get': () => makeIntegration(),
  'integrations.update': () => makeIntegration(),
  'integrations.delete': () => ({ success: true, message: 'Done' }),
  'integrations.handOver': () => makeIntegration(),
  'integrations.test': () => makeTestedIntegration(),
  'integrations.fields': () => makeSourceFields(),
  'imports.uploadFile': () => makeImportFile(),
  'imports.listFiles': () => [makeImportFile()],
  'imports.getFile': () => makeImportFile(),
  'imports.updateFile': () => makeImportFile(),
  'imports.deleteFile': () => ({ success: true, message: 'Done' }),
  'imports.putPackageFile': () => makePackageFile(),
  'imports.getPackage': () => makePackageState(),
  'imports.deletePackage': () => ({ success: true, message: 'Done' }),
  'imports.start': () => ({ runId: nextId('imp'), status: "queued" }),
  'imports.status': () => makeImportStatus(),
  'imports.cancel': () => ({ runId: nextId('imp'), status: "queued" }),
  'imports.list': () => [makeImportRun()],
  'imports.get': () => makeImportRun(),
  'imports.listErrors': () => [makeImportIssue()],
  'imports.retry': () => ({ runId: nextId('imp'), status: "queued" }),
  'imports.undo': () => ({ runId: nextId('imp'), undo: { status: "none", startedAt: null, finishedAt: null, removed: 1, restored: 1, kept: 1 } }),
  'integrations.setAutoSync': () => makeIntegration(),
  'doors.list': () => [makeDoor()],
  'suppressedAddresses.list': () => [makeSuppressedAddress()],
  'suppressedAddresses.delete': () => ({ success: true, message: 'Done' }),
  'cannedReplies.list': () => [makeCannedReply()],
  'cannedReplies.get': () => makeCannedReply(),
  'cannedReplies.create': () => makeCannedReply(),
  'cannedReplies.update': () => makeCannedReply(),
  'cannedReplies.delete': () => ({ success: true, message: 'Done' }),
  'cannedReplies.render': () => makeRenderedReply(),
  'views.list': () => [makeView()],
  'views.get': () => makeView(),
  'views.create': () => makeView(),
  'views.update': () => makeView(),
  'views.delete': () => ({ success: true, message: 'Done' }),
  'webhooks.list': () => [makeWebhook()],
  'webhooks.create': () => makeCreatedWebhook(),
  'webhooks.get': () => makeWebhook(),
  'webhooks.update': () => makeWebhook(),
  'webhooks.delete': () => ({ success: true, message: 'Done' }),
  'webhooks.test': () => makeTestedDelivery(),
  'webhooks.logs': () => [makeDeliveryLog()],
  'webhooks.getLog': () => makeLoggedDelivery(),
  'webhooks.redeliver': () => makeDeliveryLog(),
  'webhooks.rotateSecret': () => makeCreatedWebhook(),
  'webhooks.recover': () => makeRecoveredDeliveries(),
  'events.list': () => [makeLoggedEvent()],
  'analytics.usage': () => makeMonthlyUsage(),
  'analytics.usageHistory': () => [makeUsageOfMonth()],
  'analytics.metrics': () => makePerformanceMetrics(),
  'analytics.tags': () => [makeTagCount()],
  'analytics.conversations': () => [makeConversationFigures()],
  'privacy.requestDeletion': () => ({ success: true, message: "Done", request: makeDeletionRequest() }),
  'privacy.deletionStatus': () => ({ success: true, hasRequest: true, request: makeDeletionRequest() }),
  'privacy.cancelDeletion': () => ({ success: true, message: 'Done' }),
  'privacy.requestAccess': () => ({ success: true, message: "Done", request: makePrivacyRequestSummary() }),
  'privacy.requestRectification': () => ({ success: true, message: "Done", request: makePrivacyRequestSummary() }),
  'privacy.requestRestriction': () => ({ success: true, message: "Done", request: makePrivacyRequestSummary() }),
  'privacy.requestObjection': () => ({ success: true, message: "Done", request: makePrivacyRequestSummary() }),
  'privacyRequests.list': () => [makePrivacyRequest()],
  'privacyRequests.approve': () => makePrivacyRequest(),
  'privacyRequests.reject': () => makePrivacyRequest(),
  'privacyRequests.complete': () => makePrivacyRequest(),
}

/** The envelope’s members besides `success` and `data`. */
export const besideData: Readonly<Partial<Record<keyof Replies, object>>> = {
  'imports.start': { message: "Done" },
  'imports.cancel': { message: "Done" },
  'imports.retry': { message: "Done" },
  'webhooks.test': { message: "Test event sent" },
}

/** The members beside `data` that a field of the request asks for. */
export const askedFor: Readonly<Partial<Record<keyof Replies, AskedFor>>> = {
  'conversations.get': { asks: 'include', make: () => ({ included: makeConversationIncluded() }) },
  'conversations.setPresence': { asks: 'readSeq', make: () => ({ read: makeReadState() }) },
}

/** The text of a form without which the reply is a list. */
export const listWithout: Readonly<Partial<Record<keyof Replies, string>>> = {
  'imports.uploadFile': 'module',
}

/** The status of a success, where it is not 200. */
export const successStatus: Readonly<Partial<Record<keyof Replies, number>>> = {
  'auth.register': 201,
  'tenant.addSampleData': 202,
  'tenant.removeSampleData': 202,
  'tenant.createExport': 202,
  'apiKeys.create': 201,
  'apiKeys.rotate': 201,
  'customers.create': 201,
  'customerNotes.create': 201,
  'conversations.create': 201,
  'messages.create': 201,
  'drafts.send': 201,
  'attachments.create': 201,
  'users.create': 201,
  'inboxes.create': 201,
  'mails.makeConversation': 201,
  'calls.create': 201,
  'integrations.create': 201,
  'integrations.confirm': 201,
  'imports.uploadFile': 201,
  'imports.putPackageFile': 201,
  'imports.start': 202,
  'imports.retry': 202,
  'imports.undo': 202,
  'cannedReplies.create': 201,
  'views.create': 201,
  'webhooks.create': 201,
  'privacy.requestDeletion': 201,
  'privacy.requestAccess': 201,
  'privacy.requestRectification': 201,
  'privacy.requestRestriction': 201,
  'privacy.requestObjection': 201,
}
