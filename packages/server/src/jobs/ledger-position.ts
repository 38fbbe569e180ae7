import type { Write } from '../ports/change.ts'
import type { LedgerPosition } from '../ports/erasure-ledger.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { UniqueConflict, VersionConflict } from '../storage/errors.ts'
import type { Kind } from '../storage/kinds/registry.ts'
import { serverId } from '../upgrades/upgrade-state.ts'

/** The setting that says how far a database knows its ledger of erasures. A backup and a copy take it along. */
export const ledgerSetting = 'erasureLedger'

type Store = Pick<SystemStore, 'findSetting' | 'commit'>

export function readPosition(setting: string | undefined): LedgerPosition | undefined {
  const [, bytes, digest] = /^(\d+) ([0-9a-f]+)$/.exec(setting ?? '') ?? []
  return digest === undefined ? undefined : { bytes: Number(bytes), digest }
}

export async function findPosition(system: Store): Promise<LedgerPosition | undefined> {
  return readPosition((await system.findSetting(ledgerSetting))?.value)
}

export async function savePosition(
  system: Store,
  { bytes, digest }: LedgerPosition,
  now: string,
): Promise<void> {
  const value = `${bytes} ${digest}`
  for (;;) {
    const before = await system.findSetting(ledgerSetting)
    if (before?.value === value) return
    const write: Write<Kind> =
      before === undefined
        ? {
            op: 'insert',
            kind: 'settings',
            row: { _id: ledgerSetting, value, createdAt: now, updatedAt: now },
          }
        : {
            op: 'update',
            kind: 'settings',
            id: ledgerSetting,
            expectVersion: before.version,
            set: { value, updatedAt: now },
          }
    try {
      return await system.commit(serverId, { writes: [write], events: [] })
    } catch (error) {
      // Another process has stored its own a moment ago.
      if (!(error instanceof UniqueConflict || error instanceof VersionConflict)) throw error
    }
  }
}
