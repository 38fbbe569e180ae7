import type { DoorName } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  nullableMoment,
  nullableText,
  number,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

/** A door in trouble: from the first failure until it works again, or until it may be mailed about again. */
export interface DoorRecord {
  /** Made of the inbox or the integration and the name of the door. */
  _id: string
  tenantId: string
  door: DoorName
  inboxId: string | null
  integrationId: string | null
  /** Why it fails, in one sentence. */
  reason: string
  isSignInRefused: boolean
  /** When the trouble began; null once it is over. */
  since: string | null
  /** When it worked again, as long as that may be a short while between two failures. */
  worksSince: string | null
  /** When the team was informed; null before, and once the trouble is over. */
  failingSince: string | null
  /** When admins got the last mail about it. */
  mailedAt: string | null
  /** Mails that waited for it at the last look. */
  waiting: number
  /** When it is looked at next. */
  checkAt: string | null
  createdAt: string
  updatedAt: string
}

export const doors = defineKindOf<DoorRecord>()('doors', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    door: word('plain'),
    inboxId: nullableText('id'),
    integrationId: nullableText('id'),
    reason: because('the response of a server about an address of a team', text('plain')),
    isSignInRefused: flag('internal'),
    since: nullableMoment('plain'),
    worksSince: nullableMoment('internal'),
    failingSince: nullableMoment('plain'),
    mailedAt: nullableMoment('internal'),
    waiting: number('plain'),
    checkAt: nullableMoment('internal'),
    ...times,
  },
  computed: {
    state: computed.text(({ failingSince }: DoorRecord) => (failingSince === null ? 'watched' : 'failing')),
  },
  list: {
    filters: { state: { matches: 'state', index: 'state' } },
    orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } },
  },
  acrossTenants: {
    dueDoors: { columns: ['checkAt'] },
    failingDoors: { columns: ['failingSince'] },
  },
  erasure: { rows: 'kept' },
  quota: { unlimited: 'an inbox has three, and an integration has one' },
  retention: 'permanent',
})
