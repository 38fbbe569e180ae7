import { type IdFactory, messageUpdatedEvent, shownMessage } from '@crmkit/core'
import type { Change } from '../../../ports/change.ts'
import type { TenantStore } from '../../../ports/storage.ts'
import { customerOfRecord } from '../../../shared/customer-of-record.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { isAuthorRestricted } from '../../../shared/message-status-change.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import type { AttachmentRecord } from '../../../storage/kinds/attachments.ts'
import { erasedAttachment } from '../../../storage/kinds/attachments.ts'
import type { AuditEntry } from '../../../storage/kinds/audit-log.ts'
import type { ConversationRecord } from '../../../storage/kinds/conversations.ts'
import { type Stored, withoutVersion } from '../../../storage/records.ts'
import { conversationErasure } from '../../conversations/delete-conversation.ts'

interface Context {
  store: TenantStore
  ids: IdFactory
  now: string
}

/** Returns false when another commit has changed the rows since they were read: the next run looks at them again. */
async function tryCommit(store: TenantStore, change: Change): Promise<boolean> {
  try {
    await store.commit(change)
    passFaultPoint('between-retained-rows')
    return true
  } catch (error) {
    if (error instanceof VersionConflict) return false
    throw error
  }
}

/** Erases a conversation, with those that were merged into it, as an admin does. */
export function eraseAged(ctx: Context, conversation: Stored<ConversationRecord>): Promise<boolean> {
  const { store, ids, now } = ctx
  const { _id: id, version, mergedFrom = [] } = conversation
  const erasures = [id, ...mergedFrom].map((one) => conversationErasure(ctx, one))
  const entry: AuditEntry = {
    _id: ids.next('aud'),
    tenantId: store.tenantId,
    at: now,
    actor: { type: 'system', _id: null },
    action: 'conversation.deleted',
    target: { type: 'conversation', _id: id },
    reason: 'retention',
    changed: [],
    requestId: null,
  }
  return tryCommit(store, {
    writes: [
      // A reply at this moment conflicts with the erasure.
      { op: 'patch', kind: 'conversations', id, expectVersion: version },
      ...erasures.flatMap(({ writes }) => writes),
      { op: 'insert', kind: 'auditLog', row: entry },
    ],
    events: erasures.flatMap(({ events }) => events),
  })
}

/** Takes files away from their message, which says since when they are missing. Their bytes are removed after their rows. */
export async function removeAgedFiles(
  ctx: Context,
  messageId: string,
  files: readonly Stored<AttachmentRecord>[],
): Promise<boolean> {
  const { store, ids, now } = ctx
  const row = await store.messages.find(messageId)
  // An erasure has hidden it, and takes its files along.
  if (row === undefined) return false
  const removed = new Set(files.map(({ _id }) => _id))
  const attachments = row.attachments.map((file) =>
    removed.has(file._id) ? { ...file, filename: '', removedAt: now } : file,
  )
  const message = { ...shownMessage(withoutVersion(row)), attachments }
  const conversation = await store.conversations.find(row.conversationId)
  if (conversation === undefined) return false
  const { customerId } = conversation
  const customer = customerId === null ? undefined : await store.customers.find(customerId)
  const event = messageUpdatedEvent(
    {
      message,
      conversation,
      customer: customer ? customerOfRecord(customer) : null,
      isAuthorRestricted: await isAuthorRestricted(store, row.sender),
      nextEventId: () => ids.next('evt'),
      now,
    },
    { files: { from: keptOf(row.attachments), to: keptOf(attachments) } },
  )
  return tryCommit(store, {
    writes: [
      { op: 'update', kind: 'messages', id: messageId, expectVersion: row.version, set: { attachments } },
      ...files.map(({ _id: id, version: expectVersion }) => {
        return { op: 'update', kind: 'attachments', id, expectVersion, set: erasedAttachment(now) } as const
      }),
    ],
    events: [event],
  })
}

function keptOf(attachments: readonly { removedAt?: string | undefined }[]): number {
  return attachments.filter(({ removedAt }) => removedAt === undefined).length
}
