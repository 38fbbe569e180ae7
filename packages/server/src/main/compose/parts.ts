import { hostname } from 'node:os'
import path from 'node:path'
import { createIdFactory, type IdFactory } from '@crmkit/core'
import type { Logger } from 'pino'
import { openAttachmentHolds } from '../../adapters/data-directory/attachment-holds.ts'
import { openDirectoryAttachmentStore } from '../../adapters/data-directory/directory-attachment-store.ts'
import { createDiskReserve } from '../../adapters/data-directory/disk-reserve.ts'
import { openErasureLedger } from '../../adapters/data-directory/erasure-ledger-file.ts'
import { createDevelopmentMailbox } from '../../adapters/development-mailbox/development-mailbox.ts'
import { createDnsRecords } from '../../adapters/dns/dns-records.ts'
import { createFileConnector } from '../../adapters/file-connector/file-connector.ts'
import { createConnectorHttp } from '../../adapters/https-sender/connector-http.ts'
import { createDestinationGuard } from '../../adapters/https-sender/destination-guard.ts'
import { createHttpsSender } from '../../adapters/https-sender/https-sender.ts'
import { createHostResolver } from '../../adapters/https-sender/resolve-host.ts'
import { createTrustedCa } from '../../adapters/https-sender/trusted-ca.ts'
import { createHubspotConnector } from '../../adapters/hubspot/hubspot-connector.ts'
import { createHubspotSignIns } from '../../adapters/hubspot/hubspot-sign-in.ts'
import { createImapSource } from '../../adapters/imap/imap-source.ts'
import { createInProcessQueue } from '../../adapters/in-process/in-process-queue.ts'
import { createInProcessRateLimiter } from '../../adapters/in-process/in-process-rate-limiter.ts'
import { noDisk } from '../../adapters/in-process/no-disk.ts'
import { noNotices } from '../../adapters/in-process/no-notices.ts'
import { createMailSignIns } from '../../adapters/mail-sign-in/mail-sign-ins.ts'
import { createSnsTopics } from '../../adapters/mail-topics/sns-topics.ts'
import { createSmtpSender } from '../../adapters/smtp/smtp-sender.ts'
import {
  type DatabaseLock,
  lockDatabase as lockSqlite,
} from '../../adapters/sqlite/connection/database-lock.ts'
import { findUpgrade as findSqliteUpgrade, newestSchema } from '../../adapters/sqlite/connection/migrate.ts'
import { examineSqlite } from '../../adapters/sqlite/diagnosis/examine-sqlite.ts'
import { openSqliteScratch } from '../../adapters/sqlite/sqlite-scratch.ts'
import { openSqliteStorage } from '../../adapters/sqlite/sqlite-storage.ts'
import { openSqliteSnapshot } from '../../adapters/sqlite/transfer/sqlite-snapshot.ts'
import { openSqliteSource, openSqliteTarget } from '../../adapters/sqlite/transfer/sqlite-transfer.ts'
import { createLocalProvider } from '../../adapters/twilio/local-provider.ts'
import { createTwilioProvider } from '../../adapters/twilio/twilio-provider.ts'
import { createZohoConnector } from '../../adapters/zoho/zoho-connector.ts'
import { createZohoSignIns } from '../../adapters/zoho/zoho-sign-in.ts'
import { createConnectorHosts } from '../../connectors/connector-hosts.ts'
import { exchangedOnce } from '../../connectors/one-exchange.ts'
import { createConnectors } from '../../connectors/open-connectors.ts'
import { createTokenKeepers } from '../../connectors/token-keeper.ts'
import { GrantedTokens } from '../../mail/addresses/mail-tokens.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { AttachmentHolds, DatabaseSnapshot } from '../../ports/backup.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OpenConnector } from '../../ports/connector.ts'
import type { ConnectorHttp } from '../../ports/connector-http.ts'
import type { Connectors } from '../../ports/connectors.ts'
import type { ExaminedDatabase, ExamineOptions, Finding } from '../../ports/diagnosis.ts'
import type { DiskSpace } from '../../ports/disk-space.ts'
import type { DnsRecords } from '../../ports/dns-records.ts'
import type { AddressDigests, ErasureLedger } from '../../ports/erasure-ledger.ts'
import type { CheckDestination, HttpSender } from '../../ports/http-sender.ts'
import type { JobQueue } from '../../ports/job-queue.ts'
import type { Log, RequestLog } from '../../ports/log.ts'
import type { KeptMail, MailSender, MailSettings, ProbedStep } from '../../ports/mail-sender.ts'
import type { MailSignIns } from '../../ports/mail-sign-in.ts'
import type { MailSource } from '../../ports/mail-source.ts'
import type { MailTokens } from '../../ports/mail-tokens.ts'
import type { MailTopics } from '../../ports/mail-topics.ts'
import type { Notices } from '../../ports/notices.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { OpenScratch } from '../../ports/scratch.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { MigrateOptions, Storage } from '../../ports/storage.ts'
import type { TransferSource, TransferTarget } from '../../ports/storage-transfer.ts'
import type { TelephonyProvider } from '../../ports/telephony-provider.ts'
import { createAddressDigests } from '../../security/address-digests.ts'
import { createSecretBox } from '../../security/secret-box.ts'
import { systemClock } from '../../shared/clock.ts'
import { WaitingCallers } from '../../shared/waiting-callers.ts'
import { assertUpgraded } from '../../upgrades/rows-left.ts'
import { upgradeSteps } from '../../upgrades/steps.ts'
import type { Config } from '../config/config.ts'
import { createLog, createRequestLog, type LogDestination, stderrOf } from '../config/log.ts'
import { jobNames } from './job-registry.ts'

export { examineReserve } from '../../adapters/data-directory/examine-reserve.ts'
export { findSqliteDamage } from '../../adapters/sqlite/transfer/sqlite-snapshot.ts'

/** Everything outside this process: the adapters are made here, and all other code knows only their ports. */
export interface Parts {
  clock: Clock
  ids: IdFactory
  log: Logger
  requestLog: RequestLog
  storage: Storage
  attachments: AttachmentStore
  disk: DiskSpace
  /** Undefined: the operator of a MongoDB has named none. */
  ledger: ErasureLedger | undefined
  digests: AddressDigests
  queue: JobQueue
  notices: Notices
  limiter: RateLimiter
  checkDestination: CheckDestination
  sender: HttpSender
  secrets: SecretBox
  sources: Connectors
  openSource: OpenConnector
  openScratch: OpenScratch
  callers: WaitingCallers
  sourceHttp: ConnectorHttp
  telephony: TelephonyProvider | undefined
  mail: MailSettings
  mailSender: MailSender
  mailSource: MailSource
  mailSignIns: MailSignIns
  mailSignInHttp: ConnectorHttp
  mailTopics: MailTopics
  mailTopicsHttp: ConnectorHttp
  mailTokens: MailTokens
  dns: DnsRecords
  /** Returns the mail that a developer’s machine has kept instead of sending it; undefined where it is sent. */
  keptMail: (() => readonly KeptMail[]) | undefined
}

export interface PartOptions {
  /** Gets the lines of the log, as JSON, instead of stderr. */
  logDestination?: LogDestination
  /** Name servers instead of the system's, for the records that people publish for their mail. */
  nameServers?: readonly string[]
  /** How the database is upgraded. */
  migrate?: MigrateOptions | undefined
  /** The caller has taken the database by `lockDatabase`. */
  hasLock?: boolean
  /** Time as a test sees it, instead of the machine's. */
  clock?: Clock
  /** Wake-ups of jobs at that time. */
  queue?: JobQueue
  /** How long a request may wait for its count in Redis before it is counted in this process. */
  redisPatienceMs?: number
}

/** Opens all adapters. This is the only file that knows them. */
export async function openParts(config: Config, options: PartOptions = {}): Promise<Parts> {
  const { logDestination, nameServers, migrate, hasLock = false, clock = systemClock, queue } = options
  const log = createLog(config.logLevel, logDestination ?? stderrOf(config))
  const storage = await openStorage(config.databaseUrl, { migrate, hasLock })
  const guard = createDestinationGuard({
    allowCidrs: config.webhookAllowCidrs,
    allowHttp: config.webhookAllowHttp,
  })
  const secrets = createSecretBox(config.secretsKeys)
  const attachments = await openAttachments(config.databaseUrl)
  const { sources, sourceHttp } = openSources(config, { storage, attachments, secrets, clock })
  return {
    clock,
    log,
    requestLog: createRequestLog(logDestination ? { ...config, dev: false } : config, logDestination),
    storage,
    attachments,
    disk: openDisk(config, log),
    ledger: openLedger(config),
    digests: createAddressDigests(config.secretsKeys),
    ids: createIdFactory(clock.nowMs),
    ...(await connectProcesses(config, { storage, log, clock }, options)),
    ...(queue && { queue }),
    checkDestination: guard.checkDestination,
    sender: createHttpsSender({ guard, caFiles: config.webhookCaFile ? [config.webhookCaFile] : [] }),
    secrets,
    sources,
    openSource: sources.open,
    openScratch: openSqliteScratch,
    callers: new WaitingCallers(),
    sourceHttp,
    telephony: openTelephony(config),
    dns: createDnsRecords({ servers: nameServers }),
    ...openMail(config, clock),
    ...openMailSignIns(config, { storage, secrets, clock }),
    ...openMailTopics(config, clock),
  }
}

/** The connectors of external CRMs, on requests that reach the vendors' and the named hosts alone. */
function openSources(
  { sources: settings }: Config,
  { storage, attachments, secrets, clock }: Pick<Parts, 'storage' | 'attachments' | 'secrets' | 'clock'>,
): Pick<Parts, 'sources' | 'sourceHttp'> {
  const hosts = createConnectorHosts(settings)
  const sourceHttp = createConnectorHttp({ hosts, caFile: settings.caFile })
  const zoho = { http: sourceHttp, hosts, clock, settings: settings.zoho }
  const hubspot = { http: sourceHttp, hosts, clock, settings: settings.hubspot }
  const sources = createConnectors({
    connectors: {
      file: createFileConnector({ storage, attachments, openScratch: openSqliteScratch }),
      zoho: createZohoConnector(zoho),
      hubspot: createHubspotConnector(hubspot),
    },
    signIns: { zoho: createZohoSignIns(zoho), hubspot: createHubspotSignIns(hubspot) },
    keeperOf: createTokenKeepers({ storage, secrets }),
    hosts,
    settings,
    clock,
  })
  return { sources, sourceHttp }
}

/** The sign-ins at providers of mailboxes, on requests that reach their own hosts and a named emulator alone. */
function openMailSignIns(
  { mail: { signIns: settings } }: Config,
  { storage, secrets, clock }: Pick<Parts, 'storage' | 'secrets' | 'clock'>,
): Pick<Parts, 'mailSignIns' | 'mailSignInHttp' | 'mailTokens'> {
  const { accounts } = settings.hosts
  const hosts = createConnectorHosts({ hosts: accounts === undefined ? [] : [accounts] })
  const mailSignInHttp = createConnectorHttp({ hosts, caFile: undefined })
  const made = createMailSignIns({ http: mailSignInHttp, clock, settings })
  const mailSignIns = { ...made, exchange: exchangedOnce(made.exchange, clock) }
  const mailTokens = new GrantedTokens({ storage, secrets, signIns: mailSignIns, clock })
  return { mailSignIns, mailSignInHttp, mailTokens }
}

/** The topics of Amazon SES, on requests that reach Amazon's own hosts and a named emulator alone. */
function openMailTopics(
  { mail: { snsEmulator } }: Config,
  clock: Clock,
): Pick<Parts, 'mailTopics' | 'mailTopicsHttp'> {
  const { host: emulator, caFile } = snsEmulator ?? {}
  const hosts = createConnectorHosts({ hosts: emulator === undefined ? [] : [emulator] })
  const mailTopicsHttp = createConnectorHttp({ hosts, caFile, bodyBytesMax: 64 * 1024 })
  return { mailTopics: createSnsTopics({ http: mailTopicsHttp, clock, emulator }), mailTopicsHttp }
}

/** The relay of a developer without one keeps the mail; the servers of inboxes are real everywhere. */
function openMail(
  { mail, baseUrl }: Config,
  clock: Clock,
): Pick<Parts, 'mail' | 'mailSender' | 'mailSource' | 'keptMail'> {
  const guard = createDestinationGuard({ allowCidrs: mail.allowCidrs })
  const destinations = {
    isAllowedAddress: guard.isAllowedAddress,
    isPrivatelyAllowed: guard.isPrivatelyAllowed,
    resolveHost: createHostResolver(),
    trustedCa: createTrustedCa(mail.caFiles),
  }
  const smtp = createSmtpSender({
    ...destinations,
    name: baseUrl === undefined ? hostname() : new URL(baseUrl).hostname,
  })
  const { relay, domain, smtpDoor, hasLinks } = mail
  const settings = { relay, domain, smtpDoor, hasLinks, baseUrl }
  const mailSource = createImapSource(destinations)
  if (!mail.isKept) return { mail: settings, mailSource, mailSender: smtp, keptMail: undefined }
  const mailbox = createDevelopmentMailbox(() => clock.nowMs())
  return {
    mail: settings,
    mailSource,
    mailSender: {
      checkServer: smtp.checkServer,
      send: (outgoing) => (outgoing.server === relay?.server ? mailbox : smtp).send(outgoing),
      probe: (server, outgoing) => (server === relay?.server ? mailbox : smtp).probe(server, outgoing),
    },
    keptMail: mailbox.list,
  }
}

/** Without settings a developer's machine has a stand-in, and production has nothing. */
function openTelephony({ twilio, environment }: Config): TelephonyProvider | undefined {
  if (twilio !== undefined) return createTwilioProvider(twilio)
  return environment === 'production' ? undefined : createLocalProvider()
}

/** Closes the parts that `openParts` has opened, when the service does not start. */
export async function closeParts({ queue, notices, attachments, storage, ...parts }: Parts): Promise<void> {
  const { limiter, sender, sourceHttp, mailSignInHttp, mailTopicsHttp } = parts
  await queue.stop()
  for (const each of [limiter, sender, sourceHttp, mailSignInHttp, mailTopicsHttp]) await each.close()
  await notices.close()
  await attachments.close()
  await storage.close()
}

/**
 * Opens the store of the attachments' bytes: a directory beside an SQLite file, so that both are moved and backed up
 * together, or the database that processes share.
 */
export async function openAttachments(url: string): Promise<AttachmentStore> {
  if (url.startsWith('sqlite:')) {
    return openDirectoryAttachmentStore(path.join(folderOf(url), 'attachments'))
  }
  const { openGridfsAttachmentStore } = await import('../../adapters/mongo/gridfs-attachment-store.ts')
  return openGridfsAttachmentStore(url)
}

export function openLedger({
  erasureLedger: file,
}: Pick<Config, 'erasureLedger'>): ErasureLedger | undefined {
  return file === undefined ? undefined : openErasureLedger(file)
}

function openDisk({ databaseUrl: url, diskFreeBytesMin: freeBytesMin }: Config, log: Log): DiskSpace {
  return url.startsWith('sqlite:')
    ? createDiskReserve({ directory: folderOf(url), log, freeBytesMin })
    : noDisk
}

function fileOf(sqliteUrl: string): string {
  return path.resolve(sqliteUrl.slice('sqlite:'.length))
}

function folderOf(sqliteUrl: string): string {
  return path.dirname(fileOf(sqliteUrl))
}

/**
 * Takes an SQLite file for a command that must be alone with it. Throws a sentence that names the process which has it. Any
 * number of processes may use a MongoDB.
 */
export function lockDatabase(url: string, command: string): DatabaseLock {
  return url.startsWith('sqlite:')
    ? lockSqlite(fileOf(url), command)
    : { release: () => {}, discard: () => {} }
}

/** Returns the schemas before and after the upgrade that the next start makes on an SQLite file; undefined for none. */
export function findUpgrade(url: string): { from: number; to: number } | undefined {
  return url.startsWith('sqlite:') ? findSqliteUpgrade(fileOf(url)) : undefined
}

/** Asks before anything is changed: afterwards the version that has to finish the step would not start any more. */
async function assertStepsDone(url: string): Promise<void> {
  if (!upgradeSteps.some(({ isRequired }) => isRequired)) return
  const { rows, close } = await examineDatabase(url, { isThorough: false })
  try {
    if (rows !== undefined) await assertUpgraded(rows, upgradeSteps)
  } finally {
    await close()
  }
}

async function openStorage(
  url: string,
  { migrate, hasLock = false }: Pick<PartOptions, 'migrate' | 'hasLock'>,
): Promise<Storage> {
  await assertStepsDone(url)
  const storage = await (url.startsWith('sqlite:') ? openSqlite(url, hasLock) : openMongo(url))
  try {
    await storage.migrate(migrate)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Opens a database to copy from it, without changing it. */
export async function openTransferSource(url: string): Promise<TransferSource> {
  if (url.startsWith('sqlite:')) return openSqliteSource(url.slice('sqlite:'.length))
  const { openMongoSource } = await import('../../adapters/mongo/transfer/mongo-transfer.ts')
  return openMongoSource(url)
}

/** Opens a database to copy into it, and brings its schema up to date. */
export async function openTransferTarget(url: string): Promise<TransferTarget> {
  if (url.startsWith('sqlite:')) return openSqliteTarget(url.slice('sqlite:'.length))
  const { openMongoTarget } = await import('../../adapters/mongo/transfer/mongo-transfer.ts')
  return openMongoTarget(url)
}

/** Examines a database without changing it, also one with which no server can start. */
export async function examineDatabase(url: string, options: ExamineOptions): Promise<ExaminedDatabase> {
  if (url.startsWith('sqlite:')) return examineSqlite(url.slice('sqlite:'.length), options)
  const { examineMongo } = await import('../../adapters/mongo/diagnosis/examine-mongo.ts')
  return examineMongo(url)
}

/** Returns the schema that this version of the service works with on a database. */
export async function schemaOf(url: string): Promise<number> {
  if (url.startsWith('sqlite:')) return newestSchema()
  const { schemaVersion } = await import('../../adapters/mongo/connection/migrate.ts')
  return schemaVersion
}

/** Examines a Redis without changing it. */
export async function examineRedis(url: string): Promise<readonly Finding[]> {
  const adapter = await import('../../adapters/redis/examine-redis.ts')
  return adapter.examineRedis(url)
}

/** Tries the relay up to the sign-in, and sends nothing; undefined when none is set. */
export async function probeRelay(config: Config): Promise<readonly ProbedStep[] | undefined> {
  const { mail, mailSender } = openMail(config, systemClock)
  return mail.relay && mailSender.probe(mail.relay.server)
}

/** Opens a snapshot of an SQLite file, and holds for the bytes of its attachments. */
export async function openBackupSource(
  file: string,
): Promise<{ snapshot: DatabaseSnapshot; holds: AttachmentHolds }> {
  const snapshot = openSqliteSnapshot(file)
  try {
    const directory = path.join(path.dirname(path.resolve(file)), 'attachments')
    return { snapshot, holds: await openAttachmentHolds(directory) }
  } catch (error) {
    snapshot.close()
    throw error
  }
}

/** Upgrades a file alone: a server of an earlier version on it would meet a schema that it does not know. */
async function openSqlite(url: string, hasLock: boolean): Promise<Storage> {
  const isUpgraded = !hasLock && findUpgrade(url) !== undefined
  const lock = isUpgraded ? lockDatabase(url, 'upgrades the database') : undefined
  try {
    return await openSqliteStorage({ path: url.slice('sqlite:'.length) })
  } finally {
    lock?.release()
  }
}

async function openMongo(url: string): Promise<Storage> {
  // The driver takes as long to load as the rest of the service: with SQLite it is not loaded.
  const { openMongoStorage } = await import('../../adapters/mongo/mongo-storage.ts')
  return openMongoStorage({ url })
}

/** An SQLite file belongs to one process. Processes on MongoDB exchange through it what polling does not find. */
async function openOwnNotices(databaseUrl: string, onError: (error: Error) => void): Promise<Notices> {
  if (databaseUrl.startsWith('sqlite:')) return noNotices
  const { openMongoNotices } = await import('../../adapters/mongo/mongo-notices.ts')
  return openMongoNotices({ url: databaseUrl, onError })
}

type Connections = Pick<Parts, 'queue' | 'notices' | 'limiter'>

/** Connects the processes of an installation through Redis; without it there is one process, or each polls by itself. */
async function connectProcesses(
  { redisUrl, databaseUrl }: Config,
  { storage, log, clock }: Pick<Parts, 'storage' | 'log' | 'clock'>,
  { redisPatienceMs }: PartOptions,
): Promise<Connections> {
  const local = createInProcessQueue()
  const ownCounts = createInProcessRateLimiter(clock)
  const onError = (error: Error) => log.debug({ err: error }, 'A notice between processes failed')
  if (redisUrl === undefined) {
    return { queue: local, notices: await openOwnNotices(databaseUrl, onError), limiter: ownCounts }
  }
  const [{ openBullmqQueue }, { openRedisNotices }, { openRedisRateLimiter }] = await Promise.all([
    import('../../adapters/bullmq/bullmq-queue.ts'),
    import('../../adapters/redis/redis-notices.ts'),
    import('../../adapters/redis/redis-rate-limiter.ts'),
  ])
  const installationId = await storage.system.installationId()
  return {
    queue: openBullmqQueue({ url: redisUrl, installationId, jobs: jobNames, local, log }),
    notices: openRedisNotices({ url: redisUrl, installationId, onError }),
    limiter: await openRedisRateLimiter({
      url: redisUrl,
      installationId,
      local: ownCounts,
      clock,
      onError: (error) => log.debug({ err: error }, 'Requests are counted in this process alone'),
      commandTimeoutMs: redisPatienceMs,
    }),
  }
}
