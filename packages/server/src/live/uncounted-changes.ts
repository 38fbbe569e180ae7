import type { Committed } from '../ports/storage.ts'
import { idOfWrite } from '../storage/rules/id-of-write.ts'

/** The fields of a conversation on which the counts depend, and which no event of messages alone reports. */
const countedFields: readonly string[] = ['status', 'assignedTo', 'inboxId', 'seq']

/** The kinds whose rows are counted. */
export const countedKinds = ['conversations', 'inboxes', 'inboundMails'] as const

type AnyWrite = Committed['change']['writes'][number]

/** Returns whether a commit changes the counts of a tenant without an event that says how, as an import does. */
export function isUncounted({ change: { writes, events } }: Committed): boolean {
  const isReported = (id: string) => events.some(({ subjects }) => subjects.includes(id))
  return writes.some((write) => {
    if (write.kind === 'inboxes') return write.op === 'insert' || write.op === 'remove'
    if (write.kind !== 'conversations') return false
    return changesCounts(write) && !isReported(idOfWrite(write))
  })
}

function changesCounts(write: AnyWrite): boolean {
  if (write.op === 'patch')
    return 'seq' in (write.increment ?? {}) || 'waitingSince' in ((write.set as object | undefined) ?? {})
  if (write.op === 'update') return countedFields.some((field) => field in write.set)
  return true
}

/** Returns whether a commit may change how many mails need a person; a mail that is parked has an event. */
export function changesMails({ change: { writes } }: Committed): boolean {
  return writes.some((write) => {
    if (write.kind !== 'inboundMails') return false
    if (write.op === 'insert') return write.row.status !== 'received'
    if (write.op !== 'update') return true
    const { status, reason } = write.set
    return (
      status === 'received' || (status === 'ignored' && (reason === 'duplicate' || reason === 'discarded'))
    )
  })
}

/** Returns the users whose availability a commit may change. The signs of streams say nothing new but of those who come. */
export function usersToLookAt({ change: { writes } }: Committed): string[] {
  return writes.flatMap((write) => {
    if (write.kind !== 'users') return []
    return write.op !== 'patch' || 'onlineSince' in ((write.set as object | undefined) ?? {})
      ? [idOfWrite(write)]
      : []
  })
}

/** Returns the sessions that a commit ends. */
export function endedSessions({ change: { writes } }: Committed): string[] {
  return writes.flatMap((write) => {
    if (write.kind !== 'sessions') return []
    if (write.op === 'remove') return [write.id]
    return write.op === 'update' && write.set.endedAt ? [write.id] : []
  })
}
