import { computed, defineKindOf } from './define-kind.ts'
import { moment, nullableText, optional, tenantRow, text } from './fields.ts'

/** The rest of a change that is too much for one commit; deleted when it is done. */
export interface TaskRecord {
  _id: string
  tenantId: string
  /**
   * `releaseUser`: for a user who was deleted. `moveConversations`: for a customer who was merged into the target.
   * `emptyInbox`: for conversations that entered an inbox while it was deleted. `eraseCustomer`, `eraseConversation`:
   * as long as the row exists, no read shows the children of the subject. `eraseUser`: the target is the pseudonym
   * that takes the place of the user. `eraseMessage`: of a message whose conversation stays. `eraseAddress`: what an
   * address that an erased customer had, the target, has left until the request. `eraseMails`: made by earlier versions;
   * mails of the target that no conversation holds.
   */
  type:
    | 'releaseUser'
    | 'moveConversations'
    | 'emptyInbox'
    | 'eraseCustomer'
    | 'eraseConversation'
    | 'eraseUser'
    | 'eraseMessage'
    | 'eraseAddress'
    | 'eraseMails'
  subjectId: string
  targetId: string | null
  requestedAt: string
  /** Where the next page of a long list begins, in the words of the task's handler. */
  progress?: string | null
}

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
    type: text('internal'),
    subjectId: text('id'),
    targetId: nullableText('customer'),
    requestedAt: moment('internal'),
    progress: optional(nullableText('internal')),
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
