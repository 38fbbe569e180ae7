import type {
  CopyProgress,
  RowRef,
  TransferRow,
  TransferSource,
  TransferTarget,
} from '../ports/storage-transfer.ts'
import { transferKinds } from '../storage/kinds/derive.ts'
import type { TransferKind } from '../storage/kinds/registry.ts'
import { type BytesCopy, copyBytes } from './copy-bytes.ts'
import type { ProgressLine } from './progress-line.ts'

export interface Copy {
  source: TransferSource
  target: TransferTarget
  bytes: BytesCopy
  progress: ProgressLine
  /** Ends the copy after a page; the next run continues there. */
  signal: AbortSignal
}

/** How often the progress is saved: after a kill only the pages of this time are written again. */
const saveEveryMs = 1_000

export function assertRunning(signal: AbortSignal): void {
  if (signal.aborted) throw new Error('stopped: run the same command again to continue from here')
}

function lastRef(rows: readonly TransferRow[]): RowRef {
  const { tenantId, id } = rows.at(-1) as TransferRow
  return { tenantId, id }
}

/** Deletes rows of the target that were deleted from the source after an earlier pass had copied them. */
async function removeVanished({ source, target, bytes, progress }: Copy, kind: TransferKind): Promise<void> {
  let page = await target.readPage(kind, null)
  while (page.length > 0) {
    const missing = await source.findMissing(kind, page)
    // The bytes are deleted before their row, so that there are never bytes without a row.
    if (kind === 'attachments') for (const ref of missing) await bytes.to.remove(ref)
    if (missing.length > 0) await target.remove(kind, missing)
    progress.show(`${kind}: looking for deleted rows`)
    page = await target.readPage(kind, lastRef(page))
  }
}

interface Begin {
  kind: TransferKind
  after: RowRef | null
  pass: number
}

interface PageWrite {
  /** The last row of the page. */
  ref: RowRef
  rows: number
  done: Promise<void>
}

interface Page {
  kind: TransferKind
  page: TransferRow[]
  pass: number
}

/** Writes the rows before their bytes, so that there are never bytes without a row. */
async function putPage(copy: Copy, { kind, page, pass }: Page) {
  await copy.target.put(kind, page)
  if (kind !== 'attachments') return
  const { missing } = await copyBytes(copy.bytes, page, {
    pass,
    assertRunning: () => assertRunning(copy.signal),
  })
  for (const { tenantId, id } of missing)
    copy.progress.say(`The source has no bytes of attachment ${id} of ${tenantId}; only its row is copied.`)
}

/** Reads pages while others are being written; yields each one when it is written, in their order. */
async function* writePages(
  copy: Copy,
  { kind, after, pass }: Begin,
): AsyncGenerator<Omit<PageWrite, 'done'>> {
  const { source, target } = copy
  const running: PageWrite[] = []
  try {
    let page = await source.readPage(kind, after)
    while (page.length > 0 || running.length > 0) {
      if (page.length > 0) {
        const ref = lastRef(page)
        const done = putPage(copy, { kind, page, pass })
        // The promise is awaited later; until then its rejection must not be unhandled.
        done.catch(() => undefined)
        running.push({ ref, rows: page.length, done })
        page = await source.readPage(kind, ref)
      }
      if (page.length > 0 && running.length < target.putsMax) continue
      const first = running[0] as PageWrite
      await first.done
      running.shift()
      yield first
    }
  } finally {
    // Wait for running writes in every case: nothing may be written after the caller continues.
    await Promise.allSettled(running.map(({ done }) => done))
  }
}

async function copyKind(copy: Copy, begin: Begin, save: (after: RowRef) => Promise<void>): Promise<void> {
  const { source, progress, signal } = copy
  const total = await source.count(begin.kind)
  let copied = 0
  let savedAtMs = Date.now()
  for await (const { ref, rows } of writePages(copy, begin)) {
    copied += rows
    progress.count(begin.kind, { rows: copied, total })
    if (signal.aborted || Date.now() - savedAtMs >= saveEveryMs) {
      await save(ref)
      savedAtMs = Date.now()
    }
    assertRunning(signal)
  }
}

/** Copies all rows after the position of `begun`, and saves its progress in the target. */
export async function copyRows(copy: Copy, begun: CopyProgress): Promise<CopyProgress> {
  const { target } = copy
  if (begun.position === null) return begun
  const { position } = begun
  const first = transferKinds.indexOf(position.kind)
  for (const kind of transferKinds.slice(first)) {
    const after = kind === position.kind ? position.after : null
    if (after === null && begun.pass > 1) await removeVanished(copy, kind)
    await copyKind(copy, { kind, after, pass: begun.pass }, (ref) =>
      target.saveProgress({ ...begun, position: { kind, after: ref } }),
    )
    const following = transferKinds[transferKinds.indexOf(kind) + 1]
    const next = following === undefined ? null : { kind: following, after: null }
    await target.saveProgress({ ...begun, position: next })
  }
  return { ...begun, position: null }
}
