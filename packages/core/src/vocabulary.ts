/**
 * The constants and the small pure rules of core, without its schemas. This entry point loads no schema library, which
 * threads and commands do not need.
 */
export * from './attachments/filename.ts'
export * from './auth/password-length.ts'
export * from './conversations/conversation-values.ts'
export * from './events/event-types.ts'
export * from './events/live-event-types.ts'
export * from './imports/import-values.ts'
export * from './integrations/integration-values.ts'
export * from './mails/mail-values.ts'
export * from './messages/row-facts.ts'
export * from './privacy/privacy-values.ts'
export * from './shared/fold.ts'
export * from './shared/ids.ts'
export * from './shared/page-limits.ts'
export * from './telephony/call-values.ts'
export * from './webhooks/webhook-values.ts'
