/**
 * The words and the small pure rules of the contract, without its schemas: an entry of its own, because a
 * thread or a command that needs no more should not have to load a schema library.
 */
export * from './attachments/filename.ts'
export * from './conversations/conversation-values.ts'
export * from './events/event-types.ts'
export * from './shared/fold.ts'
export * from './shared/ids.ts'
export * from './shared/page-limits.ts'
export * from './webhooks/webhook-values.ts'
