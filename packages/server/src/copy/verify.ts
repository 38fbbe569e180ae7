import type { RowRef } from '../ports/storage-transfer.ts'
import { transferKinds } from '../storage/kinds/derive.ts'
import type { TransferKind } from '../storage/kinds/registry.ts'
import { checkBytes } from './copy-bytes.ts'
import { type Copy, eachPage, eachVanished, findDifferent, walkOf } from './copy-rows.ts'
import { formatCount } from './progress-line.ts'

/** The name of the attachments' bytes, which are compared besides the rows. */
const attachmentBytes = 'attachmentBytes'

/** One kind on both sides. */
export interface Comparison {
  kind: TransferKind | typeof attachmentBytes
  source: number
  target: number
  /** The rows that are on one side alone, or have another content there. */
  different: RowRef[]
}

/** Rows of a kind that are named at most; others are only counted by the next pass. */
const differentMax = 10_000

function note(to: RowRef[], refs: readonly RowRef[]): void {
  to.push(...refs.slice(0, differentMax - to.length).map(({ tenantId, id }) => ({ tenantId, id })))
}

/** Reads all rows of both sides again. Each row of the source is in the target with its content, and the target has no other. */
export async function compareStorages(copy: Copy): Promise<Comparison[]> {
  const { source, target, bytes, progress } = copy
  const comparisons: Comparison[] = []
  const files: Comparison = { kind: attachmentBytes, source: 0, target: 0, different: [] }
  for (const kind of transferKinds) {
    const different: RowRef[] = []
    let rows = 0
    await eachPage(walkOf(copy, { source, kind }), async (page) => {
      note(different, await findDifferent(target, kind, page))
      if (kind === 'attachments') {
        const found = await checkBytes(bytes, page)
        files.source += found.source
        files.target += found.target
        note(files.different, found.wrong)
      }
      rows += page.length
      progress.show(`checking ${kind}: ${formatCount(rows)} rows read on both sides`)
    })
    const hasAll = different.length === 0
    await eachVanished(copy, { kind, hasAll }, async (refs) => note(different, refs))
    comparisons.push({ kind, source: rows, target: await target.count(kind), different })
  }
  return [...comparisons, files]
}
