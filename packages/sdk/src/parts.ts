/**
 * The parts of the client for a page of this repository that ships few of its areas: `Crm` holds all of them, and a bundler
 * cannot drop one. The published package has no such entry.
 */
export { Requester } from './core/requester.ts'
export { AttachmentsResource } from './resources/attachments.gen.ts'
export { AuthResource } from './resources/auth.gen.ts'
export { ConversationsResource } from './resources/conversations.gen.ts'
export { CustomersResource } from './resources/customers.gen.ts'
export { DraftsResource } from './resources/drafts.gen.ts'
export { EventsResource } from './resources/event-log.gen.ts'
export { InboxesResource } from './resources/inboxes.gen.ts'
export { MessagesResource } from './resources/messages.gen.ts'
export { UsersResource } from './resources/users.gen.ts'
