import type { Inbox } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import { because, flag, json, optional, tenantRow, text, times } from './fields.ts'

export interface InboxRecord extends Inbox {
  /** AES-256-GCM of the widget's identity secrets, bound to tenant and inbox id; absent before the first. */
  sealed?: string
}

export const inboxes = defineKindOf<InboxRecord>()('inboxes', {
  idPrefix: 'inb',
  fields: {
    ...tenantRow,
    name: because('it says the purpose of the inbox', text('plain')),
    channel: text('plain'),
    isActive: flag('plain'),
    isDefault: flag('plain'),
    members: json('id'),
    autoAssign: json('plain'),
    widget: json('plain'),
    sealed: optional(text('secret')),
    ...times,
  },
  computed: { widgetKey: computed.nullableText(({ widget }: InboxRecord) => widget?.publicKey ?? null) },
  list: { orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } } },
  // A visitor's browser knows the public key alone.
  acrossTenants: { widgetKeys: { columns: ['widgetKey'], isUnique: true } },
  erasure: { rows: 'kept' },
  quota: { rows: 1_000 },
  retention: 'permanent',
})
