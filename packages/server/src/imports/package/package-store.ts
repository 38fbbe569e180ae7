import { createHash } from 'node:crypto'
import { manifestBytesMax, manifestName, type PackageManifest, readManifest } from '@crmkit/core/package'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantReads, TenantStore } from '../../ports/storage.ts'
import { readAll } from '../../shared/read-all.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { VersionConflict } from '../../storage/errors.ts'
import { erasedAttachment } from '../../storage/kinds/attachments.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { PackageFileRecord } from '../../storage/kinds/package-files.ts'
import type { Stored } from '../../storage/records.ts'
import { later } from '../plan/page-plan.ts'

type OfPackage = Pick<IntegrationRecord, '_id' | 'tenantId' | 'packageSince'>
type Bytes = Pick<AttachmentStore, 'read'>

export function packageFileId({ _id, packageSince = '' }: OfPackage, path: string): string {
  return createHash('sha256')
    .update(JSON.stringify([_id, packageSince, path]))
    .digest('base64url')
}

/** Returns a file of the present package whose bytes are there; a message may have taken them. */
export async function findPackageFile(
  store: TenantReads,
  integration: OfPackage,
  path: string,
): Promise<Stored<PackageFileRecord> | undefined> {
  const row = await store.packageFiles.find(packageFileId(integration, path))
  const bytes = row && (await store.attachments.find(row.attachmentId))
  return bytes === undefined || bytes.erasedAt !== null ? undefined : row
}

const pageSize = 1_000

/** Returns all files of the present package. */
export async function* packageFilesOf(
  store: TenantReads,
  { _id: integrationId, packageSince = '' }: OfPackage,
): AsyncGenerator<PackageFileRecord> {
  const files = readAll<PackageFileRecord>((cursor) =>
    store.packageFiles.listRows({ integrationId, page: 1, limit: pageSize, cursor }),
  )
  for await (const file of files) if (file.createdAt >= packageSince) yield file
}

/** Returns the manifest of the present package; undefined before there is one. */
export async function readManifestOf(
  { store, attachments }: { store: TenantReads; attachments: Bytes },
  integration: OfPackage,
): Promise<{ manifest: PackageManifest; file: PackageFileRecord } | undefined> {
  const file = await findPackageFile(store, integration, manifestName)
  if (file === undefined) return undefined
  const text = await readText({ attachments, tenantId: integration.tenantId }, file.attachmentId)
  const read = text === undefined ? undefined : readManifest(text)
  return read && 'manifest' in read ? { manifest: read.manifest, file } : undefined
}

/** Returns the text of a small file; undefined when its bytes are not there. */
export async function readText(
  { attachments, tenantId }: { attachments: Bytes; tenantId: string },
  id: string,
): Promise<string | undefined> {
  const stream = await attachments.read({ tenantId, id })
  if (stream === undefined) return undefined
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length > manifestBytesMax) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the names of the files of a manifest that are not there, or have other bytes. */
export async function missingFiles(
  store: TenantReads,
  integration: OfPackage,
  { files }: PackageManifest,
): Promise<string[]> {
  const missing: string[] = []
  for (const { name, sha256 } of files) {
    const found = await findPackageFile(store, integration, name)
    if (found?.sha256 !== sha256) missing.push(name)
  }
  return missing
}

const keepMs = 7 * 24 * 3600 * 1000
/** A file whose time is so close to the new one keeps it: a run behind an upload writes no row of each file. */
const slackMs = 3600 * 1000
const keptAtOnce = 200
const keepTriesMax = 5

/** Returns when a file goes that was uploaded, or read by a run, now: not before 7 days. */
export function packageKeptUntil(now: string): string {
  return later(now, keepMs + slackMs)
}

/** Keeps the files of a package for 7 days from now on. */
export async function keepPackage(store: TenantStore, integration: OfPackage, now: string): Promise<void> {
  const soon = later(now, keepMs)
  let files: PackageFileRecord[] = []
  for await (const file of packageFilesOf(store, integration)) {
    if (file.expiresAt >= soon) continue
    files.push(file)
    if (files.length < keptAtOnce) continue
    await keepFiles(store, files, now)
    files = []
  }
  await keepFiles(store, files, now)
}

/** A file that is removed or taken by a message at this moment makes the commit fail: then the rows are read again. */
async function keepFiles(
  store: TenantStore,
  files: readonly PackageFileRecord[],
  now: string,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const writes = (await Promise.all(files.map((file) => keptFile(store, file, now)))).flat()
    if (writes.length === 0) return
    try {
      await store.commit({ writes, events: [] })
      return
    } catch (error) {
      if (!(error instanceof VersionConflict) || tries >= keepTriesMax) throw error
    }
  }
}

async function keptFile(
  store: TenantReads,
  { _id: id, attachmentId }: PackageFileRecord,
  now: string,
): Promise<Write[]> {
  const [file, bytes] = await Promise.all([store.packageFiles.find(id), store.attachments.find(attachmentId)])
  if (file === undefined || bytes === undefined || bytes.erasedAt !== null) return []
  const until = packageKeptUntil(now)
  const set = { expiresAt: until }
  const keep: Write = { op: 'update', kind: 'packageFiles', id, expectVersion: file.version, set }
  if (bytes.messageId !== null) return [keep]
  const { _id, version: expectVersion } = bytes
  return [keep, { op: 'update', kind: 'attachments', id: _id, expectVersion, set: { keptUntil: until } }]
}

const removedAtOnce = 500

/** Returns the writes that remove files of a package: the first of them. The others go 7 days after their upload. */
export async function removedPackageFiles(
  store: TenantReads,
  { _id: integrationId }: Pick<IntegrationRecord, '_id'>,
  now: string,
): Promise<Write[]> {
  const { rows } = await store.packageFiles.listRows({ integrationId, page: 1, limit: removedAtOnce })
  const writes = await Promise.all(rows.map((row) => removedPackageFile(store, row, now)))
  return writes.flat()
}

/** Returns the writes that remove a file. Bytes that a message has stay. */
export async function removedPackageFile(
  store: TenantReads,
  file: Stored<PackageFileRecord>,
  now: string,
): Promise<Write[]> {
  const remove = removalOf('packageFiles', file)
  const bytes = await store.attachments.find(file.attachmentId)
  if (bytes === undefined || bytes.erasedAt !== null || bytes.messageId !== null) return [remove]
  const { _id: id, version: expectVersion } = bytes
  return [remove, { op: 'update', kind: 'attachments', id, expectVersion, set: erasedAttachment(now) }]
}
