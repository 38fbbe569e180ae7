import type { DisabledReason, WebhookSettings } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  moment,
  nullableMoment,
  nullableWord,
  optional,
  sealed,
  tenantRow,
  text,
  times,
} from './fields.ts'

/** The credential whose permissions a webhook rests on. */
export interface WebhookMaker {
  type: 'user' | 'apiKey'
  _id: string
}

/** `headers` stays empty in the stored row: the values are in `sealed`, encrypted. */
export interface WebhookRecord extends WebhookSettings {
  /** AES-256-GCM of `{secret, previous?, headers}`, bound to tenant and webhook id. */
  sealed: string
  /** Until when `sealed` holds a valid `previous`; absent before the first rotation. */
  previousSecretExpiresAt?: string | null
  /** Why it is not active; absent in rows of earlier versions. */
  disabledReason?: DisabledReason | null
  /** When it was activated last, and when its `events` were changed last; absent: when it was created. */
  activeSince?: string
  eventsChangedAt?: string
  /** Earlier events were sent to another URL. */
  urlChangedAt?: string
  /** Absent in rows of earlier versions. */
  maker?: WebhookMaker
}

export const webhooks = defineKindOf<WebhookRecord>()('webhooks', {
  idPrefix: 'whk',
  fields: {
    ...tenantRow,
    name: because('it says the purpose of the webhook', text('plain')),
    url: because('an address of a server of an organization', text('plain')),
    events: because('types of events', json('plain')),
    isActive: flag('plain'),
    headers: json('secret'),
    retryPolicy: because('numbers that the service counts with', json('plain')),
    sealed: sealed(text('secret')),
    previousSecretExpiresAt: optional(nullableMoment('internal')),
    disabledReason: optional(nullableWord('plain')),
    activeSince: optional(moment('internal')),
    eventsChangedAt: optional(moment('internal')),
    urlChangedAt: optional(moment('internal')),
    maker: optional(json('id')),
    ...times,
  },
  list: {
    filters: { isActive: { matches: 'isActive', index: 'activity' } },
    orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } },
  },
  erasure: { rows: 'kept' },
  quota: { unlimited: 'createWebhook counts them: a tenant has at most 50' },
  retention: 'permanent',
})
