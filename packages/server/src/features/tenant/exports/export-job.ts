import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { safeFilename } from '@crmkit/core'
import {
  bytesPath,
  manifestName,
  manifestText,
  type PackageManifest,
  packageFileName,
  packageFormat,
  packageKinds,
  packageVersion,
} from '@crmkit/core/package'
import { type PackageProgress, PackageWriter } from '@crmkit/core/package-folder'
import {
  type BackgroundJob,
  type JobDeclaration,
  type JobParts,
  pollEveryMs,
} from '../../../jobs/background-job.ts'
import { expireExport, exportPartId, listExports, removeParts } from '../../../jobs/end-exports.ts'
import type { Write } from '../../../ports/change.ts'
import type { TenantStore } from '../../../ports/storage.ts'
import type { RowOfTenant } from '../../../ports/system-store.ts'
import { isoTime } from '../../../shared/clock.ts'
import { isPassing } from '../../../shared/passing-error.ts'
import { makeWorkFolder } from '../../../shared/work-folders.ts'
import { StorageUnavailable, VersionConflict } from '../../../storage/errors.ts'
import type { AttachmentRecord } from '../../../storage/kinds/attachments.ts'
import type { PackageFileRecord } from '../../../storage/kinds/package-files.ts'
import type { ExportPlace, TenantExportRecord } from '../../../storage/kinds/tenant-exports.ts'
import type { Stored, TenantId } from '../../../storage/records.ts'
import { firstPlace, type StoredFile, TenantWriter } from './tenant-writer.ts'

/** One of many processes writes exports; when it dies, another one takes over after this time. */
const leaseName = 'exports'
const leaseMs = 60_000
/** A commit has so much of an export: what a killed process has written behind it is written again. */
const sliceBytes = 32 * 1024 * 1024
const sliceFiles = 500
const slicePages = 20
/** Tries without a further part. */
const triesMax = 8
const waitMs = 2_000
/** Behind an error that passes. */
const waitOfPassingMs = 30_000

type ExportParts = Pick<JobParts, 'storage' | 'attachments' | 'clock' | 'ids' | 'log'> & {
  /** Where a slice is written before its files are stored. */
  folder: string
  /** Of a slice, at most. */
  pages: number
}

/**
 * Writes the exports of tenants, slice by slice: each is a commit, and tenants alternate. The files of messages are not copied:
 * a part names the file that the message has.
 */
function createExportTenants(parts: ExportParts): BackgroundJob {
  const { clock, log, storage } = parts
  const { system } = storage
  const holder = randomUUID()
  let isHolder = false
  let isStopped = false
  async function takeNext(): Promise<RowOfTenant<'tenantExports'> | undefined> {
    const now = isoTime(clock.nowMs())
    const [due] = await system.across.dueExports.due(now, 1)
    if (due === undefined || isStopped) return undefined
    isHolder = await system.takeLease({ name: leaseName, holder, now, leaseMs })
    return isHolder ? due : undefined
  }

  async function trySlice(due: RowOfTenant<'tenantExports'>): Promise<void> {
    try {
      await writeSlice(parts, due)
    } catch (error) {
      // An erasure has changed the export.
      if (error instanceof VersionConflict) return
      const exportId = due.row._id
      if (isPassing(error)) await forgiveTry(parts, due)
      if (error instanceof StorageUnavailable) throw error
      log.error({ err: error, exportId }, 'An export could not be written; it is tried again')
    }
  }

  return {
    runDue: async () => {
      for (let due = await takeNext(); due !== undefined; due = await takeNext()) await trySlice(due)
      return null
    },
    stop: async () => {
      isStopped = true
      // A lease that cannot be released expires by itself.
      if (isHolder) await system.releaseLease({ name: leaseName, holder }).catch(() => {})
    },
  }
}

export const exportTenants: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'exports of tenants that owners asked for',
    lateAfterMinutes: 60,
    oldestDue: async (system, now) => (await system.across.dueExports.due(now, 1))[0]?.row.dueAt ?? null,
  },
  wakes: {
    on: ['tenantExports'],
    ask({ change }, wake) {
      if (change.writes.some(({ op, kind }) => op === 'insert' && kind === 'tenantExports')) wake()
    },
  },
  make: (parts) => createExportTenants({ ...parts, folder: tmpdir(), pages: slicePages }),
}

type ExportRow = Stored<TenantExportRecord>

/** Writes the next slice of an export. */
export async function writeSlice(
  parts: ExportParts,
  { tenantId, row }: RowOfTenant<'tenantExports'>,
): Promise<void> {
  const store = parts.storage.forTenant(tenantId)
  const now = isoTime(parts.clock.nowMs())
  const isSpent = row.tries >= triesMax || now >= row.expiresAt
  if (isSpent) return fail(store, row, now)
  if (row.place === null) await makeRoom(store, row, now)
  // The process may end at any moment: then the slice is tried again a little later.
  const dueAt = isoTime(parts.clock.nowMs() + waitMs * 2 ** row.tries)
  const isFirst = row.place === null
  const taken = await updated(store, row, {
    status: 'running',
    tries: row.tries + 1,
    dueAt,
    updatedAt: now,
    ...(isFirst && { partCount: 0 }),
  })
  const folder = await makeWorkFolder(parts.folder, row._id)
  try {
    await new Slice(parts, { store, tenantId, row: taken, folder }).write()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A full disk, or a database that is away, says nothing about the export: it waits, until its time is over. */
async function forgiveTry(
  { storage, clock }: ExportParts,
  { tenantId, row }: RowOfTenant<'tenantExports'>,
): Promise<void> {
  const store = storage.forTenant(tenantId)
  const tried = await store.tenantExports.find(row._id)
  // It was not counted, or an erasure has changed the export since.
  if (tried === undefined || tried.dueAt === null || tried.tries <= row.tries) return
  const nowMs = clock.nowMs()
  const set = { tries: row.tries, dueAt: isoTime(nowMs + waitOfPassingMs), updatedAt: isoTime(nowMs) }
  await updated(store, tried, set).catch((error: unknown) => {
    if (!(error instanceof VersionConflict)) throw error
  })
}

async function fail(store: TenantStore, row: ExportRow, now: string): Promise<void> {
  const error = { code: 'INTERNAL_ERROR', message: 'The export could not be written' }
  const failed = await updated(store, row, { status: 'failed', error, dueAt: null, finishedAt: now })
  await removeParts(store, failed, now)
}

/** Parts of an earlier begin, and of earlier exports, give their space. */
async function makeRoom(store: TenantStore, row: ExportRow, now: string): Promise<void> {
  const error = { code: 'REPLACED', message: 'A later export has taken its place' }
  for (const one of await listExports(store))
    if (one._id !== row._id && one.partCount > 0) await expireExport(store, one, { now, error })
  if (row.partCount > 0) await removeParts(store, row, now)
}

async function updated(
  store: TenantStore,
  row: ExportRow,
  set: Partial<TenantExportRecord>,
): Promise<ExportRow> {
  const { _id: id, version: expectVersion } = row
  await store.commit({
    writes: [{ op: 'update', kind: 'tenantExports', id, expectVersion, set }],
    events: [],
  })
  return { ...row, ...set, version: expectVersion + 1 }
}

interface Part extends Pick<PackageFileRecord, 'path' | 'attachmentId' | 'size' | 'sha256'> {
  /** Of a file that the export has stored. */
  isOwn: boolean
}

/** Some pages of an export in a folder of their own. */
class Slice {
  readonly #parts: ExportParts
  readonly #store: TenantStore
  readonly #tenantId: TenantId
  readonly #row: ExportRow
  readonly #folder: string
  /** The files of messages, by their digests. */
  readonly #files = new Map<string, Part>()

  constructor(
    parts: ExportParts,
    of: { store: TenantStore; tenantId: TenantId; row: ExportRow; folder: string },
  ) {
    this.#parts = parts
    this.#store = of.store
    this.#tenantId = of.tenantId
    this.#row = of.row
    this.#folder = of.folder
  }

  async write(): Promise<void> {
    const { place, progress } = await this.#writePages()
    const files = [...this.#row.files]
    const parts: Part[] = []
    for (const { name, kind, lines, bytes } of progress.parts) {
      const path = packageFileName(kind, files.filter((file) => file.kind === kind).length + 1)
      const part = await this.#keep(path, bytes, createReadStream(join(this.#folder, name)))
      parts.push(part)
      files.push({ name: path, kind, lines, bytes, sha256: part.sha256 })
    }
    parts.push(...this.#files.values())
    if (place === null) parts.push(await this.#storeManifest({ ...progress, files }))
    await this.#commit({ place, progress, files, parts })
  }

  async #writePages(): Promise<{ place: ExportPlace | null; progress: PackageProgress }> {
    const { storage } = this.#parts
    const { counts, leftOut } = this.#row
    const writer = await PackageWriter.open(this.#folder, { parts: [], counts, leftOut })
    const storeFile = (file: { _id: string; size: number }) => this.#refer(file)
    const pages = new TenantWriter({ storage, tenantId: this.#tenantId, writer, storeFile })
    try {
      let place: ExportPlace | undefined = this.#row.place ?? firstPlace
      for (let count = 1; ; count++) {
        place = await pages.writePage(place)
        const progress = await writer.checkpoint()
        const bytes = progress.parts.reduce((sum, part) => sum + part.bytes, 0)
        const isFull = bytes >= sliceBytes || this.#files.size >= sliceFiles || count >= this.#parts.pages
        if (place === undefined || isFull) return { place: place ?? null, progress }
      }
    } finally {
      await writer.close()
    }
  }

  /** A file of a message becomes a part as it is stored. */
  async #refer({ _id: id, size }: { _id: string; size: number }): Promise<StoredFile> {
    if (!this.#row.attachments) return { size, sha256: null, missing: 'exported without files' }
    const row = await this.#store.attachments.find(id)
    const isThere = row?.state === 'stored' && row.erasedAt === null && row.sha256 !== ''
    const stored = isThere
      ? await this.#parts.attachments.sizeOf({ tenantId: this.#tenantId, id })
      : undefined
    if (!isThere || stored !== row.size) return { size, sha256: null, missing: 'its bytes are not stored' }
    const { sha256 } = row
    const part = { path: bytesPath(sha256), attachmentId: id, size: stored, sha256, isOwn: false }
    if (!this.#files.has(sha256)) this.#files.set(sha256, part)
    return { size: stored, sha256 }
  }

  /** Stores the bytes of a part behind their row, which is due until the slice is committed. */
  async #keep(path: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<Part> {
    const { attachments, clock, ids } = this.#parts
    const id = ids.next('att')
    const now = isoTime(clock.nowMs())
    const row: AttachmentRecord = {
      _id: id,
      tenantId: this.#tenantId,
      state: 'uploading',
      filename: safeFilename(path),
      contentType: 'application/octet-stream',
      size,
      sha256: '',
      messageId: null,
      integrationId: this.#row._id,
      erasedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await this.#store.commit({ writes: [{ op: 'insert', kind: 'attachments', row }], events: [] })
    const hash = createHash('sha256')
    await attachments.write({ tenantId: this.#tenantId, id }, hashed(bytes, hash))
    return { path, attachmentId: id, size, sha256: hash.digest('hex'), isOwn: true }
  }

  #storeManifest({
    files,
    counts,
    leftOut,
  }: Pick<TenantExportRecord, 'files'> & Pick<PackageProgress, 'counts' | 'leftOut'>): Promise<Part> {
    const placeOf = (kind: string) => (packageKinds as readonly string[]).indexOf(kind)
    const manifest: PackageManifest = {
      format: packageFormat,
      version: packageVersion,
      source: { product: 'crmkit', account: this.#row.tenantId },
      madeAt: this.#row.createdAt,
      timeZone: null,
      files: files.toSorted((a, b) => placeOf(a.kind) - placeOf(b.kind)),
      counts,
      leftOut: [...leftOut],
      complete: true,
    }
    const bytes = Buffer.from(manifestText(manifest))
    return this.#keep(manifestName, bytes.length, inOne(bytes))
  }

  async #commit({
    place,
    progress: { counts, leftOut },
    files,
    parts,
  }: {
    place: ExportPlace | null
    progress: PackageProgress
    files: PackageManifest['files']
    parts: readonly Part[]
  }): Promise<void> {
    const { _id: id, version: expectVersion, partCount, expiresAt, tenantId } = this.#row
    const now = isoTime(this.#parts.clock.nowMs())
    const writes: Write[] = parts.flatMap(({ isOwn, ...part }, index): Write[] => {
      const _id = exportPartId(this.#row, partCount + index + 1)
      const row = { ...part, _id, tenantId, integrationId: id, createdAt: now, expiresAt }
      const insert: Write = { op: 'insert', kind: 'packageFiles', row }
      if (!isOwn) return [insert]
      const set = { state: 'stored' as const, sha256: part.sha256, keptUntil: expiresAt, updatedAt: now }
      return [insert, { op: 'update', kind: 'attachments', id: part.attachmentId, expectVersion: 1, set }]
    })
    const isDone = place === null
    const set: Partial<TenantExportRecord> = {
      place,
      counts,
      leftOut: [...leftOut],
      files,
      partCount: partCount + parts.length,
      tries: 0,
      dueAt: isDone ? null : now,
      updatedAt: now,
      ...(isDone && { status: 'ready', finishedAt: now }),
    }
    writes.push({ op: 'update', kind: 'tenantExports', id, expectVersion, set })
    await this.#store.commit({ writes, events: [] })
  }
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* hashed(
  bytes: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}
