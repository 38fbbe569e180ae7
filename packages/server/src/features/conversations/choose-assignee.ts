import { candidatesOf } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { autoAssignOf } from '../../shared/auto-assign.ts'
import { userOfRecord } from '../../shared/user-of-record.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { RoundRobin } from '../handler.ts'

const namesMax = 10_000

/** Starts at a random number, so that several processes do not all begin with the same person. */
export function createRoundRobin(): RoundRobin {
  const counts = new Map<string, number>()
  return {
    next(name) {
      const count = (counts.get(name) ?? Math.floor(Math.random() * 1000)) + 1
      if (counts.size >= namesMax && !counts.has(name)) counts.clear()
      counts.set(name, count)
      return count
    },
  }
}

/**
 * Returns the next member, in round-robin order, of an inbox that assigns its conversations: one who is active, online where
 * the inbox asks for that, and has fewer open conversations than the inbox allows. Null when there is none. Conversations that are created at
 * the same moment do not count each other, so a member can get more than `maxOpen` by their number.
 */
export async function chooseAssignee(
  { store, roundRobin, now }: { store: TenantReads; roundRobin: RoundRobin; now: string },
  inbox: InboxRecord | undefined,
): Promise<string | null> {
  if (!inbox?.isActive || !inbox.autoAssign.enabled) return null
  const members = await Promise.all(inbox.members.map((id) => store.users.find(id)))
  const shown = members.map((member) => member && userOfRecord(member, { now }))
  const candidates = candidatesOf(shown, autoAssignOf(inbox))
  const first = roundRobin.next(`${inbox.tenantId}:${inbox._id}`)
  for (let offset = 0; offset < candidates.length; offset++) {
    const candidate = candidates[(first + offset) % candidates.length]
    if (candidate && (await hasCapacity(store, { id: candidate._id, maxOpen: inbox.autoAssign.maxOpen }))) {
      return candidate._id
    }
  }
  return null
}

async function hasCapacity(
  store: TenantReads,
  { id, maxOpen }: { id: string; maxOpen: number | null },
): Promise<boolean> {
  if (maxOpen === null) return true
  const filter = { assignedTo: id, status: ['open' as const], page: 1, limit: 1, sort: '-updatedAt' as const }
  return (await store.conversations.list(filter)).total < maxOpen
}
