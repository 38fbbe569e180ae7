import type { RowRef, TransferRow, TransferSource, TransferTarget } from '../ports/storage-transfer.ts'
import { UniqueConflict } from '../storage/errors.ts'
import { transferKinds } from '../storage/kinds/derive.ts'
import type { TransferKind } from '../storage/kinds/registry.ts'
import { type BytesCopy, copyBytes } from './copy-bytes.ts'
import type { ProgressLine } from './progress-line.ts'
import { isSameRow, keyOf } from './same-row.ts'

export interface Copy {
  source: TransferSource
  target: TransferTarget
  bytes: BytesCopy
  progress: ProgressLine
  /** Ends the copy after a page. */
  signal: AbortSignal
}

/** Pages that are used at the same time: MongoDB's writes wait for the majority's acknowledgement. */
const pagesAtOnce = 3

interface Walk {
  source: TransferSource
  kind: TransferKind
  /** Throws when the copy was stopped. */
  assertRunning(): void
}

export function walkOf({ signal }: Copy, of: Pick<Walk, 'source' | 'kind'>): Walk {
  const assertRunning = () => {
    if (signal.aborted) throw new Error('stopped: run the same command again to continue')
  }
  return { ...of, assertRunning }
}

/** Uses all rows of a kind, page by page, in no order. */
export async function eachPage(
  { source, kind, assertRunning }: Walk,
  use: (page: TransferRow[]) => Promise<void>,
): Promise<void> {
  const running: Promise<void>[] = []
  try {
    for (let page = await source.readPage(kind, null); page.length > 0; ) {
      assertRunning()
      const used = use(page)
      // The promise is awaited later; until then its rejection must not be unhandled.
      used.catch(() => undefined)
      running.push(used)
      page = await source.readPage(kind, page.at(-1) as TransferRow)
      if (running.length >= pagesAtOnce) await running.shift()
    }
    for (const used of running) await used
  } finally {
    // In every case: nothing may be written after the caller continues.
    await Promise.allSettled(running)
  }
}

/** Returns the rows that the target does not have with the same content. The version is not enough: patches keep it. */
export async function findDifferent(
  target: TransferTarget,
  kind: TransferKind,
  page: readonly TransferRow[],
): Promise<TransferRow[]> {
  const found = new Map((await target.readRows(kind, page)).map((row) => [keyOf(row), row]))
  return page.filter((row) => !isSameRow(found.get(keyOf(row)), row))
}

interface Found {
  kind: TransferKind
  /** The target has every row of the source: then it has others only when the counts differ. */
  hasAll: boolean
}

/** Uses the rows of the target that the source does not have. */
export async function eachVanished(
  copy: Copy,
  { kind, hasAll }: Found,
  use: (refs: RowRef[]) => Promise<void>,
): Promise<void> {
  const { source, target } = copy
  if (hasAll && (await source.count(kind)) === (await target.count(kind))) return
  await eachPage(walkOf(copy, { source: target, kind }), async (page) => {
    const missing = await source.findMissing(kind, page)
    if (missing.length > 0) await use(missing)
  })
}

async function removeVanished(copy: Copy, found: Found): Promise<void> {
  const { kind } = found
  await eachVanished(copy, found, async (refs) => {
    // The bytes are deleted before their row, so that there are never bytes without a row.
    if (kind === 'attachments') for (const ref of refs) await copy.bytes.to.remove(ref)
    await copy.target.remove(kind, refs)
  })
}

/** Writes what differs. Returns false when rows are left out, because others have their unique values. */
async function putDifferent(copy: Copy, kind: TransferKind): Promise<boolean> {
  const { source, target, progress } = copy
  const total = await source.count(kind)
  let [seen, hasAll] = [0, true]
  await eachPage(walkOf(copy, { source, kind }), async (page) => {
    const different = await findDifferent(target, kind, page)
    try {
      if (different.length > 0) await target.put(kind, different)
    } catch (error) {
      if (!(error instanceof UniqueConflict)) throw error
      // The stored rows are out of date, and may have the values that rows of other pages wait for.
      await target.remove(kind, different)
      hasAll = false
    }
    // The rows are written before their bytes, so that there are never bytes without a row.
    if (kind === 'attachments') await copyBytes(copy, page)
    seen += page.length
    progress.count(kind, { rows: seen, total })
  })
  return hasAll
}

/** Makes the target equal to the source. Rows that are equal already are only read. */
export async function copyRows(copy: Copy): Promise<void> {
  for (const kind of transferKinds) {
    const hasAll = await putDifferent(copy, kind)
    await removeVanished(copy, { kind, hasAll })
    // Now only rows of the source are there, none of which has a value of another one.
    if (!hasAll && !(await putDifferent(copy, kind)))
      throw new Error(`${kind}: two rows of ${copy.source.address} have one unique value`)
  }
}
