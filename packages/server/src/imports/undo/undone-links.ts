import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { externalLinkId } from '../../storage/external-ids.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import type { ImportUndoRecord } from '../../storage/kinds/import-undo.ts'
import type { Stored } from '../../storage/records.ts'
import { undoIdOf } from '../plan/page-plan.ts'

/** A row that may have come from several records. */
export interface LinkedRow {
  externalIds?: readonly string[]
  formerExternalIds?: readonly string[]
  externalId?: string | null
}

/** A row as it is when the undo has ended. */
interface RestoredRow {
  row: LinkedRow
  version: number
}

interface RestoredLink {
  write: Write
  /** The run whose own undo expects the row at the version that it has now. */
  earlierRun?: string
}

/** Returns the links of a row that the run made together with the row. */
export async function linksMadeBy(
  store: TenantStore,
  runId: string,
  row: LinkedRow,
): Promise<Stored<ImportLinkRecord>[]> {
  return (await linksOf(store, row)).filter(({ madeBy }) => madeBy === runId)
}

async function linksOf(store: TenantStore, row: LinkedRow): Promise<Stored<ImportLinkRecord>[]> {
  const externalIds = row.externalIds ?? (row.externalId ? [row.externalId] : [])
  const found = await Promise.all(externalIds.map((id) => store.importLinks.find(externalLinkId(id))))
  return found.filter((link) => link !== undefined)
}

/**
 * Returns the writes that make the links of a row as they were before the run. The row is as an earlier run has left it,
 * at a version of its own: the links and the values that the earlier run keeps for its own undo name that version.
 */
export async function restoredLinks(
  store: TenantStore,
  undo: ImportUndoRecord,
  restored: RestoredRow,
): Promise<Write[]> {
  const { version } = restored
  const links = [
    ...(await changedLinks(store, undo, version)),
    ...(await untouchedLinks(store, undo, restored)),
  ]
  const earlierRuns = new Set(links.flatMap(({ earlierRun }) => earlierRun ?? []))
  const writes = links.map(({ write }) => write)
  for (const earlier of earlierRuns) {
    const { entityKind: kind, entityId: id } = undo
    const found = await store.importUndo.find(undoIdOf({ runId: earlier, kind, id }))
    if (found === undefined) continue
    const { _id, version: expectVersion } = found
    writes.push({ op: 'update', kind: 'importUndo', id: _id, expectVersion, set: { rowVersion: version } })
  }
  return writes
}

/** The links that the run has changed. */
async function changedLinks(
  store: TenantStore,
  { runId, links = [] }: ImportUndoRecord,
  version: number,
): Promise<RestoredLink[]> {
  const restored: RestoredLink[] = []
  for (const { _id, before, isUnchangedSince } of links) {
    const link = await store.importLinks.find(_id)
    if (link?.lastRunId !== runId || link.madeBy === runId) continue
    if (before === null) {
      restored.push({ write: removalOf('importLinks', link) })
      continue
    }
    // 0 is the version of no row: somebody else had changed it.
    const write = linkUpdate(link, { ...before, rowVersion: isUnchangedSince ? version : 0 })
    restored.push({ write, ...(isUnchangedSince && { earlierRun: before.lastRunId }) })
  }
  return restored
}

/** Links that the run has not met, because another record of it joined the row. */
async function untouchedLinks(
  store: TenantStore,
  { runId, versionBefore }: ImportUndoRecord,
  { row, version }: RestoredRow,
): Promise<RestoredLink[]> {
  const links = await linksOf(store, row)
  return links
    .filter(({ lastRunId, rowVersion }) => lastRunId !== runId && rowVersion === versionBefore)
    .map((link) => ({ write: linkUpdate(link, { rowVersion: version }), earlierRun: link.lastRunId }))
}

export function linkUpdate(
  { _id: id, version: expectVersion }: Stored<ImportLinkRecord>,
  set: Partial<ImportLinkRecord>,
): Write {
  return { op: 'update', kind: 'importLinks', id, expectVersion, set }
}
