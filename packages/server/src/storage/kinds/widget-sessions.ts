import { defineKind } from './define-kind.ts'
import type { RowOf } from './fields.ts'
import {
  json,
  moment,
  nullableMoment,
  nullableNumber,
  nullableReference,
  nullableText,
  optional,
  reference,
  tenantRow,
  text,
  times,
} from './fields.ts'

/** The name and the address that an anonymous visitor typed; of a signed one the address that the page signed. */
export interface TypedProfile {
  firstName: string | null
  lastName: string | null
  email: string | null
}

const fields = {
  ...tenantRow,
  /** SHA-256 (hex) of the session's token, unique on this server. */
  tokenHash: text('secret'),
  inboxId: reference('inboxes'),
  /** Its conversations carry the same id: of an anonymous session its own, of a signed one its person's. */
  visitorId: text('id'),
  /** The visitor that an anonymous session was before its `identify`: a message that was sent then may be repeated now. */
  formerVisitorId: nullableText('id'),
  /** Null before the first message of an anonymous visitor. */
  customerId: nullableReference('customers'),
  /** The row of the signed person; null for an anonymous session. */
  personId: nullableText('id'),
  /** SHA-256 (hex) of the identity secret that signed; null for an anonymous session. */
  secretHash: nullableText('secret'),
  /** Null in a session of an earlier version that has a customer: that one's row has what was typed. */
  profile: json<TypedProfile | null>('customer', { firstName: 'Ada', lastName: null, email: null }),
  /** The page that the visitor was on. */
  page: nullableText('customer'),
  /**
   * Of an anonymous session alone: `privateAddressMark` of its address, for `crm-server doctor`. Absent in rows of earlier versions.
   */
  addressMark: optional(nullableNumber('internal')),
  /** When a request or a stream of the visitor used it, to the minute. Absent in rows of earlier versions. */
  lastSeenAt: optional(nullableMoment('plain')),
  expiresAt: moment('plain'),
  ...times,
}

export type WidgetSession = RowOf<typeof fields>

export const widgetSessions = defineKind('widgetSessions', {
  idPrefix: 'wss',
  fields,
  owners: { customers: 'customerId' },
  list: {
    filters: {
      customerId: { matches: 'customerId', index: 'customer', onlySet: true },
      visitorId: { matches: 'visitorId', index: 'visitor' },
    },
    orders: {
      createdAt: { by: 'createdAt', isDescending: false },
      '-createdAt': { by: 'createdAt', isDescending: true },
    },
    needsOneOf: ['customerId', 'visitorId'],
  },
  acrossTenants: { widgetTokens: { columns: ['tokenHash'], isUnique: true } },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'addresses and persons may open few in an hour, and sessions end by themselves' },
  retention: { endsAt: 'expiresAt' },
})
