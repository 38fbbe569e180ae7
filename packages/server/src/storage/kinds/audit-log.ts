import { computed, defineKindOf } from './define-kind.ts'
import { because, json, moment, nullableText, number, optional, tenantRow, text } from './fields.ts'

export interface AuditEntry {
  _id: string
  tenantId: string
  at: string
  actor: { type: 'user' | 'apiKey' | 'system'; _id: string | null }
  action: string
  target: { type: string; _id: string }
  reason: string | null
  /** Paths of the fields that changed; absent in rows of earlier versions. */
  changed?: readonly string[]
  /** How many times it happened, where several are one entry. Absent: once. */
  count?: number
  requestId: string | null
}

export const auditLog = defineKindOf<AuditEntry>()('auditLog', {
  idPrefix: 'aud',
  fields: {
    ...tenantRow,
    at: moment('plain'),
    actor: json('id'),
    action: because('an action that an operation declares', text('plain')),
    target: json('id'),
    reason: because('see `why` below', nullableText('plain')),
    changed: optional(because('names of fields, never their values', json('plain'))),
    count: optional(number('plain')),
    requestId: because('an id of a request', nullableText('plain')),
  },
  computed: {
    actorUserId: computed.nullableText(({ actor }: AuditEntry) => (actor.type === 'user' ? actor._id : null)),
    targetUserId: computed.nullableText(({ target }: AuditEntry) =>
      target.type === 'user' ? target._id : null,
    ),
  },
  list: {
    filters: {
      actorUserId: { matches: 'actorUserId', index: 'actor', onlySet: true },
      targetUserId: { matches: 'targetUserId', index: 'target', onlySet: true },
    },
    orders: { '-at': { by: 'at', isDescending: true, index: 'time' } },
  },
  erasure: {
    rows: 'kept',
    why: 'It says by ids which person did something, and the reason that they gave for it.',
  },
  quota: { unlimited: 'no change may be without its entry' },
  retention: 'permanent',
})
