import {
  type Conversation,
  type DraftBasis,
  type Message,
  messageOfDraft,
  validationFailure,
} from '@crmkit/core'
import type { MailContext } from '../../../mail/out/sending-inbox.ts'
import type { Change } from '../../../ports/change.ts'
import type { TenantReads } from '../../../ports/storage.ts'
import type { Stored } from '../../../storage/records.ts'
import type { Actor } from '../../caller.ts'
import type { HandlerContext } from '../../handler.ts'
import { callerMessageChange } from '../create-message.ts'
import { type MessageAttachments, ownerWrites } from '../message-attachments.ts'
import { drafterOf, endOfSource } from './based-on.ts'
import { type DraftRow, endOfDraft } from './find-draft.ts'
import { judgedDraft } from './fixed-recipients.ts'

interface Sending {
  draft: DraftRow
  before: Stored<Conversation>
  /** The sender of the message. */
  actor: Actor
  /** The basis to which the sender agrees; see `judgedDraft`. */
  consent?: DraftBasis | null | undefined
  /** See `callerMessageChange`. */
  knownSeq?: number | undefined
  /** See `callerMessageChange`. */
  isForced?: boolean
  isSeqGuarded: boolean
}

/**
 * Returns the change that makes a message of a draft and ends the draft, and the one that it is based on, all in one commit. Throws VALIDATION_ERROR for a
 * draft that no message can be made of, and CONFLICT when its recipients were chosen on another basis than that of now.
 */
export async function sentDraft(
  ctx: Pick<HandlerContext, 'store' | 'ids' | 'now'> & MailContext,
  { draft, actor, consent, ...sending }: Sending,
): Promise<{ change: Change; message: Message; ended: DraftRow[] }> {
  const { store, now } = ctx
  const attachments = await filesOf(store, draft, now)
  if (draft.content === '' && attachments.shown.length === 0)
    throw validationFailure([
      { field: 'content', message: 'is required: the draft is empty', rule: 'required', in: 'body' },
    ])
  const judged = await judgedDraft(ctx, { draft, before: sending.before, sender: actor, consent })
  const draftedBy = await drafterOf(store, draft, actor._id)
  const source = await endOfSource(store, draft, now)
  const sent = await callerMessageChange(ctx, {
    ...sending,
    actor,
    body: messageOfDraft(judged.draft),
    when: judged.when,
    attachments,
    finish: (message) => ({ ...message, draftedBy }),
  })
  sent.change.writes.push(...judged.guards, endOfDraft(draft), ...source.writes)
  return { ...sent, ended: [draft, ...source.ended] }
}

async function filesOf(
  store: TenantReads,
  { _id: draftId, attachments }: DraftRow,
  now: string,
): Promise<MessageAttachments> {
  const found = await Promise.all(attachments.map(({ _id }) => store.attachments.find(_id)))
  const rows = found.filter((row) => row !== undefined && row.draftId === draftId)
  const ids = new Set(rows.map((row) => row?._id))
  return {
    problems: [],
    shown: attachments.filter(({ _id }) => ids.has(_id)),
    writesFor: (messageId) =>
      ownerWrites(
        rows.filter((row) => row !== undefined),
        { messageId, draftId: null, updatedAt: now },
      ),
  }
}
