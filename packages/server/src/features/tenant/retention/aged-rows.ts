import type { TenantStore } from '../../../ports/storage.ts'
import type { SystemStore } from '../../../ports/system-store.ts'
import type { AttachmentRecord } from '../../../storage/kinds/attachments.ts'
import type { ConversationRecord } from '../../../storage/kinds/conversations.ts'
import type { Stored, TenantId } from '../../../storage/records.ts'

const pageSize = 500

/** Reads closed conversations in which nothing has changed since a moment, in pages, the oldest change first. */
export async function* agedConversations(
  { conversations }: { conversations: Pick<TenantStore['conversations'], 'listRows'> },
  before: string,
): AsyncGenerator<Stored<ConversationRecord>[]> {
  for (let cursor: string | undefined; ; ) {
    const { rows, nextCursor } = await conversations.listRows({
      status: ['closed'],
      sort: 'updatedAt',
      page: 1,
      limit: pageSize,
      cursor,
    })
    const aged = rows.filter((row) => row.updatedAt < before)
    // A conversation that an import has closed later than it was changed waits for its time.
    yield aged.filter(({ closedAt }) => closedAt === null || closedAt < before)
    if (aged.length < rows.length || nextCursor === null) return
    cursor = nextCursor
  }
}

type Rows = Pick<SystemStore, 'readRows'>

/**
 * Reads the files of messages that were stored before a moment, in pages, the oldest first: ids begin with the time at which they
 * were made. Files that no message has stand between them, and end by themselves within three months.
 */
export async function* agedAttachments(
  system: Rows,
  tenantId: TenantId,
  before: string,
): AsyncGenerator<Stored<AttachmentRecord>[]> {
  for (let after = ''; ; ) {
    const page = await system.readRows({ kind: 'attachments', tenantId, after, limit: pageSize })
    const aged = page.rows.filter(({ createdAt }) => createdAt < before)
    yield aged.filter(isOfMessage)
    if (page.last === undefined || (page.rows.length > 0 && aged.length === 0)) return
    after = page.last
  }
}

function isOfMessage({ state, messageId, erasedAt }: AttachmentRecord): boolean {
  return state === 'stored' && messageId !== null && erasedAt === null
}
