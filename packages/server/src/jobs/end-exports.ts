import { createHash } from 'node:crypto'
import type { Write } from '../ports/change.ts'
import type { TenantReads, TenantStore } from '../ports/storage.ts'
import { removalOf } from '../shared/removal-of.ts'
import { VersionConflict } from '../storage/errors.ts'
import { erasedAttachment } from '../storage/kinds/attachments.ts'
import type { PackageFileRecord } from '../storage/kinds/package-files.ts'
import type { TaskRecord } from '../storage/kinds/tasks.ts'
import type { TenantExportRecord } from '../storage/kinds/tenant-exports.ts'
import type { Stored } from '../storage/records.ts'

/** A tenant begins three in a day, and they are kept for 30 days. */
const exportsMax = 100
const partsAtOnce = 200
const triesMax = 5
/** An export that goes on waits for so long at most, until its earlier parts are removed. */
const holdMs = 60_000
/** So often somebody may be erased before an export is given up. */
const begunMax = 20

/** Tasks that erase a person, whom every export of the tenant may name. */
const erasuresOfPeople: readonly TaskRecord['type'][] = [
  'eraseCustomer',
  'eraseUser',
  'eraseAddress',
  'erasePhone',
]

/** Returns the id of the row of a part. An export that begins again has new ones. */
export function exportPartId({ _id, begun }: Pick<TenantExportRecord, '_id' | 'begun'>, n: number): string {
  return createHash('sha256')
    .update(JSON.stringify([_id, begun, n]))
    .digest('base64url')
}

export async function listExports(store: TenantReads): Promise<readonly Stored<TenantExportRecord>[]> {
  const { rows } = await store.tenantExports.listRows({ page: 1, limit: exportsMax })
  return rows
}

/**
 * Removes the parts of all exports of a tenant when a task erases a person, whom they may name. An export that goes on begins
 * again. It is done before the rows of the person go, so that a killed process does it again.
 */
export async function endExports(store: TenantStore, { type }: TaskRecord, now: string): Promise<void> {
  if (!erasuresOfPeople.includes(type)) return
  for (const row of await listExports(store)) {
    if (row.dueAt === null && row.partCount > 0) await expireExport(store, row, { now, error: erased })
    // One that has not begun holds nothing.
    if (row.dueAt !== null && row.status === 'running') await beginAgain(store, row, now)
  }
}

const erased = { code: 'PERSON_ERASED', message: 'Somebody was erased whom its parts may name' }

/** Hides the parts of an export that has ended, and removes them. */
export async function expireExport(
  store: TenantStore,
  row: Stored<TenantExportRecord>,
  { now, error }: { now: string; error: TenantExportRecord['error'] },
): Promise<void> {
  await update(store, row, { status: 'expired', error, updatedAt: now })
  await removeParts(store, row, now)
  await update(store, { ...row, version: row.version + 1 }, { partCount: 0 })
}

async function beginAgain(store: TenantStore, row: Stored<TenantExportRecord>, now: string): Promise<void> {
  const begun = row.begun + 1
  const isOver = begun > begunMax
  const dueAt = isOver ? null : new Date(Date.parse(now) + holdMs).toISOString()
  await update(store, row, {
    ...(isOver ? { status: 'failed', error: erased, finishedAt: now } : { status: 'queued' }),
    place: null,
    begun,
    counts: {},
    files: [],
    leftOut: [],
    dueAt,
    updatedAt: now,
  })
  await removeParts(store, row, now)
  const held = { ...row, version: row.version + 1 }
  await update(store, held, { partCount: 0, ...(!isOver && { dueAt: now }) })
}

async function update(
  store: TenantStore,
  { _id: id, version: expectVersion }: Stored<TenantExportRecord>,
  set: Partial<TenantExportRecord>,
): Promise<void> {
  await store.commit({
    writes: [{ op: 'update', kind: 'tenantExports', id, expectVersion, set }],
    events: [],
  })
}

/** Removes the parts of an export, page by page. The files of messages stay. */
export async function removeParts(
  store: TenantStore,
  { _id: integrationId }: Pick<TenantExportRecord, '_id'>,
  now: string,
): Promise<void> {
  for (let tries = 0; ; ) {
    const { rows } = await store.packageFiles.listRows({ integrationId, page: 1, limit: partsAtOnce })
    if (rows.length === 0) return
    const writes = (await Promise.all(rows.map((row) => removedPart(store, row, now)))).flat()
    try {
      await store.commit({ writes, events: [] })
    } catch (error) {
      tries += 1
      if (!(error instanceof VersionConflict) || tries >= triesMax) throw error
    }
  }
}

async function removedPart(
  store: TenantReads,
  row: Stored<PackageFileRecord>,
  now: string,
): Promise<Write[]> {
  const remove = removalOf('packageFiles', row)
  const bytes = await store.attachments.find(row.attachmentId)
  if (bytes?.integrationId !== row.integrationId || bytes.erasedAt !== null) return [remove]
  const { _id: id, version: expectVersion } = bytes
  return [remove, { op: 'update', kind: 'attachments', id, expectVersion, set: erasedAttachment(now) }]
}
