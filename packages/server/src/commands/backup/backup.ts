import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Pack, pack } from 'tar-stream'
import { findSqliteDamage, openBackupSource } from '../../main/compose/databases.ts'
import { type Config, loadConfig, processVariables } from '../../main/config/config.ts'
import type { AttachmentHolds, DatabaseSnapshot } from '../../ports/backup.ts'
import { keyIdOf } from '../../security/secret-box.ts'
import { isoTime } from '../../shared/clock.ts'
import { syncFolder } from '../../shared/sync-folder.ts'
import { version } from '../../shared/version.ts'
import { transferKinds } from '../../storage/kinds/derive.ts'
import { CommandError, readArgs } from '../command.ts'
import { findCheckValues } from '../doctor/check-secrets.ts'
import { storedAttachments } from './attachment-rows.ts'
import { attachmentEntry, databaseName, type Manifest, manifestName } from './manifest.ts'

const howToBackUpMongo = `The data is in MongoDB, which has a tool of its own. Its address names the set and no database:
  mongodump --uri "mongodb://USER:PASSWORD@HOSTS/?replicaSet=NAME" --oplog --archive=FILE --gzip
Attachments are in it, but for those in an object store that CRM_ATTACHMENTS names. Keep CRM_SECRETS_KEY and CRM_JWT_SECRET too, in another place: without the first, webhook secrets cannot
be opened; without the second, every session ends. Redis holds nothing that has to be kept.`

/** Copies the database and its attachments, as of one moment, into one file. A server may run meanwhile. */
export async function backup(args: string[]): Promise<void> {
  const { positionals } = readArgs(args, { names: ['FILE'], options: {} })
  const file = path.resolve(positionals[0] ?? '')
  const config = loadConfig(processVariables(), { dev: false, isReadOnly: true })
  const { databaseUrl } = config
  if (!databaseUrl.startsWith('sqlite:')) throw new CommandError(howToBackUpMongo)
  const database = path.resolve(databaseUrl.slice('sqlite:'.length))
  if (!existsSync(database)) throw new CommandError(`There is no database ${database}`)
  if (existsSync(file)) throw new CommandError(`${file} exists: name a new file`)
  const manifest = await makeBackup(database, file, config).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      `No backup was made: ${reason}. Keep the earlier ones; crm-server doctor examines the database`,
      { cause: error },
    )
  })
  process.stderr.write(summaryOf(file, manifest))
  if (manifest.attachments.missing.length > 0) process.exitCode = 1
}

/**
 * Makes the backup to which an operator can return after an upgrade of the schema, and returns a sentence about it. A start
 * that is repeated replaces the backup of the one before.
 */
export async function makeUpgradeBackup(
  config: Pick<Config, 'databaseUrl' | 'attachments'>,
  upgrade: { from: number; to: number },
): Promise<string> {
  const { databaseUrl } = config
  const database = path.resolve(databaseUrl.slice('sqlite:'.length))
  const file = `${database}.before-schema-${upgrade.to}.tar`
  const { attachments, elsewhere } = await makeBackup(database, file, config).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      `The database has schema ${upgrade.from} and was not upgraded, because no backup of it was made: ${reason}. Free space for one in ${path.dirname(file)}, or make one elsewhere and use --no-backup`,
      { cause: error },
    )
  })
  const { missing } = attachments
  const lost = missing.length > 0 ? ` Bytes of ${missing.length} attachments were lost before.` : ''
  return `${file} holds the data before the upgrade from schema ${upgrade.from} to ${upgrade.to}.${lost}${elsewhere === undefined ? '' : ` ${elsewhereSentence(elsewhere)}`}`
}

/** A backup must not pretend to hold what it does not. */
function elsewhereSentence({ address, count, bytes }: NonNullable<Manifest['elsewhere']>): string {
  return `It does not hold the bytes of ${count} attachments (${(bytes / 1_000_000).toFixed(1)} MB), which are in ${address}: back that up by itself.`
}

function summaryOf(file: string, { rows, attachments, elsewhere, secretsKeyId }: Manifest): string {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const { count, missing } = attachments
  const lost =
    missing.length > 0 ? `The bytes of these attachments are missing: ${missing.join(', ')}.\n` : ''
  const key =
    secretsKeyId === null
      ? ''
      : `It does not hold the secrets. Keep the secrets key (fingerprint ${secretsKeyId}) and the JWT secret in another place.\n`
  return `${file} holds ${total} rows and the bytes of ${count} attachments.\n${lost}${elsewhere === undefined ? '' : `${elsewhereSentence(elsewhere)}\n`}${key}`
}

/** Writes under other names first: a backup that was interrupted never has the name of a complete one. */
async function makeBackup(
  database: string,
  file: string,
  { attachments: place }: Pick<Config, 'attachments'>,
): Promise<Manifest> {
  const parts = { archive: `${file}.part`, database: `${file}.database.part` }
  const removeParts = () => Promise.all(Object.values(parts).map((part) => rm(part, { force: true })))
  await removeParts()
  const source = await openBackupSource(database)
  try {
    const held = await holdAttachments(source, place)
    await copyDatabase(source.snapshot, parts.database)
    const manifest = await describe(source.snapshot, parts.database, held)
    await writeArchive(parts, { ...source, absent: held.absent }, manifest)
    await rename(parts.archive, file)
    await syncFolder(path.dirname(file))
    return manifest
  } finally {
    source.snapshot.close()
    await source.holds.release()
    await removeParts()
  }
}

interface Source {
  snapshot: DatabaseSnapshot
  holds: AttachmentHolds
}

type Held = Pick<Manifest, 'attachments' | 'elsewhere'> & {
  /** Ids of attachments whose bytes are not held. */
  absent: ReadonlySet<string>
}

/**
 * Holds the bytes of every attachment of the snapshot. A server may delete some before they are held: then the snapshot
 * is taken anew, in which their rows are missing too. Bytes that are missing twice are lost; with an object store they are there.
 */
async function holdAttachments({ snapshot, holds }: Source, place: Config['attachments']): Promise<Held> {
  let missingBefore = new Set<string>()
  for (;;) {
    const missing: string[] = []
    let [count, bytes, bytesMissing] = [0, 0, 0]
    for await (const attachment of storedAttachments(snapshot.rows)) {
      if (!(await holds.hold(attachment))) {
        missing.push(attachment.id)
        bytesMissing += attachment.size
        continue
      }
      count += 1
      bytes += await holds.size(attachment)
    }
    if (place !== undefined) {
      const [address = ''] = place.address.split('?', 1)
      const elsewhere = { address, count: missing.length, bytes: bytesMissing }
      return { attachments: { count, bytes, missing: [] }, elsewhere, absent: new Set(missing) }
    }
    if (missing.every((id) => missingBefore.has(id)))
      return { attachments: { count, bytes, missing }, absent: new Set(missing) }
    missingBefore = new Set(missing)
    snapshot.renew()
  }
}

async function copyDatabase(snapshot: DatabaseSnapshot, target: string): Promise<void> {
  const progress = process.stderr.isTTY
    ? (part: number) => void process.stderr.write(`\rCopying the database: ${Math.round(part * 100)} %`)
    : () => {}
  await snapshot.copyTo(target, progress)
  if (process.stderr.isTTY) process.stderr.write('\n')
  const damage = findSqliteDamage(target)
  if (damage !== undefined) throw new CommandError(damage.replace(/\.$/, ''))
}

async function describe(
  { schema, rows }: DatabaseSnapshot,
  database: string,
  { attachments, elsewhere }: Held,
): Promise<Manifest> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(database)) hash.update(chunk as Buffer)
  const { size: bytes } = await stat(database)
  const sealed = await findCheckValues(rows)
  const counts: Record<string, number> = {}
  for (const kind of transferKinds) counts[kind] = await rows.count(kind)
  return {
    format: 1,
    version,
    madeAt: isoTime(Date.now()),
    schema,
    database: { bytes, sha256: hash.digest('hex') },
    rows: counts,
    attachments,
    ...(elsewhere && { elsewhere }),
    secretsKeyId: sealed.map((value) => keyIdOf(value)).join(' and ') || null,
  }
}

async function writeArchive(
  parts: { archive: string; database: string },
  { snapshot, holds, absent }: Source & Pick<Held, 'absent'>,
  manifest: Manifest,
): Promise<void> {
  const archive = pack()
  const written = pipeline(
    archive,
    createWriteStream(parts.archive, { mode: 0o600, flags: 'wx', flush: true }),
  )
  const fill = async () => {
    await addText(archive, manifestName, `${JSON.stringify(manifest, null, 2)}\n`)
    const { bytes: size } = manifest.database
    await addStream(archive, { name: databaseName, size }, createReadStream(parts.database))
    for await (const attachment of storedAttachments(snapshot.rows)) {
      if (absent.has(attachment.id)) continue
      const entry = { name: attachmentEntry(attachment), size: await holds.size(attachment) }
      await addStream(archive, entry, holds.read(attachment))
    }
    archive.finalize()
  }
  const filled = fill().catch((error: unknown) => {
    archive.destroy(error as Error)
    throw error
  })
  await Promise.all([written, filled])
}

const entryMode = 0o600

function addText(archive: Pack, name: string, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  archive.entry({ name, mode: entryMode }, text, (error) => (error ? reject(error) : resolve()))
  return promise
}

async function addStream(
  archive: Pack,
  { name, size }: { name: string; size: number },
  bytes: NodeJS.ReadableStream,
): Promise<void> {
  await pipeline(bytes, archive.entry({ name, size, mode: entryMode }))
}
