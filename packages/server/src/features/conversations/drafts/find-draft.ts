import { conflict, type Draft, type DraftBasis, type StoredDraft } from '@crmkit/core'
import type { Write } from '../../../ports/change.ts'
import type { TenantReads } from '../../../ports/storage.ts'
import { removalOf } from '../../../shared/removal-of.ts'
import type { Stored } from '../../../storage/records.ts'
import type { Actor } from '../../caller.ts'
import { freedAttachments } from '../message-attachments.ts'

export type DraftRow = Stored<StoredDraft>

type Reader = Pick<Actor, 'permissions'>

/**
 * Returns a draft as the API shows it to a caller: without read:customers they see only the recipients that somebody has
 * named, because those that the service chose are addresses of customers.
 */
export function shownDraft(row: DraftRow, reader: Reader): Draft {
  const {
    authorId: _authorId,
    seenSeq: _seenSeq,
    dueAt: _dueAt,
    basedOnAuthor: _basedOnAuthor,
    filled = [],
    ...draft
  } = row
  // Rows of earlier versions have none of them.
  const { ifSeq = null, basis = null, basedOn = null } = draft
  const recipientsHidden = basis !== null && !mayReadCustomers(reader)
  const isHidden = (list: 'to' | 'cc') => recipientsHidden && filled.includes(list)
  return {
    ...draft,
    to: isHidden('to') ? [] : draft.to,
    cc: isHidden('cc') ? [] : draft.cc,
    ifSeq,
    basedOn,
    basis: shownBasis(basis, reader),
    recipientsHidden,
  }
}

export function shownBasis<B extends DraftBasis | null>(basis: B, reader: Reader): B {
  return basis === null || mayReadCustomers(reader) ? basis : { ...basis, customerEmail: null }
}

function mayReadCustomers({ permissions }: Reader): boolean {
  return permissions.includes('read:customers')
}

type NamedFields = '_id' | 'conversationId' | 'author' | 'version' | 'sendAt'

/** Returns what a live event says about a draft that was changed, sent or deleted: never its content. */
export function namedDraft({
  _id: draftId,
  conversationId,
  author,
  version,
  sendAt,
}: Pick<Draft, NamedFields>) {
  return { conversationId, draftId, author, version, sendAt }
}

/** Returns the draft of an author in a conversation; an author has at most one. */
export async function findDraftOf(
  store: TenantReads,
  of: { conversationId: string; authorId: string },
): Promise<DraftRow | undefined> {
  const { rows } = await store.drafts.listRows({ ...of, page: 1, limit: 1 })
  return rows[0]
}

/** Throws CONFLICT with the draft as it is, where the caller names another version. 0 is the version of no draft. */
export function assertDraftVersion(
  draft: DraftRow | undefined,
  expectedVersion: number | null | undefined,
  reader: Reader,
): void {
  if ((expectedVersion ?? undefined) === undefined || expectedVersion === (draft?.version ?? 0)) return
  throw conflict('The draft has another version', { draft: draft ? shownDraft(draft, reader) : null })
}

/** Returns the write that ends a draft. It conflicts when the draft was changed, sent or deleted after it was read. */
export function endOfDraft(draft: DraftRow): Write {
  return removalOf('drafts', draft)
}

/** Returns writes that delete a draft without sending it. Its files are uploads without a message again. */
export async function deletedDraft(store: TenantReads, draft: DraftRow, now: string): Promise<Write[]> {
  const fileIds = draft.attachments.map(({ _id }) => _id)
  return [...(await freedAttachments(store, fileIds, now)), endOfDraft(draft)]
}
