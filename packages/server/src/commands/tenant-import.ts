import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newInbox, newIntegration, newUser, normalizeEmail, roles, safeFilename } from '@crmkit/core'
import { accountOf, bytesPath, manifestName } from '@crmkit/core/package'
import {
  isArchiveName,
  openPackage,
  type PackageFolder,
  PackageProblem,
  unpackArchive,
} from '@crmkit/core/package-folder'
import { emptyState } from '../features/integrations/connect-account.ts'
import { headBytesMax, sniffContentType } from '../http/request/sniff-content-type.ts'
import { packageFileId, packageKeptUntil, removedPackageFiles } from '../imports/package/package-store.ts'
import { runPackage } from '../imports/package/run-package.ts'
import { newRun } from '../imports/run/new-run.ts'
import type { RunParts } from '../imports/run/run-parts.ts'
import { eraseImported, erasuresOfTenant } from '../ledger/erase-imported.ts'
import type { ErasureLine } from '../ports/erasure-ledger.ts'
import type { TenantStore } from '../ports/storage.ts'
import { isoTime, systemClock } from '../shared/clock.ts'
import { readAll } from '../shared/read-all.ts'
import { rowOfNewUser } from '../shared/user-of-record.ts'
import type { AttachmentRecord } from '../storage/kinds/attachments.ts'
import { activeRunStatuses, type ImportRunRecord } from '../storage/kinds/import-runs.ts'
import type { InboxRecord } from '../storage/kinds/inboxes.ts'
import type { IntegrationRecord } from '../storage/kinds/integrations.ts'
import type { UserRecord } from '../storage/kinds/users.ts'
import type { TenantId } from '../storage/records.ts'
import { type CommandContext, CommandError, readArgs, required, withService } from './command.ts'
import { createOptions, makeTenant, readFounder } from './tenants.ts'

const options = { ...createOptions, name: { type: 'string' }, users: { type: 'string' } } as const

export async function importTenant(args: string[]): Promise<void> {
  const { values, positionals } = readArgs(args, { names: ['FOLDER'], options })
  const { name, users, json } = values
  if (users !== undefined && users !== 'inactive') throw new CommandError('--users takes inactive')
  const founder = await readFounder(required(name, '--name NAME of the tenant'), values)
  await withPackage(positionals[0] ?? '', (folder) =>
    withService(
      async (context) => {
        const tenantId = await makeTenant(context, founder)
        await new TenantImport(context, { tenantId, folder }).run({ hasUsers: users === 'inactive' })
      },
      { mayCreate: true, json },
    ),
  )
}

/** Opens a folder, or unpacks an archive beside itself for as long as the work lasts. */
async function withPackage(path: string, work: (folder: PackageFolder) => Promise<void>): Promise<void> {
  if (!isArchiveName(path)) return work(await openWhole(path))
  const around = await mkdtemp(join(dirname(path), '.crmkit-package-'))
  try {
    const folder = join(around, 'package')
    await unpackArchive(path, folder).catch(refuse)
    await work(await openWhole(folder))
  } finally {
    await rm(around, { recursive: true, force: true })
  }
}

function refuse(error: unknown): never {
  throw error instanceof PackageProblem ? new CommandError(error.message) : error
}

async function openWhole(path: string): Promise<PackageFolder> {
  try {
    const folder = await openPackage(path)
    await folder.verify()
    return folder
  } catch (error) {
    return refuse(error)
  }
}

/** Makes a new tenant what a package says. */
class TenantImport {
  readonly #context: CommandContext
  readonly #tenantId: TenantId
  readonly #folder: PackageFolder
  readonly #store: TenantStore
  /** The erasures in the tenant of the package since, by the id of the row there. */
  #erasures: ReadonlyMap<string, ErasureLine> = new Map()

  constructor(context: CommandContext, { tenantId, folder }: { tenantId: TenantId; folder: PackageFolder }) {
    this.#context = context
    this.#tenantId = tenantId
    this.#folder = folder
    this.#store = context.service.storage.forTenant(tenantId)
  }

  async run({ hasUsers }: { hasUsers: boolean }): Promise<void> {
    const { say } = this.#context
    await this.#readErasures()
    if (hasUsers) await this.#makeUsers()
    const inboxes = await this.#makeInboxes()
    const integration = await this.#makeIntegration()
    say('Storing the files of the package')
    await this.#storeFiles(integration)
    say('Importing')
    const run = await this.#import(integration, inboxes)
    await this.#removeFiles(integration)
    await this.#eraseAgain()
    this.#report(run)
  }

  async #readErasures(): Promise<void> {
    const { service, say } = this.#context
    const { product, account } = this.#folder.manifest.source
    if (product !== 'crmkit') return
    if (service.ledger === undefined)
      return say('There is no ledger of erasures: who was erased since the package was made is imported.')
    this.#erasures = await erasuresOfTenant({ ledger: service.ledger }, account)
  }

  /** A package is data of before: it may hold people who have been erased since. */
  async #eraseAgain(): Promise<void> {
    const { service, say } = this.#context
    const { ledger } = service
    const { manifest } = this.#folder
    if (ledger === undefined || this.#erasures.size === 0) return
    const counts = await eraseImported(
      { ...service, ledger, clock: systemClock },
      {
        tenantId: this.#tenantId,
        source: manifest.source.account,
        prefix: `package:${accountOf(manifest)}:`,
        erasures: this.#erasures,
      },
    )
    const counted = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`)
    say(`Erased again, because they were erased in the tenant of the package: ${counted.join(', ')}.`)
  }

  #now(): string {
    return isoTime(Date.now())
  }

  /** Users who cannot sign in until they are invited, so that conversations stay assigned. */
  async #makeUsers(): Promise<void> {
    const { ids } = this.#context.service
    const known = new Set<string>()
    const users = readAll<UserRecord>((cursor) => this.#store.users.listRows({ page: 1, limit: 100, cursor }))
    for await (const { emailNormalized } of users) known.add(emailNormalized)
    for await (const line of this.#folder.lines('agents')) {
      const { id = '', email = null, name, role = null } = 'record' in line ? line.record : { name: '' }
      const emailNormalized = email ? normalizeEmail(email) : ''
      if (!email || known.has(emailNormalized) || this.#erasures.has(id)) continue
      known.add(emailNormalized)
      const [firstName = '', ...rest] = name.split(' ')
      const user = newUser({
        id: ids.next('usr'),
        tenantId: this.#tenantId,
        email,
        firstName,
        lastName: rest.join(' ') || null,
        role: roles.find((one) => one === role) ?? 'agent',
        isActive: false,
        now: this.#now(),
      })
      const row: UserRecord = { ...rowOfNewUser(user), identityId: '', emailNormalized, sessionGeneration: 0 }
      await this.#store.commit({ writes: [{ op: 'insert', kind: 'users', row }], events: [] })
    }
  }

  /** Returns the inbox here of each inbox of the package: the one with its name, or a new one. */
  async #makeInboxes(): Promise<Record<string, string>> {
    const { ids } = this.#context.service
    const byName = new Map<string, string>()
    const known = readAll<InboxRecord>((cursor) =>
      this.#store.inboxes.listRows({ page: 1, limit: 100, cursor }),
    )
    for await (const { _id, name } of known) byName.set(name, _id)
    const inboxes: Record<string, string> = {}
    for await (const line of this.#folder.lines('inboxes')) {
      if (!('record' in line)) continue
      const { id, name } = line.record
      const found = byName.get(name)
      inboxes[id] = found ?? ids.next('inb')
      if (found !== undefined) continue
      const made = { id: inboxes[id], tenantId: this.#tenantId, now: this.#now(), widgetKey: '' }
      const row: InboxRecord = newInbox({ name }, made)
      byName.set(name, row._id)
      await this.#store.commit({ writes: [{ op: 'insert', kind: 'inboxes', row }], events: [] })
    }
    return inboxes
  }

  async #makeIntegration(): Promise<IntegrationRecord> {
    const { manifest } = this.#folder
    const source = {
      provider: 'package' as const,
      accountId: accountOf(manifest),
      accountName: `${manifest.source.product}: ${manifest.source.account}`,
      accountEmail: null,
      apiDomain: null,
    }
    const id = this.#context.service.ids.next('int')
    const made = newIntegration({ id, tenantId: this.#tenantId, now: this.#now(), source })
    // The team works here from the first moment.
    const row: IntegrationRecord = { ...made, ...emptyState, handover: 'done' }
    await this.#store.commit({ writes: [{ op: 'insert', kind: 'integrations', row }], events: [] })
    return row
  }

  async #storeFiles(integration: IntegrationRecord): Promise<void> {
    for (const { name } of this.#folder.manifest.files) await this.#storeFile(integration, name)
    const stored = new Set<string>()
    for await (const line of this.#folder.lines('attachments')) {
      const sha256 = 'record' in line ? line.record.sha256 : null
      if (sha256 === null || stored.has(sha256)) continue
      stored.add(sha256)
      await this.#storeFile(integration, bytesPath(sha256), 'record' in line ? line.record.contentType : null)
    }
    await this.#storeFile(integration, manifestName)
  }

  /** Stores the bytes of a file behind their row. A file that is not there is one that the import misses. */
  async #storeFile(integration: IntegrationRecord, path: string, declared?: string | null): Promise<void> {
    const { service } = this.#context
    const file = this.#folder.path(path)
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile()) return
    const tenantId = this.#tenantId
    const now = this.#now()
    const id = service.ids.next('att')
    const contentType =
      declared === undefined ? 'application/octet-stream' : await typeOf(file, declared ?? '')
    const row: AttachmentRecord = {
      _id: id,
      tenantId,
      state: 'uploading',
      filename: safeFilename(path),
      contentType,
      size: found.size,
      sha256: '',
      messageId: null,
      integrationId: integration._id,
      erasedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await this.#store.commit({ writes: [{ op: 'insert', kind: 'attachments', row }], events: [] })
    const hash = createHash('sha256')
    await service.attachments.write({ tenantId, id }, hashed(createReadStream(file), hash))
    const sha256 = hash.digest('hex')
    const keptUntil = packageKeptUntil(now)
    const fileRow = {
      _id: packageFileId(integration, path),
      tenantId,
      integrationId: integration._id,
      path,
      attachmentId: id,
      size: found.size,
      sha256,
      createdAt: now,
      expiresAt: keptUntil,
    }
    await this.#store.commit({
      writes: [
        {
          op: 'update',
          kind: 'attachments',
          id,
          expectVersion: 1,
          set: { state: 'stored', sha256, keptUntil },
        },
        { op: 'insert', kind: 'packageFiles', row: fileRow },
      ],
      events: [],
    })
  }

  async #import(
    { _id: integrationId, importSettings }: IntegrationRecord,
    inboxes: Record<string, string>,
  ): Promise<ImportRunRecord> {
    const { service } = this.#context
    const tenantId = this.#tenantId
    const { counts, leftOut = [] } = this.#folder.manifest
    const runId = service.ids.next('imp')
    const run: ImportRunRecord = {
      ...newRun({
        id: runId,
        tenantId,
        now: this.#now(),
        integrationId,
        trigger: 'manual',
        selection: importSettings,
      }),
      inboxes,
      packageFigures: { counts, leftOut },
    }
    const set = { syncStatus: 'queued', activeRunId: runId, lastRunId: runId } as const
    await this.#store.commit({
      writes: [
        { op: 'insert', kind: 'importRuns', row: run },
        { op: 'update', kind: 'integrations', id: integrationId, expectVersion: 1, set },
      ],
      events: [],
    })
    // A server of this database may work on it too: each goes on where the other one is.
    for (;;) {
      const found = await this.#store.importRuns.find(runId)
      if (found === undefined || !activeRunStatuses.includes(found.status)) return found ?? run
      await runPackage(service.imports as RunParts, { tenantId, runId }, new AbortController().signal)
    }
  }

  async #removeFiles(integration: IntegrationRecord): Promise<void> {
    for (;;) {
      const writes = await removedPackageFiles(this.#store, integration, this.#now())
      if (writes.length === 0) return
      await this.#store.commit({ writes, events: [] })
    }
  }

  #report({ status, error, here = {} }: ImportRunRecord): void {
    const { print, say } = this.#context
    for (const [kind, { total }] of Object.entries(this.#folder.manifest.counts)) {
      const count = Object.values(here[kind] ?? {}).reduce((sum, one) => sum + one, 0)
      print({ kind, inPackage: total, here: count })
    }
    if (status === 'failed')
      throw new CommandError(`The import failed: ${error?.message ?? 'no reason is known'}`)
    say('The columns are kind, records of the package, records here.')
  }
}

/** The type that the bytes have, as for an upload. */
async function typeOf(path: string, declared: string): Promise<string> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(headBytesMax), position: 0 })
    const isWhole = (await handle.stat()).size === bytesRead
    return await sniffContentType(buffer.subarray(0, bytesRead), { declared, isWhole })
  } finally {
    await handle.close()
  }
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
