import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PackageManifest } from '@crmkit/core/package'
import { isArchiveName, PackageWriter, writeArchive } from '@crmkit/core/package-folder'
import { firstPlace, type StoredFile, TenantWriter } from '../features/tenant/exports/tenant-writer.ts'
import type { Service } from '../main/compose/service.ts'
import { isoTime } from '../shared/clock.ts'
import type { ExportPlace } from '../storage/kinds/tenant-exports.ts'
import { CommandError, readArgs, rowOptions, withService } from './command.ts'
import { getTenant, type OwnedTenant } from './tenants.ts'

export async function exportTenant(args: string[]): Promise<void> {
  const { values, positionals } = readArgs(args, {
    names: ['TENANT_ID', 'FOLDER'],
    options: { ...rowOptions, 'without-files': { type: 'boolean' } },
  })
  const [id = '', folder = ''] = positionals
  if (existsSync(folder)) throw new CommandError(`${folder} exists already: name a new one`)
  await withService(async ({ service, print, say }) => {
    const tenant = await getTenant(service, id)
    const hasFiles = values['without-files'] !== true
    const manifest = isArchiveName(folder)
      ? await archiveTenant(service, tenant, { file: folder, hasFiles })
      : await writeTenant(service, tenant, { folder, hasFiles })
    for (const [kind, { total }] of Object.entries(manifest.counts)) print({ kind, count: total })
    say(`Exported ${tenant.name} to ${folder}. Its manifest names what a package leaves out.`)
  }, values)
}

/** Writes the folder beside the archive, where there is the space for it. */
async function archiveTenant(
  service: Pick<Service, 'storage' | 'attachments'>,
  tenant: OwnedTenant,
  { file, hasFiles }: { file: string; hasFiles: boolean },
): Promise<PackageManifest> {
  const folder = await mkdtemp(join(dirname(file), '.crmkit-package-'))
  try {
    const manifest = await writeTenant(service, tenant, { folder, hasFiles })
    await writeArchive(folder, file)
    return manifest
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface ExportOptions {
  folder: string
  hasFiles: boolean
}

async function writeTenant(
  { storage, attachments }: Pick<Service, 'storage' | 'attachments'>,
  { _id: account, tenantId }: OwnedTenant,
  { folder, hasFiles }: ExportOptions,
): Promise<PackageManifest> {
  const writer = await PackageWriter.open(folder)
  const storeFile = async ({ _id: id, size }: { _id: string; size: number }): Promise<StoredFile> => {
    if (!hasFiles) return { size, sha256: null, missing: 'exported without files' }
    const bytes = await attachments.read({ tenantId, id })
    return bytes ? writer.writeBytes(bytes) : { size, sha256: null, missing: 'its bytes are not stored' }
  }
  try {
    const pages = new TenantWriter({ storage, tenantId, writer, storeFile })
    let place: ExportPlace | undefined = firstPlace
    while (place !== undefined) place = await pages.writePage(place)
    const source = { product: 'crmkit', account }
    return await writer.finish({ source, madeAt: isoTime(Date.now()), timeZone: null, complete: true })
  } finally {
    await writer.close()
  }
}
