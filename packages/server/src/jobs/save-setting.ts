import type { SystemStore } from '../ports/system-store.ts'
import { UniqueConflict, VersionConflict } from '../storage/errors.ts'
import { serverId } from '../upgrades/upgrade-state.ts'

/** Stores a value of the whole installation, unless it has it already. */
export async function saveSetting(
  system: Pick<SystemStore, 'findSetting' | 'commit'>,
  { name, value, now }: { name: string; value: string; now: string },
): Promise<void> {
  for (;;) {
    const before = await system.findSetting(name)
    if (before?.value === value) return
    const write =
      before === undefined
        ? ({
            op: 'insert',
            kind: 'settings',
            row: { _id: name, value, createdAt: now, updatedAt: now },
          } as const)
        : ({
            op: 'update',
            kind: 'settings',
            id: name,
            expectVersion: before.version,
            set: { value, updatedAt: now },
          } as const)
    try {
      return await system.commit(serverId, { writes: [write], events: [] })
    } catch (error) {
      // Another process has stored its own a moment ago.
      if (!(error instanceof UniqueConflict || error instanceof VersionConflict)) throw error
    }
  }
}
