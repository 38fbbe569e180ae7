import { candidatesOf } from '@crmkit/core'
import type { TenantStore } from '../../ports/storage.ts'

/** Whose turn it is, in this process; no row is shared by all who ask. */
export interface Turns {
  /** Counts up for each name. */
  next(name: string): number
}

const namesMax = 10_000

/** Starts anywhere, so that several processes do not all begin with the same person. */
export function createTurns(): Turns {
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
 * The member whose turn it is in an inbox that gives out its conversations: online, active, and with fewer open ones than
 * the inbox allows. Null when there is nobody. Conversations that are made at the very same moment are counted a moment
 * later, so a member can get one more than `maxOpen` for each of them.
 */
export async function chooseAssignee(
  { store, turns }: { store: TenantStore; turns: Turns },
  inboxId: string,
): Promise<string | null> {
  const inbox = await store.inboxes.find(inboxId)
  if (!inbox?.isActive || !inbox.autoAssign.enabled) return null
  const members = await Promise.all(inbox.members.map((id) => store.users.find(id)))
  const candidates = candidatesOf(members)
  const first = turns.next(`${inbox.tenantId}:${inboxId}`)
  for (let offset = 0; offset < candidates.length; offset++) {
    const candidate = candidates[(first + offset) % candidates.length]
    if (candidate && (await hasRoom(store, { id: candidate._id, maxOpen: inbox.autoAssign.maxOpen }))) {
      return candidate._id
    }
  }
  return null
}

async function hasRoom(
  store: TenantStore,
  { id, maxOpen }: { id: string; maxOpen: number | null },
): Promise<boolean> {
  if (maxOpen === null) return true
  const filter = { assignedTo: id, status: ['open' as const], page: 1, limit: 1, sort: '-updatedAt' as const }
  return (await store.conversations.list(filter)).total < maxOpen
}
