import {
  type DraftAuthor,
  type Problem,
  referenceProblem,
  type SaveDraftBody,
  type StoredDraft,
} from '@crmkit/core'
import type { Write } from '../../../ports/change.ts'
import type { TenantReads } from '../../../ports/storage.ts'
import { nameOfUser } from '../../../shared/name-of-user.ts'
import { type DraftRow, deletedDraft } from './find-draft.ts'

interface Source {
  /** For the draft that is saved. */
  stored: Required<Pick<StoredDraft, 'basedOn' | 'basedOnAuthor'>>
  /** Undefined: none, or it has ended. */
  row: DraftRow | undefined
  problems: Problem[]
}

interface Saving {
  before: DraftRow | undefined
  conversationId: string
  authorId: string
}

const none: Source = { stored: { basedOn: null, basedOnAuthor: null }, row: undefined, problems: [] }

/** Returns the draft that the saved one is based on, or the problem of one that is not there in the conversation. */
export async function findSource(
  store: Pick<TenantReads, 'drafts'>,
  basedOn: SaveDraftBody['basedOn'],
  { before, conversationId, authorId }: Saving,
): Promise<Source> {
  const known = before?.basedOn ?? null
  const id = basedOn === undefined ? known : basedOn
  if (id === null || id === before?._id) return none
  const found = await store.drafts.find(id)
  const row = found?.conversationId === conversationId ? found : undefined
  // One that has ended since an earlier save still names its author.
  if (id === known)
    return { ...none, stored: { basedOn: id, basedOnAuthor: before?.basedOnAuthor ?? null }, row }
  if (row === undefined) return { ...none, problems: [referenceProblem('basedOn')] }
  // One's own is being replaced.
  if (row.authorId === authorId) return none
  const { type, _id } = row.author
  return { ...none, stored: { basedOn: id, basedOnAuthor: { type, _id } }, row }
}

/** Returns the write that takes files out of the draft that another one is based on. */
export function withoutFiles(row: DraftRow | undefined, taken: ReadonlySet<string>, now: string): Write[] {
  if (row === undefined || !row.attachments.some(({ _id }) => taken.has(_id))) return []
  const attachments = row.attachments.filter(({ _id }) => !taken.has(_id))
  const { _id: id, version: expectVersion } = row
  return [{ op: 'update', kind: 'drafts', id, expectVersion, set: { attachments, updatedAt: now } }]
}

/** Returns the author whom a message names as `draftedBy`; null when its sender is the only one. */
export async function drafterOf(
  store: Pick<TenantReads, 'users' | 'apiKeys'>,
  { author, basedOnAuthor }: DraftRow,
  senderId: string,
): Promise<DraftAuthor | null> {
  const found = [basedOnAuthor, author].find((one) => one && one._id !== senderId)
  if (!found) return null
  const { type, _id } = found
  if (type === 'api') {
    const key = author._id === _id ? undefined : await store.apiKeys.find(_id)
    return { type, _id, name: author._id === _id ? author.name : (key?.displayName ?? key?.name ?? null) }
  }
  // Events name a user by the id alone who has restricted the processing of their data, or was deleted.
  const user = await store.users.find(_id)
  const name = user && (nameOfUser(user) ?? user.email)
  return { type, _id, name: user === undefined || user.processingRestricted ? null : (name ?? null) }
}

/** Returns the draft that a sent one was based on, with the writes that end it; it may have ended already. */
export async function endOfSource(
  store: TenantReads,
  { basedOn = null, conversationId }: DraftRow,
  now: string,
): Promise<{ ended: DraftRow[]; writes: Write[] }> {
  const row = basedOn === null ? undefined : await store.drafts.find(basedOn)
  if (row?.conversationId !== conversationId) return { ended: [], writes: [] }
  return { ended: [row], writes: await deletedDraft(store, row, now) }
}
