import type { Storage } from '../ports/storage.ts'
import { UniqueConflict, VersionConflict } from '../storage/errors.ts'
import { type TaskRecord, upgradeTaskPrefix } from '../storage/kinds/tasks.ts'
import { eachUpgradable, nextStep, type Upgradable } from '../upgrades/upgrade-state.ts'
import type { UpgradeStep } from '../upgrades/upgrade-step.ts'

export interface PlanParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  steps: readonly UpgradeStep[]
  now: string
}

/** Returns the task of a step that a tenant takes next. Its id is derived, so two commits cannot make two tasks. */
export async function newUpgradeTask(
  { storage: { system }, now }: PlanParts,
  { name, kind }: UpgradeStep,
  { tenantId }: Upgradable,
): Promise<TaskRecord> {
  const left = await system.countRows({ kind, tenantId })
  return {
    _id: `${upgradeTaskPrefix}${name}`,
    tenantId,
    type: 'upgradeRows',
    subjectId: name,
    targetId: null,
    requestedAt: now,
    progress: { after: '', pass: 1, changed: 0, skipped: 0, left },
  }
}

/**
 * Makes the task of each tenant that is not done with every step: of an upgraded database, of one that was restored or copied
 * from an older state, and of a process of an earlier version that made a tenant meanwhile.
 */
export async function planUpgrades(parts: PlanParts): Promise<void> {
  const { storage, steps } = parts
  if (steps.length === 0) return
  for await (const upgradable of eachUpgradable(storage.system)) {
    const step = nextStep(steps, upgradable)
    if (step === undefined) continue
    const { tenantId } = upgradable
    if (await storage.forTenant(tenantId).tasks.find(`${upgradeTaskPrefix}${step.name}`)) continue
    const row = await newUpgradeTask(parts, step, upgradable)
    await storage.system
      .commit(tenantId, { writes: [{ op: 'insert', kind: 'tasks', row }], events: [] })
      .catch(orDoneMeanwhile)
  }
}

function orDoneMeanwhile(error: unknown): void {
  if (!(error instanceof UniqueConflict || error instanceof VersionConflict)) throw error
}
