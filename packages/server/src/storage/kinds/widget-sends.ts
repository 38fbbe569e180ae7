import { defineKind } from './define-kind.ts'
import { moment, reference, tenantRow, text } from './fields.ts'

const fields = {
  ...tenantRow,
  /** `widgetSendId`: of two equal requests at once, one conflicts and finds the message of the other. */
  _id: text('secret'),
  conversationId: reference('conversations'),
  messageId: reference('messages'),
  createdAt: moment('plain'),
  expiresAt: moment('plain'),
}

/** Remembers the message that a visitor's `clientMessageId` made, so that a repeated request makes no other one. */
export const widgetSends = defineKind('widgetSends', {
  idPrefix: null,
  fields,
  owners: { conversations: 'conversationId' },
  lookups: { conversation: { columns: ['conversationId'] } },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'each is a message, and messages are limited' },
  retention: { endsAt: 'expiresAt' },
})
