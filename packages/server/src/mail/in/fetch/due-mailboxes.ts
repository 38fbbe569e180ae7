import type { RowOfTenant, SystemStore } from '../../../ports/system-store.ts'
import { isoTime } from '../../../shared/clock.ts'
import { imapMailboxOf, mailboxDueOf, visitOf } from '../../../storage/kinds/inboxes.ts'

const pageSize = 200
/** Of those that are due, the next poll reads the others. */
const pagesMax = 5
/** A mailbox is due no later than this; one that says a later time was read before the clock was set back. */
const waitMsMax = 3_600_000

export type Mailbox = RowOfTenant<'inboxes'> & { key: string }
type Reads = Pick<SystemStore, 'across' | 'findTenants'>

/** None when the inbox reads no mailbox any more. */
function mailboxOf(found: RowOfTenant<'inboxes'>): Mailbox[] {
  const key = imapMailboxOf(found.row)
  return key === null ? [] : [{ ...found, key }]
}

async function ofActiveTenants(
  { findTenants }: Pick<Reads, 'findTenants'>,
  found: readonly RowOfTenant<'inboxes'>[],
): Promise<Mailbox[]> {
  if (found.length === 0) return []
  const tenants = await findTenants([...new Set(found.map(({ tenantId }) => tenantId))])
  const active = new Set(tenants.flatMap(({ tenantId, isSuspended }) => (isSuspended ? [] : [tenantId])))
  return found.filter(({ tenantId }) => active.has(tenantId)).flatMap(mailboxOf)
}

/** Returns those of these mailboxes that are to be read still, also by other settings. */
export async function findMailboxes(system: Reads, keys: readonly string[]): Promise<Map<string, Mailbox>> {
  const found = await ofActiveTenants(system, await system.across.imapMailboxes.among(keys))
  return new Map(found.map((mailbox) => [mailbox.key, mailbox]))
}

/** Returns the mailboxes that are to be read now, a page at a time, those first that wait for longest. */
export async function* dueMailboxes(system: Reads, nowMs: number): AsyncGenerator<Mailbox[]> {
  const { dueMailboxes: byDue } = system.across
  const setBack = await byDue.behind(until(nowMs + waitMsMax), pageSize)
  if (setBack.length > 0) yield ofActiveTenants(system, setBack)
  const end = until(nowMs)
  let found = await byDue.due(end, pageSize)
  for (let page = 1; found.length > 0; page++) {
    yield ofActiveTenants(system, found)
    const last = found.at(-1)
    const after = last && mailboxDueOf(last.row)
    if (found.length < pageSize || page === pagesMax || !after) return
    found = (await byDue.behind(after, pageSize)).filter(({ row }) => (mailboxDueOf(row) ?? '') <= end)
  }
}

export function isDue({ row }: Mailbox, nowMs: number): boolean {
  const due = mailboxDueOf(row)
  return due !== null && (due <= until(nowMs) || due > until(nowMs + waitMsMax))
}

/** Behind a moment stands the key of the mailbox, and behind every key this letter. */
const until = (ms: number) => `${isoTime(ms)} ~`

/** Returns since when the mailbox is to be read that waits for longest. */
export async function oldestDueMailbox(system: Reads, now: string): Promise<string | null> {
  for await (const page of dueMailboxes(system, Date.parse(now))) {
    const [oldest] = page.map(({ row }) => visitOf(row)?.dueAt ?? row.updatedAt).sort()
    if (oldest !== undefined) return oldest
  }
  return null
}
