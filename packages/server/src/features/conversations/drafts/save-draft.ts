import {
  notFound,
  type SaveDraftBody,
  type StoredDraft,
  type saveDraft,
  savedDraft,
  sendAtProblems,
  validationFailure,
} from '@crmkit/core'
import type { Write } from '../../../ports/change.ts'
import { assertNotMerged } from '../../../shared/merged-conversation.ts'
import type { Handler } from '../../handler.ts'
import { authorOf } from '../author.ts'
import { findMessageAttachments, freedAttachments, ownerWrites } from '../message-attachments.ts'
import { safeHtml } from '../message-content.ts'
import { findSource, withoutFiles } from './based-on.ts'
import { draftSignal } from './draft-signal.ts'
import { assertDraftVersion, type DraftRow, findDraftOf, shownDraft } from './find-draft.ts'
import { fixedRecipients } from './fixed-recipients.ts'

export const handleSaveDraft: Handler<typeof saveDraft> = async (ctx, { params, body }) => {
  const { store, now, ids, actor, mountPath } = ctx
  const safeBody = withSafeDraft(body)
  const conversation = await store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  assertNotMerged(conversation)
  const { _id: conversationId } = conversation
  const before = await findDraftOf(store, { conversationId, authorId: actor._id })
  const source = await findSource(store, body.basedOn, { before, conversationId, authorId: actor._id })
  const files = await findMessageAttachments(store, {
    ids: body.attachments,
    field: 'attachments',
    now,
    mountPath,
    draftIds: [before?._id, source.row?._id],
  })
  const problems = [...sendAtProblems(safeBody, now), ...source.problems, ...files.problems]
  if (problems.length > 0) throw validationFailure(problems)
  assertDraftVersion(before, body.expectedVersion, actor)
  const row = savedDraft(safeBody, {
    before,
    id: before?._id ?? ids.next('drf'),
    conversation,
    author: authorOf(actor),
    attachments: files.shown,
    source: source.stored,
    recipients: await fixedRecipients(ctx, { conversation, lists: body }),
    now,
  })
  const added = files.rows.filter(({ draftId }) => draftId !== row._id)
  const kept = new Set(row.attachments.map(({ _id }) => _id))
  const dropped = (before?.attachments ?? []).flatMap(({ _id }) => (kept.has(_id) ? [] : [_id]))
  const writes: Write[] = [
    ...draftWrites(before, row),
    ...withoutFiles(source.row, kept, now),
    ...ownerWrites(added, { messageId: null, draftId: row._id, updatedAt: now }),
    ...(await freedAttachments(store, dropped, now)),
  ]
  const saved = { ...row, version: (before?.version ?? 0) + 1 }
  return {
    change: { writes, events: [] },
    reply: { success: true, data: shownDraft(saved, actor) },
    live: [draftSignal('draft.updated', saved)],
  }
}

/** Colleagues see the draft, so its HTML is as safe as that of a message. */
function withSafeDraft(body: SaveDraftBody): SaveDraftBody {
  return body.contentType === 'html' && body.content
    ? { ...body, content: safeHtml(body.content, 'content') }
    : body
}

function draftWrites(before: DraftRow | undefined, row: StoredDraft): Write[] {
  if (before === undefined)
    return [
      // Changes nothing, and conflicts with the deletion of the conversation.
      { op: 'patch', kind: 'conversations', id: row.conversationId, when: { mergedInto: null } },
      { op: 'insert', kind: 'drafts', row },
    ]
  const { _id: id, tenantId: _tenantId, conversationId: _conversationId, createdAt: _createdAt, ...set } = row
  return [{ op: 'update', kind: 'drafts', id, expectVersion: before.version, set }]
}
