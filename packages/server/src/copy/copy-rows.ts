import type {
  CopyProgress,
  RowPlace,
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
  /** Ends the copy behind a page; started again it goes on there. */
  signal: AbortSignal
}

/** What was written again after a kill is small, and a page does not wait for the note about it. */
const noteEveryMs = 1_000

export function assertGoesOn(signal: AbortSignal): void {
  if (signal.aborted) throw new Error('stopped: run the same command again, it goes on from here')
}

function lastPlace(rows: readonly TransferRow[]): RowPlace {
  const { tenantId, id } = rows.at(-1) as TransferRow
  return { tenantId, id }
}

/** Rows that went from the source after an earlier pass had copied them. */
async function removeVanished({ source, target, bytes, progress }: Copy, kind: TransferKind): Promise<void> {
  let page = await target.readPage(kind, null)
  while (page.length > 0) {
    const gone = await source.findMissing(kind, page)
    // Bytes are never there without their row.
    if (kind === 'attachments') for (const place of gone) await bytes.to.remove(place)
    if (gone.length > 0) await target.remove(kind, gone)
    progress.show(`${kind}: looking for rows that went`)
    page = await target.readPage(kind, lastPlace(page))
  }
}

interface Begin {
  kind: TransferKind
  after: RowPlace | null
  pass: number
}

interface PageWrite {
  /** The last row of the page. */
  place: RowPlace
  rows: number
  done: Promise<void>
}

/** The bytes behind their rows, so that they are never there without one. */
async function putPage(
  copy: Copy,
  { kind, page, pass }: { kind: TransferKind; page: TransferRow[]; pass: number },
) {
  await copy.target.put(kind, page)
  if (kind !== 'attachments') return
  const { missing } = await copyBytes(copy.bytes, page, { pass, goOn: () => assertGoesOn(copy.signal) })
  for (const { tenantId, id } of missing)
    copy.progress.say(`The source has no bytes of attachment ${id} of ${tenantId}; only its row is copied.`)
}

/** Reads pages ahead of those that are being written; answers each when it is written, in their order. */
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
        const place = lastPlace(page)
        const done = putPage(copy, { kind, page, pass })
        // Its turn to be awaited comes later; until then its failure is nobody's.
        done.catch(() => undefined)
        running.push({ place, rows: page.length, done })
        page = await source.readPage(kind, place)
      }
      if (page.length > 0 && running.length < target.putsMax) continue
      const first = running[0] as PageWrite
      await first.done
      running.shift()
      yield first
    }
  } finally {
    // Whatever ended it: nothing is written after the caller has gone on.
    await Promise.allSettled(running.map(({ done }) => done))
  }
}

async function copyKind(copy: Copy, begin: Begin, note: (after: RowPlace) => Promise<void>): Promise<void> {
  const { source, progress, signal } = copy
  const total = await source.count(begin.kind)
  let copied = 0
  let notedAtMs = Date.now()
  for await (const { place, rows } of writePages(copy, begin)) {
    copied += rows
    progress.count(begin.kind, { rows: copied, total })
    if (signal.aborted || Date.now() - notedAtMs >= noteEveryMs) {
      await note(place)
      notedAtMs = Date.now()
    }
    assertGoesOn(signal)
  }
}

/** Copies all rows from where `begun` says, and notes in the target how far it is. */
export async function copyRows(copy: Copy, begun: CopyProgress): Promise<CopyProgress> {
  const { target } = copy
  if (begun.position === null) return begun
  const { position } = begun
  const first = transferKinds.indexOf(position.kind)
  for (const kind of transferKinds.slice(first)) {
    const after = kind === position.kind ? position.after : null
    if (after === null && begun.pass > 1) await removeVanished(copy, kind)
    await copyKind(copy, { kind, after, pass: begun.pass }, (place) =>
      target.saveProgress({ ...begun, position: { kind, after: place } }),
    )
    const following = transferKinds[transferKinds.indexOf(kind) + 1]
    const next = following === undefined ? null : { kind: following, after: null }
    await target.saveProgress({ ...begun, position: next })
  }
  return { ...begun, position: null }
}
