import type { LedgerPosition } from '../ports/erasure-ledger.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { saveSetting } from './save-setting.ts'

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
  await saveSetting(system, { name: ledgerSetting, value: `${bytes} ${digest}`, now })
}
