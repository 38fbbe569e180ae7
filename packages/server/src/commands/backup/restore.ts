import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Extract, extract } from 'tar-stream'
import { describeApplied } from '../../ledger/apply-ledger.ts'
import { opensCheck } from '../../main/compose/check-secrets-key.ts'
import {
  examineDatabase,
  findSqliteDamage,
  findUpgrade,
  lockDatabase,
  openAttachmentsBeside,
  openLedger,
} from '../../main/compose/databases.ts'
import { composeService } from '../../main/compose/service.ts'
import { type Config, loadConfig, processVariables } from '../../main/config/config.ts'
import { isObjectAddress } from '../../main/config/object-address.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import { createSecretBox, keyIdOf } from '../../security/secret-box.ts'
import { digestOfBytes } from '../../shared/digest-of-bytes.ts'
import { CommandError, readArgs } from '../command.ts'
import { findCheckValues } from '../doctor/check-secrets.ts'
import { storedAttachments } from './attachment-rows.ts'
import { attachmentOf, databaseName, type Manifest, manifestName, readManifest } from './manifest.ts'

/** Files that an operator puts there before the first start, and those of the lock of a start that made no database. */
const allowedNames = /^(jwt-secret|secrets-key|erasures\.ndjson|.+-lock(\.json)?)$/

/** Restores a backup into an empty data directory, and compares everything with its checksums. */
export async function restore(args: string[]): Promise<void> {
  const { positionals, values } = readArgs(args, {
    names: ['FILE'],
    options: { ledger: { type: 'string' } },
  })
  const file = path.resolve(positionals[0] ?? '')
  const config = loadConfig(processVariables(), { dev: false, isReadOnly: true })
  if (!config.databaseUrl.startsWith('sqlite:'))
    throw new CommandError(
      'CRM_DATABASE_URL names a MongoDB: restore it with mongorestore --oplogReplay --archive=FILE --gzip',
    )
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}`)
  const ledger = givenLedger(values.ledger, config)
  // Before anything is unpacked: an object store may be away.
  const hasLedger = ledger !== undefined || (await (await openLedger(config))?.read(undefined)) !== undefined
  const database = path.resolve(config.databaseUrl.slice('sqlite:'.length))
  assertIsEmpty(path.dirname(database))
  mkdirSync(path.dirname(database), { recursive: true, mode: 0o700 })
  // A server that starts meanwhile would make a database of its own under this name.
  const lock = lockDatabase(config.databaseUrl, 'crm-server restore')
  const part = `${database}.part`
  const store = await openAttachmentsBeside(`sqlite:${database}`)
  try {
    const manifest = await unpack(file, { part, store })
    assertHasPlace(manifest, config)
    await verify(part, { manifest, store })
    const key = await judgeKey(part, config)
    await placeLedger(ledger)
    // The name of the database comes last: without it no server finds half of a restoration.
    await rename(part, database)
    process.stderr.write(`${path.dirname(database)} holds the data of ${manifest.madeAt}. ${key.sentence}\n`)
    process.stderr.write(elsewhereLine(manifest))
    const said = await eraseAgain(config, { madeAt: manifest.madeAt, hasKey: key.isRight, hasLedger })
    process.stderr.write(`${said.join('\n')}\n`)
  } catch (error) {
    // The directory was empty, and is empty again for the next attempt.
    for (const name of [part, database, `${database}-wal`, `${database}-shm`]) await rm(name, { force: true })
    await rm(path.join(path.dirname(database), 'attachments'), { recursive: true, force: true })
    lock.discard()
    throw error
  } finally {
    await store.close()
    lock.release()
  }
}

/** Every download would fail without the object store. */
function assertHasPlace({ elsewhere }: Manifest, { attachments }: Config): void {
  if (elsewhere === undefined || elsewhere.count === 0 || attachments !== undefined) return
  throw new CommandError(
    `The backup does not hold the bytes of ${elsewhere.count} attachments: they were in ${elsewhere.address}. Set CRM_ATTACHMENTS and CRM_ATTACHMENTS_KEY`,
  )
}

function elsewhereLine({ elsewhere }: Manifest): string {
  if (elsewhere === undefined || elsewhere.count === 0) return ''
  return `The bytes of ${elsewhere.count} attachments were not in the backup, but in ${elsewhere.address}: crm-server doctor --all compares them.\n`
}

function assertIsEmpty(folder: string): void {
  if (!existsSync(folder)) return
  const [name] = readdirSync(folder).filter((found) => !allowedNames.test(found))
  if (name === undefined) return
  throw new CommandError(
    `${folder} is not empty (${name}): restore into a new directory, which CRM_DATA_DIR names`,
  )
}

interface Target {
  /** The database, under the name that it has until everything is verified. */
  part: string
  store: AttachmentStore
}

/** Writes the entries of an archive to the target, one after the other. */
async function unpack(file: string, target: Target): Promise<Manifest> {
  const archive: Extract = extract()
  const read = pipeline(createReadStream(file), archive)
  const written = writeEntries(archive, target).catch((error: unknown) => {
    archive.destroy(error as Error)
    throw error
  })
  // Where writing fails, reading fails as a consequence: the first error is the cause.
  const [result] = await Promise.allSettled([written, read])
  if (result.status === 'rejected') throw asCommandError(result.reason)
  return result.value
}

function asCommandError(error: unknown): Error {
  if (error instanceof CommandError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new CommandError(`The backup cannot be read to its end: ${reason}`)
}

async function writeEntries(archive: Extract, { part, store }: Target): Promise<Manifest> {
  let manifest: Manifest | undefined
  let attachments = 0
  for await (const entry of archive) {
    const { name } = entry.header
    if (manifest === undefined) {
      if (name !== manifestName) throw new CommandError('This is not a backup of crm-server')
      manifest = readManifest(await text(entry))
    } else if (name === databaseName) await writeDatabase(entry, part, manifest)
    else {
      const key = attachmentOf(name)
      if (key === undefined) throw new CommandError(`The backup holds an unknown file: ${name}`)
      await store.write(key, entry as AsyncIterable<Uint8Array>)
      attachments += 1
    }
  }
  if (manifest === undefined) throw new CommandError('This is not a backup of crm-server')
  if (attachments !== manifest.attachments.count) {
    const counts = `${attachments} of ${manifest.attachments.count} attachments`
    throw new CommandError(`The backup is cut off: it holds ${counts}`)
  }
  return manifest
}

async function writeDatabase(
  entry: AsyncIterable<unknown>,
  part: string,
  { database }: Manifest,
): Promise<void> {
  const hash = createHash('sha256')
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(entry, measure, createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true }))
  if (hash.digest('hex') !== database.sha256)
    throw new CommandError('The database in the backup is damaged: its checksum differs')
}

/** Compares what was written with the manifest, and the bytes of every attachment with the checksum in its row. */
async function verify(
  part: string,
  { manifest, store }: { manifest: Manifest; store: AttachmentStore },
): Promise<void> {
  const damage = findSqliteDamage(part)
  if (damage !== undefined) throw new CommandError(damage)
  const { rows, findings, close } = await examineDatabase(`sqlite:${part}`, { isThorough: false })
  try {
    const [newer] = findings.filter(
      ({ outcome, sentence }) => outcome === 'problem' && /schema/.test(sentence),
    )
    if (newer !== undefined) throw new CommandError(`${newer.sentence} ${newer.mend ?? ''}`)
    if (rows === undefined) throw new CommandError('The database in the backup is empty')
    const missing = new Set(manifest.attachments.missing)
    for await (const { tenantId, id, sha256 } of storedAttachments(rows)) {
      if (missing.has(id)) continue
      const digest = await digestOfBytes(store, { tenantId, id })
      if (digest === undefined && manifest.elsewhere !== undefined) continue
      if (digest !== sha256)
        throw new CommandError(`The bytes of the attachment ${id} differ from the checksum of its upload`)
    }
  } finally {
    await close()
  }
}

interface Ledger {
  from: string
  to: string
}

/** Returns the ledger of `--ledger` and the place where the server looks for it. Throws where that has another one. */
function givenLedger(given: string | undefined, { erasureLedger: to }: Config): Ledger | undefined {
  if (given === undefined || to === undefined) return undefined
  if (isObjectAddress(to))
    throw new CommandError('CRM_ERASURE_LEDGER names an object store, and --ledger a file: use one of them')
  const from = path.resolve(given)
  if (!existsSync(from)) throw new CommandError(`There is no ledger of erasures ${from}`)
  if (from === to) return undefined
  if (existsSync(to)) throw new CommandError(`${to} exists: a second ledger of erasures would be lost`)
  return { from, to }
}

async function placeLedger(ledger: Ledger | undefined): Promise<void> {
  if (ledger === undefined) return
  await copyFile(ledger.from, `${ledger.to}.part`)
  await rename(`${ledger.to}.part`, ledger.to)
}

/** Erases what the ledger names and the backup does not know. Returns sentences about it. */
async function eraseAgain(
  config: Config,
  { madeAt, hasKey, hasLedger }: { madeAt: string; hasKey: boolean; hasLedger: boolean },
): Promise<string[]> {
  const { erasureLedger: ledger, databaseUrl } = config
  if (!hasLedger)
    return [
      `There is no ledger of erasures (${ledger}): who was erased after ${madeAt} is here again, and nothing here says who that is. Put the ledger of the lost data directory there before the first start, or erase them once more.`,
    ]
  if (!hasKey || findUpgrade(databaseUrl) !== undefined)
    return [`The first start erases what ${ledger} names and the backup does not know, before it serves.`]
  // Nothing of this process signs a token, and the operator may still bring the secret.
  const jwtSecrets =
    config.jwtSecrets.length > 0 ? config.jwtSecrets : [randomBytes(48).toString('base64url')]
  const service = await composeService({ ...config, jwtSecrets, logLevel: 'silent' }, { hasLock: true })
  const { applied } = service
  await service.stop()
  return applied === undefined
    ? ['The ledger of erasures holds nothing that the backup does not know.']
    : describeApplied(applied)
}

interface KeyState {
  sentence: string
  /** The service can open the database as it is. */
  isRight: boolean
}

/** Returns a sentence about the secrets key that the restored database needs. */
async function judgeKey(part: string, config: Config): Promise<KeyState> {
  const { rows, close } = await examineDatabase(`sqlite:${part}`, { isThorough: false })
  try {
    const sealed = rows === undefined ? [] : await findCheckValues(rows)
    const { secretsKeys } = config
    if (sealed.length === 0)
      return { sentence: 'It needs no earlier secrets key.', isRight: secretsKeys.length > 0 }
    const box = secretsKeys.length > 0 ? createSecretBox(secretsKeys) : undefined
    if (box !== undefined && sealed.every((value) => opensCheck(box, value)))
      return { sentence: 'The secrets key opens its secrets.', isRight: true }
    const fingerprints = sealed.map((value) => keyIdOf(value)).join(' and ')
    const state = secretsKeys.length > 0 ? 'The secrets key is another one' : 'The secrets key is missing'
    const sentence = `${state}: before you start a server, set CRM_SECRETS_KEY, or restore the file secrets-key, with the fingerprint ${fingerprints}.`
    return { sentence, isRight: false }
  } finally {
    await close()
  }
}
