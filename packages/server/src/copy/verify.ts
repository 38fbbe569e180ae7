import { transferKinds } from '../storage/kinds/derive.ts'
import type { TransferKind } from '../storage/kinds/registry.ts'
import { assertRunning, type Copy } from './copy-rows.ts'
import { formatCount } from './progress-line.ts'
import { type Tallies, type Tally, tallyBytes, tallyKind } from './tally.ts'

/** The name of the attachments' bytes, which are compared besides the rows. */
export const attachmentBytes = 'attachmentBytes'
export const comparedKinds = [...transferKinds, attachmentBytes] as const

/** One tenant's rows of one kind on both sides. */
export interface Comparison {
  tenantId: string
  kind: TransferKind | typeof attachmentBytes
  source: Tally
  target: Tally
}

const nothing: Tally = { rows: 0, checksum: 0n }

export function isEqual({ source, target }: Comparison): boolean {
  return source.rows === target.rows && source.checksum === target.checksum
}

/** Reads all rows and bytes of both sides again, and returns the tallies of each tenant and kind. */
export async function compareStorages({
  source,
  target,
  bytes,
  progress,
  signal,
}: Copy): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const kind of comparedKinds) {
    let rows = 0
    const read = (count: number) => {
      assertRunning(signal)
      rows += count
      progress.show(`checking ${kind}: ${formatCount(rows)} rows read on both sides`)
    }
    const sides = await Promise.all(
      kind === attachmentBytes
        ? [tallyBytes(source, bytes.from, read), tallyBytes(target, bytes.to, read)]
        : [tallyKind(source, kind, read), tallyKind(target, kind, read)],
    )
    comparisons.push(...comparisonsOf(kind, sides as [Tallies, Tallies]))
  }
  return comparisons
}

function comparisonsOf(kind: Comparison['kind'], [ofSource, ofTarget]: [Tallies, Tallies]): Comparison[] {
  return [...new Set([...ofSource.keys(), ...ofTarget.keys()])].map((tenantId) => {
    const [source, target] = [ofSource.get(tenantId) ?? nothing, ofTarget.get(tenantId) ?? nothing]
    return { tenantId, kind, source, target }
  })
}
