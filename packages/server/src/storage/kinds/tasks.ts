import { computed, defineKindOf } from './define-kind.ts'
import { moment, nullableText, tenantRow, text } from './fields.ts'

/** The rest of a change that is too much for one commit; deleted when it is done. */
export interface TaskRecord {
  _id: string
  tenantId: string
  /**
   * `releaseUser`: for a user who was deleted. `moveConversations`: for a customer who was merged into the target.
   * `emptyInbox`: for conversations that entered an inbox while it was deleted. `eraseCustomer`, `eraseConversation`:
   * as long as the row exists, no read shows the children of the subject. `eraseUser`: the target is the pseudonym
   * that takes the place of the user. `eraseMails`: mails that no conversation holds, of an erased customer; the target is
   * the customer's address.
   */
  type:
    | 'releaseUser'
    | 'moveConversations'
    | 'emptyInbox'
    | 'eraseCustomer'
    | 'eraseConversation'
    | 'eraseUser'
    | 'eraseMails'
  subjectId: string
  targetId: string | null
  requestedAt: string
}

/** The tasks that do the rest of an erasure; each is named by the kind that it erases. */
const erasureTypes: readonly TaskRecord['type'][] = ['eraseCustomer', 'eraseConversation', 'eraseUser']

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
  },
  computed: {
    /** The id whose rows are hidden while the task exists. */
    erases: computed.nullableText(({ type, subjectId }: TaskRecord) =>
      erasureTypes.includes(type) ? subjectId : null,
    ),
  },
  lookups: { erasure: { columns: ['erases'], onlySet: true } },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'deletions need them, and they end with their work' },
  retention: 'permanent',
})
