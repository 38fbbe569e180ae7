import { computed, defineKindOf } from './define-kind.ts'
import { because, json, moment, nullableText, optional, tenantRow, text, word } from './fields.ts'
import type { UpgradeNote } from './tenants.ts'

/** Where the upgrade of a tenant's rows stands. */
export interface UpgradeProgress {
  /** The last row that was looked at, in the order of the ids; empty before the first. */
  after: string
  /** The first pass is 1. */
  pass: number
  /** Rows of this pass that were changed, and those that could not be. */
  changed: number
  skipped: number
  /** Rows of this pass that are still to be looked at, as counted at its beginning. */
  left: number
  /** Of all passes; the first of them where there are many. */
  notes?: readonly UpgradeNote[]
}

/** The rest of a change that is too much for one commit; deleted when it is done. */
export interface TaskRecord {
  _id: string
  tenantId: string
  /**
   * `releaseUser`: for a user who was deleted. `moveConversations`: for a customer who was merged into the target.
   * `emptyInbox`: for conversations that entered an inbox while it was deleted. `eraseCustomer`, `eraseConversation`:
   * as long as the row exists, no read shows the children of the subject. `eraseUser`: the target is the pseudonym
   * that takes the place of the user. `eraseMessage`: of a message whose conversation stays. `eraseAddress`: what an
   * address that an erased customer had, the target, has left until the request. `erasePhone`: the same of a phone number.
   * `eraseSample`: of a sample customer or conversation, which is erased by the task itself.
   * `eraseMails`: made by earlier versions; mails of the target that no conversation holds. `returnRows`: what a merge moved
   * goes back to the target, its source. `upgradeRows`: the subject is the name of a step in `upgrades/`.
   * `deleteTenant`: the subject is the tenant itself.
   */
  type:
    | 'releaseUser'
    | 'moveConversations'
    | 'returnRows'
    | 'emptyInbox'
    | 'eraseCustomer'
    | 'eraseConversation'
    | 'eraseUser'
    | 'eraseMessage'
    | 'eraseAddress'
    | 'erasePhone'
    | 'eraseMails'
    | 'eraseSample'
    | 'upgradeRows'
    | 'deleteTenant'
  subjectId: string
  targetId: string | null
  requestedAt: string
  /** Only of `upgradeRows`. */
  progress?: UpgradeProgress
  /** Only of `eraseAddress`: the row that it is at, and the cursor of the next page of messages. */
  nextPage?: { useId: string; cursor: string } | null
}

/**
 * Ids of `upgradeRows` begin with it. They are behind all other ids, so upgrades of many tenants hold up no other task.
 */
export const upgradeTaskPrefix = 'upg_'

/** The tasks that do the rest of an erasure; each is named by the kind that it erases. */
const erasureTypes: readonly TaskRecord['type'][] = [
  'eraseCustomer',
  'eraseConversation',
  'eraseMessage',
  'eraseUser',
]

export const tasks = defineKindOf<TaskRecord>()('tasks', {
  idPrefix: 'tsk',
  scope: 'server',
  fields: {
    ...tenantRow,
    _id: text('internal'),
    type: word('internal'),
    subjectId: text('id'),
    targetId: nullableText('customer'),
    requestedAt: moment('internal'),
    progress: optional(because('ids and counts of a work', json('internal'))),
    nextPage: optional(because('a position in the rows of a kind', json('internal'))),
  },
  computed: {
    /** The id whose rows are hidden while the task exists. */
    erases: computed.nullableText(({ type, subjectId }: TaskRecord) =>
      erasureTypes.includes(type) ? subjectId : null,
    ),
    erasedAddress: computed.nullableText(({ type, targetId }: TaskRecord) =>
      type === 'eraseAddress' ? targetId : null,
    ),
  },
  list: {
    filters: { erasedAddress: { matches: 'erasedAddress', index: 'address', onlySet: true } },
    orders: { requestedAt: { by: 'requestedAt', isDescending: false } },
    needsOneOf: ['erasedAddress'],
  },
  lookups: { erasure: { columns: ['erases'], onlySet: true } },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'deletions need them, and they end with their work' },
  retention: 'permanent',
})
