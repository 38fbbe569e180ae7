import {
  type deletePackage,
  Failure,
  type getPackage,
  invalidState,
  type putPackageFile,
  validationFailure,
} from '@crmkit/core'
import {
  accountOf,
  attachedBytesMax,
  manifestBytesMax,
  manifestName,
  type PackageManifest,
  readManifest,
  readPackagePath,
} from '@crmkit/core/package'
import {
  findPackageFile,
  missingFiles,
  packageFileId,
  packageFilesOf,
  packageKeptUntil,
  readManifestOf,
  readText,
  removedPackageFile,
  removedPackageFiles,
} from '../../imports/package/package-store.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { getArrived } from '../../shared/store-upload.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { PackageFileRecord } from '../../storage/kinds/package-files.ts'
import type { Stored } from '../../storage/records.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { getIntegrationRow } from './find-run.ts'

/** Takes a file of a package. Its bytes and their row are stored already. */
export const handlePutPackageFile: Handler<typeof putPackageFile> = async (ctx, { params, body }) => {
  const { store, now, tenantId } = ctx
  const { path } = params
  const integration = await idlePackage(store, params.id)
  const place = readPackagePath(path)
  if (place === undefined) throw refused('path', 'name', 'is not a name of a file of a package')
  const { _id: attachmentId, size, sha256 } = body
  const shown = { path, size, sha256 }
  const known = await findPackageFile(store, integration, path)
  if (known?.sha256 === sha256) return { status: 200, reply: { success: true, data: shown } }
  assertSize(place.type, size)
  if (place.type === 'bytes' && place.sha256 !== sha256)
    throw refused('path', 'sha256', 'is not the SHA-256 of the bytes')
  const manifest = place.type === 'manifest' ? await newManifest(ctx, integration, attachmentId) : undefined
  const isRead = typeof integration.packageReadAt === 'string'
  if (known && isRead && manifest === undefined)
    throw invalidState('A run has read this file: a new manifest begins a new package', 'read', ['new'])
  const begins = manifest !== undefined && isRead
  const of: IntegrationRecord = begins ? { ...integration, packageSince: now } : integration
  const row: PackageFileRecord = {
    _id: packageFileId(of, path),
    tenantId,
    integrationId: integration._id,
    path,
    attachmentId,
    size,
    sha256,
    createdAt: now,
    expiresAt: packageKeptUntil(now),
  }
  const writes: Write[] = [
    await keptUpload(ctx, body),
    ...(begins
      ? await removedPackageFiles(store, integration, now)
      : await replaced(store, of, { path, now })),
    { op: 'insert', kind: 'packageFiles', row },
    ...(manifest ? accountWrites(integration, { manifest, now, begins }) : []),
  ]
  return { change: { writes, events: [] }, reply: { success: true, data: shown } }
}

async function replaced(
  store: TenantReads,
  integration: IntegrationRecord,
  { path, now }: { path: string; now: string },
): Promise<Write[]> {
  const before = await store.packageFiles.find(packageFileId(integration, path))
  return before === undefined ? [] : removedPackageFile(store, before, now)
}

function accountWrites(
  { _id: id, version: expectVersion }: Stored<IntegrationRecord>,
  { manifest, now, begins }: { manifest: PackageManifest; now: string; begins: boolean },
): Write[] {
  const { product, account } = manifest.source
  const set: Partial<IntegrationRecord> = {
    accountId: accountOf(manifest),
    accountName: `${product}: ${account}`,
    updatedAt: now,
    ...(begins && { packageSince: now, packageReadAt: null }),
  }
  return [{ op: 'update', kind: 'integrations', id, expectVersion, set }]
}

function refused(field: string, rule: string, message: string): Failure {
  return validationFailure([{ field, message, rule, in: field === 'path' ? 'path' : 'body' }])
}

function assertSize(type: 'manifest' | 'lines' | 'bytes', size: number): void {
  const sizeMax = type === 'manifest' ? manifestBytesMax : attachedBytesMax
  if (type === 'lines' || size <= sizeMax) return
  throw new Failure('PAYLOAD_TOO_LARGE', `This file may have at most ${sizeMax / 1024 / 1024} MB`)
}

/** Throws IMPORT_IN_PROGRESS while a run or an undo goes on. */
async function idlePackage(store: TenantReads, id: string): Promise<Stored<IntegrationRecord>> {
  const integration = await getIntegrationRow(store, id)
  const { provider, activeRunId } = integration
  if (provider !== 'package')
    throw invalidState('Only an integration for a package takes a package', provider, ['package'])
  if (activeRunId === null) return integration
  const details = { runId: activeRunId }
  throw new Failure('IMPORT_IN_PROGRESS', 'An import of this integration is in progress', { details })
}

/** Reads a manifest. Throws VALIDATION_ERROR for one that is wrong or of another account, CONFLICT for one of another integration. */
async function newManifest(
  { store, services, tenantId }: HandlerContext,
  integration: IntegrationRecord,
  attachmentId: string,
): Promise<PackageManifest> {
  const { attachments } = services
  const read = readManifest((await readText({ attachments, tenantId }, attachmentId)) ?? '')
  if (!('manifest' in read)) throw refused('manifest', read.rule, read.message)
  const accountId = accountOf(read.manifest)
  const isBound = integration.accountId !== integration._id
  if (isBound && integration.accountId !== accountId)
    throw refused('manifest', 'account', `is of another account than ${integration.accountId}`)
  const { rows } = await store.integrations.listRows({ page: 1, limit: 100 })
  const other = rows.find(
    (row) => row._id !== integration._id && row.provider === 'package' && row.accountId === accountId,
  )
  if (other === undefined) return read.manifest
  const details = { integrationId: other._id }
  throw new Failure('CONFLICT', 'Another integration has this account', { details })
}

async function keptUpload(
  { store, now }: HandlerContext,
  { _id: id, filename, size, sha256, contentType }: Parameters<Handler<typeof putPackageFile>>[1]['body'],
): Promise<Write> {
  const { version: expectVersion } = await getArrived(store, id)
  const set = {
    filename,
    size,
    sha256,
    contentType,
    state: 'stored' as const,
    keptUntil: packageKeptUntil(now),
    updatedAt: now,
  }
  return { op: 'update', kind: 'attachments', id, expectVersion, set }
}

export const handleGetPackage: Handler<typeof getPackage> = async (
  { store, services },
  { params, query: { paths } },
) => {
  const integration = await getIntegrationRow(store, params.id)
  const found = paths ? namedFiles(store, integration, paths) : packageFilesOf(store, integration)
  const files: { path: string; size: number; sha256: string }[] = []
  for await (const { path, size, sha256 } of found) files.push({ path, size, sha256 })
  // Files that came within one millisecond have no order of their own.
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  const read = await readManifestOf({ store, attachments: services.attachments }, integration)
  const missing = read ? await missingFiles(store, integration, read.manifest) : [manifestName]
  const accountId = read ? accountOf(read.manifest) : null
  const data = { accountId, files, missing, complete: missing.length === 0 }
  return { reply: { success: true, data } }
}

/** Each is found by its name, so that a package of any size is compared in parts. */
async function* namedFiles(
  store: TenantReads,
  integration: IntegrationRecord,
  paths: readonly string[],
): AsyncGenerator<PackageFileRecord> {
  for (const path of new Set(paths)) {
    const file = await findPackageFile(store, integration, path)
    if (file !== undefined) yield file
  }
}

export const handleDeletePackage: Handler<typeof deletePackage> = async ({ store, now }, { params }) => {
  const integration = await idlePackage(store, params.id)
  const { _id: id, version: expectVersion } = integration
  const set = { packageSince: now, packageReadAt: null, updatedAt: now }
  return {
    change: {
      writes: [
        { op: 'update', kind: 'integrations', id, expectVersion, set },
        ...(await removedPackageFiles(store, integration, now)),
      ],
      events: [],
    },
    reply: { success: true, message: 'Package deleted' },
  }
}
