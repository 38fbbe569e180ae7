import { type exportOwnData, notFound } from '@crmkit/core'
import { exportedConversation } from '../../shared/exported-conversation.ts'
import { readAll } from '../../shared/read-all.ts'
import { wholeTeam } from '../../storage/kinds/canned-replies.ts'
import { exportedRow } from '../../storage/kinds/derive.ts'
import type { ListedKind } from '../../storage/kinds/registry.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import { userOf } from '../caller.ts'
import type { DownloadContext, DownloadHandler } from '../stream-handler.ts'
import { type ExportSection, exportFile } from '../write-export.ts'

/** A page is in memory until a slow client has taken it. */
const pageSize = 100
/** Messages may be long. */
const messagePageSize = 10

export const handleExportOwnData: DownloadHandler<typeof exportOwnData> = async (
  ctx,
  { query: { format } },
) => {
  const { store, now } = ctx
  const user = await store.users.find(userOf(ctx)._id)
  if (user === undefined) throw notFound()
  const { _id } = user
  const subject = { type: 'user', _id, ...exportedRow('users', user, 'user') }
  return {
    ...exportFile(format, { exportedAt: now, subject, sections: sectionsOf(ctx, user) }),
    audit: { action: 'user.exported', target: { type: 'user', _id } },
  }
}

/** Returns the rows that name the user, each without secrets and without personal data of customers alone. */
function sectionsOf(ctx: DownloadContext, user: UserRecord): ExportSection[] {
  const { store } = ctx
  const { _id: userId } = user
  const page = { page: 1, limit: pageSize }
  return [
    { name: 'memberships', rows: () => membershipsOf(ctx, user) },
    section('sessions', 'sessions', (cursor) => store.sessions.listRows({ userId, ...page, cursor })),
    section('apiKeysCreated', 'apiKeys', (cursor) =>
      store.apiKeys.listRows({ createdBy: userId, ...page, cursor }),
    ),
    { name: 'conversationsAssigned', rows: () => conversationsOf(ctx, userId) },
    section('messagesAuthored', 'messages', (cursor) =>
      store.messages.listRows({ userId, sort: 'createdAt', ...page, limit: messagePageSize, cursor }),
    ),
    section('messagesDrafted', 'messages', (cursor) =>
      store.messages.listRows({
        drafterId: userId,
        sort: 'createdAt',
        ...page,
        limit: messagePageSize,
        cursor,
      }),
    ),
    section('drafts', 'drafts', (cursor) =>
      store.drafts.listRows({ authorId: userId, ...page, limit: messagePageSize, cursor }),
    ),
    section('customerNotes', 'customerNotes', (cursor) =>
      store.customerNotes.listRows({ userId, sort: 'createdAt', ...page, limit: messagePageSize, cursor }),
    ),
    section('cannedReplies', 'cannedReplies', (cursor) =>
      store.cannedReplies.listRows({
        audience: [wholeTeam, userId],
        ownerId: userId,
        ...page,
        limit: messagePageSize,
        cursor,
      }),
    ),
    section('views', 'views', (cursor) => store.views.listRows({ ownerId: userId, ...page, cursor })),
    section('activities', 'activities', (cursor) =>
      store.activities.listRows({ userId, sort: 'at', ...page, cursor }),
    ),
    section('calls', 'calls', (cursor) =>
      store.calls.listRows({ agentId: userId, sort: 'createdAt', ...page, cursor }),
    ),
    section('dataRightsRequests', 'privacyRequests', (cursor) =>
      store.privacyRequests.listRows({ userId, ...page, cursor }),
    ),
    { name: 'auditEntries', rows: () => auditEntriesOf(ctx, userId) },
  ]
}

type ReadPage = Parameters<typeof readAll<object>>[0]

function section(name: string, kind: ListedKind, readPage: ReadPage): ExportSection {
  return { name, rows: () => exported(kind, readPage) }
}

async function* exported(kind: ListedKind, readPage: ReadPage) {
  for await (const row of readAll(readPage)) yield exportedRow(kind, row, 'user')
}

async function* conversationsOf({ store: { conversations } }: DownloadContext, assignedTo: string) {
  const page = { page: 1, limit: pageSize, sort: 'createdAt' } as const
  for await (const row of readAll((cursor) => conversations.listRows({ assignedTo, ...page, cursor })))
    yield exportedConversation(row, 'user')
}

async function* membershipsOf({ listMemberships }: DownloadContext, { identityId }: UserRecord) {
  for (const { tenantId, row } of await listMemberships(identityId)) {
    const { _id, role, isActive, createdAt } = row
    yield { _id, tenantId, role, isActive, createdAt }
  }
}

/** Exports what the user did, then what others did to the user. */
async function* auditEntriesOf({ store: { auditLog } }: DownloadContext, userId: string) {
  const page = { page: 1, limit: pageSize }
  yield* exported('auditLog', (cursor) => auditLog.listRows({ actorUserId: userId, ...page, cursor }))
  const about = readAll((cursor) => auditLog.listRows({ targetUserId: userId, ...page, cursor }))
  for await (const entry of about) {
    // Entries about their own deeds were exported already.
    if (entry.actor._id !== userId) yield exportedRow('auditLog', entry, 'user')
  }
}
