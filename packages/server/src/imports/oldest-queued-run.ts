import type { SystemStore } from '../ports/system-store.ts'

/** Runs that have begun and those of suspended tenants are due too, and come before the one that waits. */
const runsMax = 100

/** Returns when the import that waits longest for its begin was due; null when none waits. */
export async function oldestQueuedRun(
  system: Pick<SystemStore, 'across' | 'findTenant'>,
  now: string,
): Promise<string | null> {
  for (const { tenantId, row: run } of await system.across.dueImports.due(now, runsMax)) {
    if (run.status !== 'queued') continue
    const tenant = await system.findTenant(tenantId)
    if (tenant?.isSuspended === false) return run.createdAt
  }
  return null
}
