import type { SetupStepId } from '@crmkit/core'
import type { SetupRecord, TenantRecord } from '../storage/kinds/tenants.ts'

export const nothingDone: SetupRecord = { done: {}, dismissedAt: null }

/** Returns what a tenant notes about a step that is done now; undefined when it was done before. */
export function setupAfter(
  { setup = nothingDone }: TenantRecord,
  id: SetupStepId,
  now: string,
): SetupRecord | undefined {
  return setup.done[id] === undefined ? { ...setup, done: { ...setup.done, [id]: now } } : undefined
}
