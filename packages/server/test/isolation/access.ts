import type { OperationId, Permission, Role } from '@crmkit/core'

/**
 * No credential at all; any credential; a session of at least this role; a permission, several of them, or one of
 * several; or an admin's session, or a key with these permissions.
 */
type Access =
  | 'anybody'
  /** The session of a visitor of the chat widget, and no other credential. */
  | 'visitor'
  | 'anyCredential'
  | Role
  | Permission
  | { all: readonly Permission[] }
  | { oneOf: readonly Permission[] }
  | { admin: true; key: readonly Permission[] }

/** Integrations: an admin's session, or a key with these permissions. */
const reads: Access = { admin: true, key: ['read:customers'] }
const writes: Access = { admin: true, key: ['write:customers', 'write:conversations'] }

/**
 * The access to every operation, entered a second time from specification 5, contract 3 and contract 6: the tests
 * find a declaration that grants too much here, and one that grants too little.
 */
export const access: Readonly<Record<OperationId, Access>> = {
  'health.get': 'anybody',
  'health.getLiveness': 'anybody',
  'auth.register': 'anybody',
  'auth.registration': 'anybody',
  'auth.login': 'anybody',
  'auth.refresh': 'anybody',
  'auth.acceptInvite': 'anybody',
  'auth.invitation': 'anybody',
  'auth.requestPasswordReset': 'anybody',
  'auth.confirmPasswordReset': 'anybody',
  'auth.logout': 'viewer',
  'auth.me': 'anyCredential',
  'auth.changePassword': 'viewer',
  'tenant.get': 'admin',
  'tenant.update': 'admin',
  'tenant.getSetup': 'admin',
  'tenant.updateSetup': 'admin',
  'tenant.addSampleData': 'admin',
  'tenant.removeSampleData': 'admin',
  'tenant.createExport': 'owner',
  'tenant.listExports': 'owner',
  'tenant.getExport': 'owner',
  'tenant.getExportPart': 'owner',
  'tenant.auditLog': 'admin',
  'apiKeys.list': 'admin',
  'apiKeys.create': 'admin',
  'apiKeys.get': 'admin',
  'apiKeys.update': 'admin',
  'apiKeys.usage': 'admin',
  'apiKeys.rotate': 'admin',
  'apiKeys.revoke': 'admin',
  'apiKeys.delete': 'admin',
  'telephony.createToken': 'agent',
  'calls.list': 'agent',
  'calls.create': 'agent',
  'calls.get': 'agent',
  'calls.updateMetadata': 'agent',
  'customers.list': 'read:customers',
  'customers.get': 'read:customers',
  'customers.create': 'write:customers',
  'customers.createMany': 'write:customers',
  'customers.putByExternalId': 'write:customers',
  'customers.putMany': 'write:customers',
  'customers.addTags': 'write:customers',
  'customers.removeTags': 'write:customers',
  'customers.update': 'write:customers',
  'customers.delete': 'write:customers',
  'customers.merge': 'write:customers',
  'customers.merges': 'read:customers',
  'customers.unmerge': 'write:customers',
  'customers.block': 'write:customers',
  'customers.unblock': 'write:customers',
  'customers.export': 'admin',
  'conversations.list': 'read:conversations',
  'conversations.get': 'read:conversations',
  'conversations.create': 'write:conversations',
  'conversations.update': 'write:conversations',
  'conversations.updateMany': 'write:conversations',
  'conversations.delete': 'write:conversations',
  'conversations.addLabels': 'write:conversations',
  'conversations.removeLabels': 'write:conversations',
  'conversations.counts': 'viewer',
  'conversations.timeline': 'read:conversations',
  'conversations.recipients': { all: ['read:conversations'] },
  'conversations.setPresence': 'viewer',
  'conversations.read': 'viewer',
  'conversations.unread': 'viewer',
  'conversations.merge': 'write:conversations',
  'conversations.unmerge': 'write:conversations',
  'search.find': 'read:conversations',
  'messages.list': 'read:conversations',
  'messages.create': 'write:conversations',
  'messages.get': 'read:conversations',
  'messages.update': 'write:conversations',
  'messages.attempts': 'read:conversations',
  'messages.sendAgain': 'write:conversations',
  'customerNotes.list': 'read:customers',
  'customerNotes.create': 'write:customers',
  'customerNotes.get': 'read:customers',
  'customerNotes.update': 'write:customers',
  'customerNotes.delete': 'write:customers',
  'drafts.get': 'read:conversations',
  'drafts.save': 'write:conversations',
  'drafts.discard': 'write:conversations',
  'drafts.list': 'read:conversations',
  'drafts.listOwn': 'viewer',
  'users.listMentions': 'viewer',
  'drafts.delete': 'write:conversations',
  'drafts.send': 'write:conversations',
  'messages.delete': 'write:conversations',
  'attachments.create': 'write:conversations',
  'attachments.get': 'read:conversations',
  'users.list': 'read:conversations',
  'users.create': 'admin',
  'users.inviteAgain': 'admin',
  'users.me': 'viewer',
  'users.updateMe': 'viewer',
  'users.setActivity': 'viewer',
  'users.get': 'read:conversations',
  'users.update': 'admin',
  'users.delete': 'admin',
  'inboxes.list': 'read:conversations',
  'inboxes.get': 'read:conversations',
  'inboxes.create': 'admin',
  'inboxes.update': 'admin',
  'inboxes.delete': 'admin',
  'inboxes.makeWidgetSecret': 'admin',
  'inboxes.setEmailCredentials': 'admin',
  'inboxes.makeInboundToken': 'admin',
  'inboxes.makeEventsToken': 'admin',
  'inboxes.testEmail': 'admin',
  'inboxes.startEmailSignIn': 'admin',
  'inboxes.confirmEmailSignIn': 'admin',
  'inboxes.endEmailSignIn': 'admin',
  'inboxes.dns': 'admin',
  'inboxes.releaseMail': 'admin',
  'inboxes.verifyDomain': 'admin',
  'inboxes.makeDkimKey': 'admin',
  'inboxes.deleteDkimKey': 'admin',
  'mails.list': 'admin',
  'mails.get': 'admin',
  'mails.raw': 'admin',
  'mails.processAgain': 'admin',
  'mails.makeConversation': 'admin',
  'mails.discard': 'admin',
  'widget.config': 'anybody',
  'widget.createSession': 'anybody',
  'widget.endSession': 'visitor',
  'widget.listConversations': 'visitor',
  'widget.createConversation': 'visitor',
  'widget.listMessages': 'visitor',
  'widget.createMessage': 'visitor',
  'widget.read': 'visitor',
  'widget.typing': 'visitor',
  'widget.rate': 'visitor',
  'widget.createAttachment': 'visitor',
  'widget.getAttachment': 'visitor',
  'widget.listEvents': 'visitor',
  'widget.stream': 'visitor',
  'integrations.list': reads,
  'integrations.create': writes,
  'integrations.connect': 'admin',
  'integrations.confirm': 'admin',
  'integrations.get': reads,
  'integrations.update': writes,
  'integrations.delete': writes,
  'integrations.test': writes,
  'integrations.fields': reads,
  'imports.uploadFile': writes,
  'imports.listFiles': reads,
  'imports.getFile': reads,
  'imports.updateFile': writes,
  'imports.deleteFile': writes,
  'imports.putPackageFile': writes,
  'imports.getPackage': reads,
  'imports.deletePackage': writes,
  'imports.countSheet': reads,
  'imports.start': writes,
  'imports.status': reads,
  'imports.cancel': writes,
  'imports.list': reads,
  'imports.get': reads,
  'imports.listErrors': reads,
  'imports.exportErrors': reads,
  'imports.exportRejected': reads,
  'imports.retry': writes,
  'imports.undo': writes,
  'integrations.setAutoSync': writes,
  'integrations.handOver': writes,
  'doors.list': 'read:conversations',
  'suppressedAddresses.list': 'read:conversations',
  'suppressedAddresses.delete': 'admin',
  'cannedReplies.list': 'read:conversations',
  'cannedReplies.get': 'read:conversations',
  'cannedReplies.create': 'write:conversations',
  'cannedReplies.update': 'write:conversations',
  'cannedReplies.delete': 'write:conversations',
  'cannedReplies.render': 'read:conversations',
  'views.list': 'viewer',
  'views.get': 'viewer',
  'views.create': 'viewer',
  'views.update': 'viewer',
  'views.delete': 'viewer',
  'webhooks.list': 'webhook:manage',
  'webhooks.create': 'webhook:manage',
  'webhooks.get': 'webhook:manage',
  'webhooks.update': 'webhook:manage',
  'webhooks.delete': 'webhook:manage',
  'webhooks.test': 'webhook:manage',
  'webhooks.logs': 'webhook:manage',
  'webhooks.getLog': 'webhook:manage',
  'webhooks.redeliver': 'webhook:manage',
  'webhooks.rotateSecret': 'webhook:manage',
  // An event that was sent once can be read in the receiver.
  'webhooks.recover': { all: ['webhook:manage', 'read:customers', 'read:conversations'] },
  'events.list': { oneOf: ['read:customers', 'webhook:manage'] },
  'events.stream': { oneOf: ['read:customers', 'webhook:manage'] },
  'analytics.usage': 'read:analytics',
  'analytics.usageHistory': 'read:analytics',
  'analytics.metrics': 'read:analytics',
  'analytics.tags': 'read:analytics',
  'privacy.export': 'viewer',
  'privacy.requestDeletion': 'viewer',
  'privacy.deletionStatus': 'viewer',
  'privacy.cancelDeletion': 'viewer',
  'privacy.requestAccess': 'viewer',
  'privacy.requestRectification': 'viewer',
  'privacy.requestRestriction': 'viewer',
  'privacy.requestObjection': 'viewer',
  'privacyRequests.list': 'admin',
  'privacyRequests.approve': 'admin',
  'privacyRequests.reject': 'admin',
  'privacyRequests.complete': 'admin',
}

const reading: readonly Permission[] = ['read:conversations', 'read:customers', 'read:analytics']
const everything: readonly Permission[] = [
  ...reading,
  'write:conversations',
  'write:customers',
  'webhook:manage',
]
const granted: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: reading,
  agent: [...reading, 'write:conversations', 'write:customers'],
  admin: everything,
  owner: everything,
}
const roleOrder: readonly Role[] = ['viewer', 'agent', 'admin', 'owner']

/** Returns whether a session of this role, a visitor, or a key with these permissions, has access. */
export function mayCall(id: OperationId, caller: Role | 'visitor' | readonly Permission[]): boolean {
  const needed = access[id]
  if (needed === 'visitor' || caller === 'visitor') return needed === caller
  const permissions = typeof caller === 'string' ? granted[caller] : caller
  if (needed === 'anybody' || needed === 'anyCredential') return true
  if (typeof needed === 'object' && 'key' in needed) {
    if (typeof caller === 'string') return roleOrder.indexOf(caller) >= roleOrder.indexOf('admin')
    return needed.key.every((permission) => permissions.includes(permission))
  }
  if (typeof needed === 'object')
    return 'all' in needed
      ? needed.all.every((permission) => permissions.includes(permission))
      : needed.oneOf.some((permission) => permissions.includes(permission))
  const least = roleOrder.indexOf(needed as Role)
  if (least < 0) return permissions.includes(needed as Permission)
  return typeof caller === 'string' && roleOrder.indexOf(caller) >= least
}
