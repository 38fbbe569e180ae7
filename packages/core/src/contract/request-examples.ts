import type { AnyOperation } from './operations.ts'

type OperationIdWithBody = Extract<AnyOperation, { request: { body: unknown } }>['id']

const password = 'a long and private sentence'
const email = 'ada@example.com'

/** A body for every operation that takes one, as the reference shows it. The compiler
 * refuses an operation without one, and a test parses them all. */
export const requestExamples: { readonly [Id in OperationIdWithBody]: object } = {
  'auth.register': {
    tenantName: 'Analytical Engines',
    email,
    password,
    firstName: 'Ada',
    lastName: 'Lovelace',
  },
  'auth.login': { email, password },
  'auth.refresh': { refreshToken: 'rt_…' },
  'auth.acceptInvite': { token: 'inv_…', password },
  'auth.changePassword': { currentPassword: password, newPassword: 'another private sentence' },
  'apiKeys.create': {
    name: 'Billing system',
    permissions: ['read:customers', 'write:customers'],
    environment: 'production',
    rateLimit: { requests: 100, window: '1m' },
    ipWhitelist: ['203.0.113.0/24'],
  },
  'apiKeys.update': { name: 'Billing system, new', isActive: true },
  'apiKeys.rotate': { overlapSeconds: 3600 },
  'customers.create': {
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@example.com',
    company: 'Navy',
    tags: ['vip'],
    customFields: { plan: 'scale', seats: 12 },
  },
  'customers.createMany': {
    customers: [
      { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' },
      { firstName: 'Ada', tags: ['vip'] },
    ],
  },
  'customers.putByExternalId': { firstName: 'Grace', email: 'grace@example.com', tier: 'gold' },
  'customers.addTags': { tags: ['vip'] },
  'customers.removeTags': { tags: ['vip'] },
  'customers.update': { tier: 'gold', tags: ['vip', 'compiler'] },
  'customers.merge': { sourceId: 'cus_01JD0000000000000000000000' },
  'conversations.create': {
    subject: 'The relay is stuck',
    inboxId: 'inb_01JD0000000000000000000000',
    customerId: 'cus_01JD0000000000000000000000',
    priority: 'high',
    labels: ['hardware'],
    message: { content: 'There is a moth in it.', direction: 'inbound' },
  },
  'conversations.update': { status: 'snoozed', snoozedUntil: '2030-01-07T09:00:00.000Z' },
  'conversations.delete': { reason: 'Opened by mistake' },
  'conversations.addLabels': { labels: ['hardware', 'urgent'] },
  'conversations.removeLabels': { labels: ['urgent'] },
  'telephony.createToken': { customerPhone: '+15551234567' },
  'calls.create': { to: '+15551234567', customerId: 'cus_01JD0000000000000000000000' },
  'calls.updateMetadata': { notes: 'Asked for an invoice', tags: ['billing'], rating: 5 },
  'messages.create': {
    content: 'We have removed the moth.',
    type: 'reply',
    attachments: ['att_01JD0000000000000000000000'],
    clientMessageId: 'reply-1',
  },
  'messages.update': { status: 'delivered' },
  'users.create': { email: 'grace@example.com', role: 'agent', firstName: 'Grace' },
  'users.updateMe': { firstName: 'Ada', availability: 'away' },
  'users.update': { role: 'agent' },
  'inboxes.create': {
    name: 'Support',
    channel: 'email',
    members: ['usr_01JD0000000000000000000000'],
    autoAssign: { enabled: true, maxOpen: 20 },
  },
  'inboxes.update': { isDefault: true },
  'inboxes.makeWidgetSecret': { overlapSeconds: 86_400 },
  'privacy.requestDeletion': { reason: 'I have left the company' },
  'privacy.requestAccess': { details: 'Which data do you have from the time before 2025?' },
  'privacy.requestRectification': {
    field: 'lastName',
    currentValue: 'Lovelase',
    requestedValue: 'Lovelace',
  },
  'privacy.requestRestriction': { reason: 'The accuracy of my data is disputed' },
  'privacy.requestObjection': { reason: 'I do not want my figures to be compared' },
  'privacyRequests.approve': { notes: 'Checked by the data protection officer' },
  'privacyRequests.reject': { rejectionReason: 'We must keep invoices for ten years' },
  'privacyRequests.complete': { notes: 'Sent by mail' },
  'integrations.create': { provider: 'file', name: 'Old help desk' },
  'imports.start': { importDeals: false, dateRange: { startDate: '2026-01-01' }, dryRun: true },
  'integrations.setAutoSync': { enabled: true, intervalMinutes: 30 },
  'integrations.update': { mapping: { Contacts: { Nachname: 'lastName' } }, dateOrder: 'dmy' },
  'webhooks.create': {
    name: 'Orders',
    url: 'https://hooks.example.com/crm',
    events: ['customer.created', 'conversation.closed'],
    retryPolicy: { maxRetries: 5, backoffStrategy: 'exponential' },
  },
  'webhooks.update': { isActive: false },
  'webhooks.rotateSecret': { overlapSeconds: 86_400 },
  'webhooks.recover': { since: '2030-01-07T09:00:00.000Z', dryRun: true },
}
