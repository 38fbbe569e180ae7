import {
  conflict,
  type DraftBasis,
  type FixedRecipients,
  isSameBasis,
  recipientChanged,
  type SaveDraftBody,
} from '@crmkit/core'
import { chosenRecipients } from '../../../mail/out/queue-reply.ts'
import {
  basisCondition,
  basisGuards,
  findReplyBasis,
  type ReplyBasis,
} from '../../../mail/out/reply-basis.ts'
import type { MailContext } from '../../../mail/out/sending-inbox.ts'
import type { Write } from '../../../ports/change.ts'
import type { ConversationRecord } from '../../../storage/kinds/conversations.ts'
import type { Actor } from '../../caller.ts'
import { type DraftRow, shownBasis } from './find-draft.ts'

type Lists = Pick<SaveDraftBody, 'type' | 'to' | 'cc' | 'bcc'>

/**
 * Returns the recipients of a draft as a save fixes them: of an e-mail that names none, those that a reply would get now.
 * Nobody works them out again, so that what its author sees is what is sent.
 */
export async function fixedRecipients(
  ctx: MailContext,
  { conversation, lists }: { conversation: ConversationRecord; lists: Lists },
): Promise<FixedRecipients> {
  if ((lists.type ?? 'reply') === 'note') return { ...givenLists(lists), basis: null, filled: [] }
  return withBasis(ctx, { lists, found: await findReplyBasis(ctx, conversation) })
}

interface Fixing {
  lists: Lists
  found: ReplyBasis
}

async function withBasis(ctx: MailContext, { lists, found }: Fixing): Promise<FixedRecipients> {
  const given = givenLists(lists)
  const { basis, conversation, customer = null } = found
  if (basis.door !== 'email' || given.to.length > 0) return { ...given, basis, filled: [] }
  const isCopyNamed = given.cc.length > 0
  const named = { bcc: given.bcc, ...(isCopyNamed && { cc: given.cc }) }
  const { to, cc, bcc } = await chosenRecipients(ctx, { conversation, customer, named })
  const addressesOf = (list: { address: string }[]) => list.map(({ address }) => address)
  return {
    to: addressesOf(to),
    cc: addressesOf(cc),
    bcc: addressesOf(bcc),
    basis,
    filled: isCopyNamed ? ['to'] : ['to', 'cc'],
  }
}

function givenLists({ to, cc, bcc }: Lists) {
  return { to: to ?? [], cc: cc ?? [], bcc: bcc ?? [] }
}

interface Judged {
  draft: DraftRow
  /** They conflict when a row that the decision was read from has changed since. */
  guards: Write[]
  when: Partial<ConversationRecord>
}

interface Judging {
  draft: DraftRow
  before: ConversationRecord
  sender: Actor
  /** The basis to which the sender agrees; undefined without a consent. */
  consent?: DraftBasis | null | undefined
}

/**
 * Returns the draft as it may leave now. Throws CONFLICT when its recipients were chosen on another basis than that of now,
 * unless the sender agrees to the new one: then the lists that the service has chosen are chosen anew.
 */
export async function judgedDraft(
  ctx: MailContext,
  { draft, before, sender, consent }: Judging,
): Promise<Judged> {
  if (draft.type === 'note') return { draft, guards: [], when: {} }
  const found = await findReplyBasis(ctx, before)
  const guarded = { guards: basisGuards(found), when: basisCondition(found) }
  if (isUpToDate(draft, found.basis)) return { draft, ...guarded }
  const now = shownBasis(found.basis, sender)
  if (!consent || !isSameBasis(consent, now))
    throw conflict('The reply would reach somebody else than when it was saved', {
      reason: recipientChanged,
      basis: shownBasis(draft.basis ?? null, sender),
      now,
    })
  const lists = withoutFilled(draft)
  return { draft: { ...draft, ...(await withBasis(ctx, { lists, found })) }, ...guarded }
}

/** A draft of an earlier version has no basis: as an e-mail it is sent only to people whom it names. */
function isUpToDate({ basis, to }: DraftRow, now: DraftBasis): boolean {
  if (!basis) return now.door !== 'email' || to.length > 0
  return isSameBasis(basis, now)
}

function withoutFilled({ type, to, cc, bcc, filled = [] }: DraftRow): Lists {
  return { type, to: filled.includes('to') ? [] : to, cc: filled.includes('cc') ? [] : cc, bcc }
}

/** Returns whether a refusal says that the recipients were chosen on another basis than that of now. */
export function isRecipientChange(details: unknown): boolean {
  return (
    typeof details === 'object' &&
    details !== null &&
    'reason' in details &&
    details.reason === recipientChanged
  )
}
