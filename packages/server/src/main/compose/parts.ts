import { hostname } from 'node:os'
import { createIdFactory, type IdFactory } from '@crmkit/core'
import type { Logger } from 'pino'
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
import { createMailSignIns } from '../../adapters/mail-sign-in/mail-sign-ins.ts'
import { createSnsTopics } from '../../adapters/mail-topics/sns-topics.ts'
import { createSmtpSender } from '../../adapters/smtp/smtp-sender.ts'
import { openSqliteScratch } from '../../adapters/sqlite/sqlite-scratch.ts'
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
import type { Clock } from '../../ports/clock.ts'
import type { OpenConnector } from '../../ports/connector.ts'
import type { ConnectorHttp } from '../../ports/connector-http.ts'
import type { Connectors } from '../../ports/connectors.ts'
import type { Finding } from '../../ports/diagnosis.ts'
import type { DiskSpace } from '../../ports/disk-space.ts'
import type { DnsRecords } from '../../ports/dns-records.ts'
import type { AddressDigests, ErasureLedger } from '../../ports/erasure-ledger.ts'
import type { CheckDestination, HttpSender } from '../../ports/http-sender.ts'
import type { JobQueue } from '../../ports/job-queue.ts'
import type { RequestLog } from '../../ports/log.ts'
import type { KeptMail, MailSender, MailSettings, ProbedStep } from '../../ports/mail-sender.ts'
import type { MailSignIns } from '../../ports/mail-sign-in.ts'
import type { MailSource } from '../../ports/mail-source.ts'
import type { MailTokens } from '../../ports/mail-tokens.ts'
import type { MailTopics } from '../../ports/mail-topics.ts'
import type { Notices } from '../../ports/notices.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { OpenScratch } from '../../ports/scratch.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage } from '../../ports/storage.ts'
import type { TelephonyProvider } from '../../ports/telephony-provider.ts'
import { createAddressDigests } from '../../security/address-digests.ts'
import { createSecretBox } from '../../security/secret-box.ts'
import { systemClock } from '../../shared/clock.ts'
import { WaitingCallers } from '../../shared/waiting-callers.ts'
import type { Config } from '../config/config.ts'
import { createLog, createRequestLog, type LogDestination, stderrOf } from '../config/log.ts'
import {
  openAttachments,
  openDisk,
  openLedger,
  openOwnNotices,
  openStorage,
  type StorageOptions,
} from './databases.ts'
import { jobNames } from './job-registry.ts'

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

export interface PartOptions extends StorageOptions {
  /** Gets the lines of the log, as JSON, instead of stderr. */
  logDestination?: LogDestination
  /** Name servers instead of the system's, for the records that people publish for their mail. */
  nameServers?: readonly string[]
  /** Time as a test sees it, instead of the machine's. */
  clock?: Clock
  /** Wake-ups of jobs at that time. */
  queue?: JobQueue
  /** How long a request may wait for its count in Redis before it is counted in this process. */
  redisPatienceMs?: number
}

/** Opens all adapters. This file and `databases.ts` alone know them. */
export async function openParts(config: Config, options: PartOptions = {}): Promise<Parts> {
  const { logDestination, nameServers, migrate, hasLock = false, clock = systemClock, queue } = options
  const log = createLog(config.logLevel, logDestination ?? stderrOf(config))
  const storage = await openStorage(config.databaseUrl, { migrate, hasLock })
  const guard = createDestinationGuard({
    allowCidrs: config.webhookAllowCidrs,
    allowHttp: config.webhookAllowHttp,
  })
  const secrets = createSecretBox(config.secretsKeys)
  const attachments = await openAttachments(config)
  const callers = new WaitingCallers()
  const { sources, sourceHttp } = openSources(config, { storage, attachments, secrets, callers, clock })
  return {
    clock,
    log,
    requestLog: createRequestLog(logDestination ? { ...config, dev: false } : config, logDestination),
    storage,
    attachments,
    disk: openDisk(config, log),
    ledger: await openLedger(config),
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
    callers,
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
  {
    storage,
    attachments,
    secrets,
    callers,
    clock,
  }: Pick<Parts, 'storage' | 'attachments' | 'secrets' | 'callers' | 'clock'>,
): Pick<Parts, 'sources' | 'sourceHttp'> {
  const hosts = createConnectorHosts(settings)
  const sourceHttp = createConnectorHttp({ hosts, caFile: settings.caFile })
  const zoho = { http: sourceHttp, hosts, clock, settings: settings.zoho }
  const hubspot = { http: sourceHttp, hosts, clock, settings: settings.hubspot }
  const sources = createConnectors({
    connectors: {
      file: createFileConnector({ storage, attachments, openScratch: openSqliteScratch, callers }),
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
