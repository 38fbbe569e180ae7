import { type SetupStepId, setupStepIds, type TenantSetup } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import type { DoorRecord } from '../../storage/kinds/doors.ts'
import type { SampleRecord, SetupRecord } from '../../storage/kinds/tenants.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored } from '../../storage/records.ts'

/** So many of the newest rows are looked at: a team that works has a sign of each step among them. */
const looked = 100
const authorsMax = 20
const newest = { page: 1, limit: looked } as const

type Reads = Pick<TenantReads, 'conversations' | 'inboundMails' | 'users' | 'messages' | 'doors'>

/**
 * Returns the record with the steps that the tenant's rows show to be done, each with its time; the same object when there is no
 * new one. A step that is noted is never asked for again.
 */
export async function withStepsDone(store: Reads, setup: SetupRecord, now: string): Promise<SetupRecord> {
  const { done } = setup
  if (done.channel && done.invite && done.answer) return setup
  const joined = (await store.users.listRows(newest)).rows.filter(({ identityId }) => identityId !== '')
  const found: Partial<Record<SetupStepId, string | undefined>> = {
    channel: done.channel ?? (await firstArrivalAt(store)),
    // The row of an accepted invitation does not say when that was.
    invite: done.invite ?? (joined.length > 1 ? now : undefined),
    answer: done.answer ?? (await firstReplyAt(store, joined, setup.sampleData)),
  }
  const isNew = setupStepIds.some((id) => done[id] === undefined && found[id] !== undefined)
  if (!isNew) return setup
  const known = Object.entries(found).filter(([, at]) => at !== undefined)
  return { ...setup, done: { ...done, ...Object.fromEntries(known) } }
}

/** Of a message of a visitor, or of a mail. Rows that an import or a program has written are no sign of a door that works. */
async function firstArrivalAt({ conversations, inboundMails }: Reads): Promise<string | undefined> {
  const [chats, mails] = await Promise.all([
    conversations.listRows({ ...newest, sort: '-updatedAt' }),
    inboundMails.listRows({ page: 1, limit: 1, status: 'processed', sort: 'createdAt' }),
  ])
  const ofVisitors = chats.rows.filter(({ visitorId }) => Boolean(visitorId))
  const moments = [...ofVisitors, ...mails.rows].map(({ createdAt }) => createdAt)
  return moments.toSorted()[0]
}

async function firstReplyAt(
  { messages }: Reads,
  joined: readonly Stored<UserRecord>[],
  samples: SampleRecord | undefined,
): Promise<string | undefined> {
  const pages = await Promise.all(
    joined
      .slice(0, authorsMax)
      .map(({ _id: userId }) => messages.listRows({ ...newest, userId, sort: 'createdAt' })),
  )
  const replies = pages
    .flatMap(({ rows }) => rows)
    .filter(({ type, direction, externalId }) => type === 'reply' && direction === 'outbound' && !externalId)
    .filter(({ conversationId }) => !samples?.conversationIds.includes(conversationId))
  return replies.map(({ createdAt }) => createdAt).toSorted()[0]
}

/** Returns the list as the API shows it. A door of an inbox that fails opens the step `channel`, and shows a hidden list again. */
export function shownSetup(
  { done, dismissedAt, sampleData }: SetupRecord,
  failing: readonly DoorRecord[],
): TenantSetup {
  const [stopped] = failing
  const steps = setupStepIds.map((id) => {
    const doneAt = done[id] ?? null
    const detail = id === 'channel' && doneAt !== null && stopped !== undefined ? stopped.reason : null
    return { id, done: doneAt !== null && detail === null, doneAt, detail }
  })
  const isOver = failing.some(({ failingSince }) => (failingSince ?? '') > (dismissedAt ?? ''))
  return {
    steps,
    dismissedAt: isOver ? null : dismissedAt,
    sampleData: sampleData ? { runId: sampleData.runId, addedAt: sampleData.addedAt } : null,
  }
}

/** Returns the doors of inboxes that fail, the newest first. */
export async function failingDoors({ doors }: Pick<Reads, 'doors'>): Promise<Stored<DoorRecord>[]> {
  const { rows } = await doors.listRows({ ...newest, state: 'failing' })
  return rows.filter(({ inboxId }) => inboxId !== null)
}
