import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { createIdFactory, getHealth, type IdFactory, operations } from '@crmkit/core'
import type { Logger } from 'pino'
import { openDirectoryAttachmentStore } from './adapters/data-directory/directory-attachment-store.ts'
import { createDestinationGuard } from './adapters/https-sender/destination-guard.ts'
import { createHttpsSender } from './adapters/https-sender/https-sender.ts'
import { createInProcessQueue } from './adapters/in-process/in-process-queue.ts'
import { createInProcessRateLimiter } from './adapters/in-process/in-process-rate-limiter.ts'
import { openSqliteStorage } from './adapters/sqlite/sqlite-storage.ts'
import { openSqliteSource, openSqliteTarget } from './adapters/sqlite/sqlite-transfer.ts'
import { replanAfterSetback } from './background/replan-after-setback.ts'
import { createRunTasks } from './background/run-tasks.ts'
import { createScheduler, type Scheduler } from './background/scheduler.ts'
import { createSweep } from './background/sweep.ts'
import { wakeOnCommit } from './background/wake-on-commit.ts'
import { composeEvents, listenToOthers, shareCredentialChanges } from './compose-events.ts'
import type { Config } from './config.ts'
import { createLog } from './create-log.ts'
import { createRemoveDueAttachments } from './features/attachments/remove-due-attachments.ts'
import { createWakeSnoozed } from './features/conversations/wake-snoozed.ts'
import { moveNextConversations } from './features/customers/move-task.ts'
import { emptyNextOfInbox } from './features/inboxes/empty-inbox.ts'
import { releaseNextOfUser } from './features/users/release-task.ts'
import { createDeliverDue } from './features/webhooks/deliver-due.ts'
import type { SystemServices } from './handler.ts'
import { withApiDocs } from './http/api-docs/serve-api-docs.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { createCors } from './http/cors.ts'
import { RunningRequests } from './http/idempotency.ts'
import { type ApiHandler, mountOperations } from './http/mount-operations.ts'
import { createRequestLimits } from './http/rate-limit.ts'
import { createUseRecorders } from './http/record-uses.ts'
import { LostRaces } from './http/rerun-lost-races.ts'
import { createUploads } from './http/uploads.ts'
import type { AttachmentStore } from './ports/attachment-store.ts'
import { type Clock, systemClock } from './ports/clock.ts'
import type { CheckDestination, HttpSender } from './ports/http-sender.ts'
import type { JobQueue } from './ports/job-queue.ts'
import { type Notices, noNotices } from './ports/notices.ts'
import type { RateLimiter } from './ports/rate-limiter.ts'
import type { SecretBox } from './ports/secret-box.ts'
import type { Storage } from './ports/storage.ts'
import type { TransferSource, TransferTarget } from './ports/storage-transfer.ts'
import { createPasswords } from './security/passwords.ts'
import { createSecretBox } from './security/secret-box.ts'
import { createSessionTokens } from './security/session-tokens.ts'
import { createSignInAttempts } from './security/sign-in-attempts.ts'
import { createTurns } from './shared/choose-assignee.ts'
import { eraseNextOfConversation, eraseNextOfCustomer } from './shared/erase-task.ts'
import { passFaultPoint } from './shared/fault-points.ts'
import { version } from './version.ts'

/** The whole service, wired. */
export interface Service {
  readonly api: ApiHandler
  readonly storage: Storage
  readonly attachments: AttachmentStore
  readonly ids: IdFactory
  readonly tokens: ReturnType<typeof createSessionTokens>
  readonly log: Logger
  /** Ends the streams of events, which would go on for ever; no other begins. */
  endStreams(): void
  /** Begins the background work. */
  start(): Promise<void>
  /** Ends it, and closes the storage. */
  stop(): Promise<void>
}

/** Everything that reaches outside: built here, named by port everywhere else. */
interface Parts {
  clock: Clock
  ids: IdFactory
  log: Logger
  storage: Storage
  attachments: AttachmentStore
  queue: JobQueue
  notices: Notices
  limiter: RateLimiter
  checkDestination: CheckDestination
  sender: HttpSender
  secrets: SecretBox
}

/** Builds the service from its configuration; the only file that knows every adapter. */
export async function composeService(config: Config): Promise<Service> {
  const parts = await openParts(config)
  const { clock, storage, ids, log, limiter } = parts
  const tokens = createSessionTokens(config.jwtSecrets)
  const uses = createUseRecorders(parts)
  const limits = createRequestLimits({ limiter, settings: config.rateLimits })
  const { environment } = config
  const authenticator = createAuthenticator({ storage, tokens, clock, environment, limits })
  const events = composeEvents(config, parts, authenticator)
  shareCredentialChanges(parts, events)
  storage.onCommitted(wakeOnCommit(parts.queue))
  await listenToOthers(parts.notices, events)
  const scheduler = config.role === 'api' ? undefined : composeScheduler(parts)
  const apiParts = {
    ...parts,
    // A worker is asked for its health alone.
    operations: config.role === 'worker' ? [getHealth] : operations,
    services: composeServices(config, { ...parts, tokens }),
    authenticator,
    ...uses,
    running: new RunningRequests(),
    lostRaces: new LostRaces(),
    limits,
    streams: events.streams,
    uploads: createUploads(parts),
    trustProxyHops: config.trustProxyHops,
    cors: createCors(config.corsOrigins),
  }
  const served = mountOperations(apiParts)
  const { baseUrl, role } = config
  const api = role === 'worker' ? served : withApiDocs(served, { ...apiParts, baseUrl })
  return {
    api,
    endStreams: () => events.streams.end(),
    storage,
    attachments: parts.attachments,
    ids,
    tokens,
    log,
    async start() {
      tellOfSettings(config, log)
      uses.keyUses.start()
      uses.usage.start()
      events.sequencer?.start()
      await scheduler?.start()
    },
    async stop() {
      events.streams.end()
      await Promise.all([scheduler?.stop(), events.sequencer?.stop()])
      await parts.queue.stop()
      await Promise.all([uses.keyUses.stop(), uses.usage.stop()])
      await limiter.close()
      await parts.sender.close()
      passFaultPoint('during-shutdown')
      await parts.notices.close()
      await parts.attachments.close()
      await storage.close()
    },
  }
}

async function openParts(config: Config): Promise<Parts> {
  const clock = systemClock
  const log = createLog(config.logLevel)
  const storage = await openStorage(config.databaseUrl)
  const guard = createDestinationGuard({
    allowCidrs: config.webhookAllowCidrs,
    allowHttp: config.webhookAllowHttp,
  })
  return {
    clock,
    log,
    storage,
    attachments: await openAttachments(config.databaseUrl),
    ids: createIdFactory(clock.nowMs),
    ...(await connectProcesses(config, { storage, log, clock })),
    checkDestination: guard.checkDestination,
    sender: createHttpsSender({ guard, caFiles: config.webhookCaFile ? [config.webhookCaFile] : [] }),
    secrets: createSecretBox(config.secretsKeys),
  }
}

/** What the handlers may use. */
function composeServices(
  { registration, rateLimits }: Config,
  { clock, queue, limiter, ...parts }: Parts & Pick<Service, 'tokens'>,
): SystemServices {
  const startedMs = clock.nowMs()
  const { secrets, sender, checkDestination, tokens, attachments } = parts
  return {
    attachments,
    secrets,
    sender,
    checkDestination,
    invites: tokens,
    turns: createTurns(),
    version,
    passwords: createPasswords(),
    attempts: createSignInAttempts({ limiter, clock, isOn: rateLimits !== undefined }),
    tokens,
    registration,
    isQueueHealthy: () => queue.isHealthy(),
    uptimeSeconds: () => Math.round((clock.nowMs() - startedMs) / 1000),
  }
}

/** What an operator should not be surprised by. */
function tellOfSettings(config: Config, log: Logger): void {
  if (config.dev) log.info({}, 'Development: webhooks may go to this machine')
  if (config.rateLimits === undefined)
    log.warn({}, 'CRM_RATE_LIMITS is off: only the own limits of API keys hold')
}

/** Opens the bytes of attachments. Beside an SQLite file, so that the two are moved and backed up together; in the database where processes share one. */
export async function openAttachments(url: string): Promise<AttachmentStore> {
  if (url.startsWith('sqlite:')) {
    const folder = path.dirname(path.resolve(url.slice('sqlite:'.length)))
    return openDirectoryAttachmentStore(path.join(folder, 'attachments'))
  }
  const { openGridfsAttachmentStore } = await import('./adapters/mongo/gridfs-attachment-store.ts')
  return openGridfsAttachmentStore(url)
}

async function openStorage(url: string): Promise<Storage> {
  const storage = await (url.startsWith('sqlite:') ? openSqlite(url) : openMongo(url))
  try {
    await storage.migrate()
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Opens a database to copy from it, without changing it. */
export async function openTransferSource(url: string): Promise<TransferSource> {
  if (url.startsWith('sqlite:')) return openSqliteSource(url.slice('sqlite:'.length))
  const { openMongoSource } = await import('./adapters/mongo/mongo-transfer.ts')
  return openMongoSource(url)
}

/** Opens a database to copy into it, and brings its schema up to date. */
export async function openTransferTarget(url: string): Promise<TransferTarget> {
  if (url.startsWith('sqlite:')) return openSqliteTarget(url.slice('sqlite:'.length))
  const { openMongoTarget } = await import('./adapters/mongo/mongo-transfer.ts')
  return openMongoTarget(url)
}

function openSqlite(url: string): Promise<Storage> {
  return openSqliteStorage({ path: url.slice('sqlite:'.length) })
}

async function openMongo(url: string): Promise<Storage> {
  // Its driver takes as long to load as the rest of the service: who uses SQLite does not wait for it.
  const { openMongoStorage } = await import('./adapters/mongo/mongo-storage.ts')
  return openMongoStorage({ url })
}

type Between = Pick<Parts, 'queue' | 'notices' | 'limiter'>

/** How the processes of this installation reach each other; without Redis there is one, or each looks for itself. */
async function connectProcesses(
  { redisUrl }: Config,
  { storage, log, clock }: Pick<Parts, 'storage' | 'log' | 'clock'>,
): Promise<Between> {
  const local = createInProcessQueue()
  const ownCounts = createInProcessRateLimiter(clock)
  if (redisUrl === undefined) return { queue: local, notices: noNotices, limiter: ownCounts }
  const [{ openBullmqQueue }, { openRedisNotices }, { openRedisRateLimiter }] = await Promise.all([
    import('./adapters/bullmq/bullmq-queue.ts'),
    import('./adapters/redis/redis-notices.ts'),
    import('./adapters/redis/redis-rate-limiter.ts'),
  ])
  const installationId = await storage.system.installationId()
  const onError = (error: Error) => log.debug({ err: error }, 'A notice between processes failed')
  return {
    queue: openBullmqQueue({ url: redisUrl, installationId, local, log }),
    notices: openRedisNotices({ url: redisUrl, installationId, onError }),
    limiter: await openRedisRateLimiter({
      ...{ url: redisUrl, installationId, local: ownCounts, clock },
      onError: (error) => log.debug({ err: error }, 'Requests are counted in this process alone'),
    }),
  }
}

function composeScheduler(parts: Parts): Scheduler {
  const { storage, clock, ids, queue, log } = parts
  const deliveries = createDeliverDue({ ...parts, version })
  storage.onCommitted(deliveries.onCommitted)
  const snoozes = createWakeSnoozed({ storage, clock, ids })
  const taskSteps = {
    ...{
      releaseUser: releaseNextOfUser,
      moveConversations: moveNextConversations,
      emptyInbox: emptyNextOfInbox,
    },
    ...{ eraseCustomer: eraseNextOfCustomer, eraseConversation: eraseNextOfConversation },
  }
  const tasks = createRunTasks({ ...parts, holder: randomUUID(), steps: taskSteps })
  const sweep = createSweep({ system: storage.system, clock, holder: randomUUID() })
  const attachments = createRemoveDueAttachments(parts)
  const replanned = replanAfterSetback(deliveries, { system: storage.system, clock })
  const steps = { deliveries: replanned, snoozes, tasks, attachments, sweep }
  return createScheduler({ steps, queue, clock, log })
}
