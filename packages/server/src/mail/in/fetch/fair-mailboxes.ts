import type { MailboxReader } from './mailbox-reader.ts'

/** A connection that is younger is not ended for another one. */
export const heldMsMin = 60_000

type Readers = ReadonlyMap<string, Pick<MailboxReader, 'tenantId' | 'startedAtMs'>>

interface Running {
  readers: Readers
  servedAtMs: ReadonlyMap<string, number>
}

/** Orders the mailboxes that wait: those of tenants with the fewest connections first, then those that wait for longest. */
export function chooseNext<M extends { key: string; tenantId: string }>(
  waiting: readonly M[],
  { readers, servedAtMs }: Running,
): M[] {
  const counts = countByTenant(readers)
  const servedAt = ({ key }: M) => servedAtMs.get(key) ?? 0
  const ranked = [...waiting]
    .sort((a, b) => servedAt(a) - servedAt(b))
    .map((mailbox) => {
      const rank = counts.get(mailbox.tenantId) ?? 0
      counts.set(mailbox.tenantId, rank + 1)
      return { mailbox, rank }
    })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ mailbox }) => mailbox)
}

/**
 * Returns the connection to end for a mailbox of this tenant that waits: the oldest one of the tenant with the most
 * connections; undefined while all are young, or when that would take one from a tenant with fewer.
 */
export function chooseVictim(readers: Readers, tenantId: string, nowMs: number): string | undefined {
  const counts = countByTenant(readers)
  const own = counts.get(tenantId) ?? 0
  const countOf = (reader: { tenantId: string }) => counts.get(reader.tenantId) ?? 0
  const found = [...readers]
    .filter(([, reader]) => nowMs - reader.startedAtMs >= heldMsMin && countOf(reader) >= own)
    .sort(([, a], [, b]) => countOf(b) - countOf(a) || a.startedAtMs - b.startedAtMs)
  return found[0]?.[0]
}

function countByTenant(readers: Readers): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tenantId } of readers.values()) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1)
  return counts
}
