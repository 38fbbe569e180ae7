import { type TransferKind, transferKinds } from '../ports/storage-transfer.ts'
import { assertGoesOn, type Copy } from './copy-rows.ts'
import { formatCount } from './progress-line.ts'
import { type Tally, tallyKind } from './tally.ts'

/** One tenant's rows of one kind on both sides. */
export interface Comparison {
  tenantId: string
  kind: TransferKind
  source: Tally
  target: Tally
}

const nothing: Tally = { rows: 0, checksum: 0n }

export function isEqual({ source, target }: Comparison): boolean {
  return source.rows === target.rows && source.checksum === target.checksum
}

/** Reads everything on both sides once more, and tells what each tenant has of each kind. */
export async function compareStorages({ source, target, progress, signal }: Copy): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const kind of transferKinds) {
    let rows = 0
    const read = (count: number) => {
      assertGoesOn(signal)
      rows += count
      progress.show(`checking ${kind}: ${formatCount(rows)} rows read on both sides`)
    }
    const [ofSource, ofTarget] = await Promise.all([
      tallyKind(source, kind, read),
      tallyKind(target, kind, read),
    ])
    for (const tenantId of new Set([...ofSource.keys(), ...ofTarget.keys()])) {
      const [from, to] = [ofSource.get(tenantId) ?? nothing, ofTarget.get(tenantId) ?? nothing]
      comparisons.push({ tenantId, kind, source: from, target: to })
    }
  }
  return comparisons
}
