import type { Inbox } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import { because, flag, json, optional, tenantRow, text, times } from './fields.ts'

export interface InboxRecord extends Inbox {
  /** AES-256-GCM of the widget's identity secrets, bound to tenant and inbox id; absent before the first. */
  sealed?: string
}

export const inboxes = defineKindOf<InboxRecord>()('inboxes', {
  idPrefix: 'inb',
  fields: {
    ...tenantRow,
    name: because('what the inbox is for', text('plain')),
    channel: text('plain'),
    isActive: flag('plain'),
    isDefault: flag('plain'),
    members: json('id'),
    autoAssign: json('plain'),
    widget: json('plain'),
    sealed: optional(text('secret')),
    ...times,
  },
  list: { orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } } },
  erasure: { rows: 'kept' },
  quota: { rows: 1_000 },
  retention: 'permanent',
})
