import { tmpdir } from 'node:os'
import type { IdFactory } from '@crmkit/core'
import type { RequestHandler, Router } from 'express'
import type { Logger } from 'pino'
import { FairSlots } from '../../fairness/fair-slots.ts'
import { MailBudgets } from '../../fairness/mail-budgets.ts'
import { createAuthenticator } from '../../http/credentials/authenticate.ts'
import type { ApiParts } from '../../http/pipeline/api-parts.ts'
import type { ApiHandler } from '../../http/pipeline/mount-operations.ts'
import { createRequestLimits } from '../../http/pipeline/rate-limit.ts'
import { TenantQuotas } from '../../http/quotas/tenant-quotas.ts'
import { createUseRecorders, type UseRecorders } from '../../http/usage/use-recorders.ts'
import { createErasureRecords } from '../../jobs/record-erasures.ts'
import { type AppliedErasures, applyLedger, describeApplied } from '../../ledger/apply-ledger.ts'
import { createSmtpDoor, type SmtpDoor } from '../../mail/in/smtp-door/smtp-door.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { ErasureRecords } from '../../ports/erasure-ledger.ts'
import type { RequestLog } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import type { Storage } from '../../ports/storage.ts'
import { createSessionTokens } from '../../security/session-tokens.ts'
import { CommitListeners } from '../../shared/commit-listeners.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { removeLeftFolders } from '../../shared/work-folders.ts'
import type { DatabaseUpgraded } from '../../storage/errors.ts'
import type { Config } from '../config/config.ts'
import { composeScheduler } from './background.ts'
import { checkSecretsKey } from './check-secrets-key.ts'
import { schemaOf } from './databases.ts'
import { composeEvents, listenToCommits, listenToOthers } from './events.ts'
import { composeHttp } from './http.ts'
import { logCutLists } from './log-cut-lists.ts'
import { logDeactivations } from './log-deactivations.ts'
import { logLeftOutRows } from './log-left-out-rows.ts'
import { composeMetrics, countRequests } from './metrics.ts'
import { closeParts, openParts, type PartOptions, type Parts } from './parts.ts'
import { wakeOnCommit } from './wake-on-commit.ts'

/** The whole service, wired. */
export interface Service {
  readonly api: ApiHandler
  /** The page at `/`. */
  readonly landing: RequestHandler
  /** The API and the pages. */
  readonly router: Router
  /** Receives mail over SMTP; undefined where that is off. */
  readonly smtpDoor: SmtpDoor | undefined
  readonly storage: Storage
  readonly attachments: AttachmentStore
  readonly ids: IdFactory
  readonly erasures: ErasureRecords
  readonly ledger: Parts['ledger']
  readonly digests: Parts['digests']
  /** The erasures of the ledger that the database did not know at this start; undefined: none. */
  readonly applied: AppliedErasures | undefined
  readonly tokens: ReturnType<typeof createSessionTokens>
  /** `RunParts` for the import of a tenant by a command. The package has no types of imports. */
  readonly imports: object
  readonly log: Logger
  readonly requestLog: RequestLog
  /** Returns the metrics of this process as the text that Prometheus reads. */
  metrics(): Promise<string>
  /** Says in the health that the process is about to stop; everything else is served as before. */
  announceStop(): void
  /** Ends the event streams, which have no end of their own, and refuses new ones. */
  endStreams(): void
  /** Does at once what is done every 30 seconds about the availability of people, for a test that sets the clock. */
  noteWhoIsThere(): Promise<void>
  /** Starts the background jobs. */
  start(): Promise<void>
  /** Stops them and closes the storage. */
  stop(): Promise<void>
}

/** Builds the service from its configuration. */
export async function composeService(config: Config, options?: PartOptions): Promise<Service> {
  const { meters, ...parts } = countRequests(await openParts(config, options))
  const { clock, storage, ids, log, limiter, secrets } = parts
  const schema = await schemaOf(config.databaseUrl)
  const prepared = await prepareData(parts).catch(async (error: unknown) => {
    await closeParts(parts)
    throw error
  })
  const tokens = createSessionTokens(config.jwtSecrets)
  const uses = createUseRecorders({ ...parts, tokens })
  const limits = createRequestLimits({ limiter, settings: config.rateLimits })
  const { environment } = config
  const authenticator = createAuthenticator({ storage, tokens, clock, environment, limits, secrets })
  const upgrade = noteUpgrade(parts)
  const commits = new CommitListeners()
  storage.onCommitted(commits.notify)
  const events = composeEvents(config, { ...parts, commits, meters }, authenticator)
  listenToCommits({ ...parts, commits }, events)
  wakeOnCommit(commits, parts.queue)
  commits.add(['webhooks'], logDeactivations(log))
  const stopLogging = [logLeftOutRows(log, meters), logCutLists(log)]
  await listenToOthers(parts, events)
  const quotas = new TenantQuotas(storage, meters)
  const budgets = new MailBudgets({ ...parts, quotas, meters, mailsPerSender: config.mailsPerSender })
  commits.add(['inboundMails'], (commit) => budgets.note(commit))
  const scheduler =
    config.role === 'api'
      ? undefined
      : composeScheduler({ ...parts, commits, meters, quotas, budgets, ...prepared, live: events.live })
  const stopping = noteStopping()
  const http = composeHttp(config, {
    ...parts,
    ...stopping,
    upgrade,
    schema,
    meters,
    quotas,
    budgets,
    tokens,
    authenticator,
    limits,
    uses,
    streams: events.streams,
    live: events.live,
  })
  const metrics = composeMetrics(config, { ...parts, schema, meters, authenticator, streams: events.streams })
  return {
    ...http,
    ...prepared,
    smtpDoor: openSmtpDoor(config, { ...parts, meters, budgets }),
    ...controlsOf(events),
    announceStop: stopping.announceStop,
    storage,
    attachments: parts.attachments,
    imports: { ...parts, quotas, pages: new FairSlots(1) },
    ids,
    tokens,
    log,
    requestLog: parts.requestLog,
    metrics: () => metrics.text(),
    async start() {
      if (config.metrics !== undefined) metrics.start()
      await reportSettings(config, parts)
      parts.disk.start()
      startAll(uses)
      events.sequencer?.start()
      await scheduler?.start()
    },
    async stop() {
      events.streams.end()
      await events.live.stop()
      metrics.stop()
      await parts.disk.stop()
      await Promise.all([scheduler?.stop(), events.sequencer?.stop()])
      await parts.queue.stop()
      await stopAll(uses)
      await limiter.close()
      await parts.sender.close()
      passFaultPoint('during-shutdown')
      await parts.notices.close()
      await parts.attachments.close()
      await storage.close()
      for (const stop of stopLogging) stop()
      parts.requestLog.flush()
    },
  }
}

function noteStopping() {
  let isAnnounced = false
  return {
    isStopping: () => isAnnounced,
    announceStop: () => {
      isAnnounced = true
    },
  }
}

function controlsOf({ streams, live }: ReturnType<typeof composeEvents>) {
  return { endStreams: () => streams.end(), noteWhoIsThere: () => live.noteWhoIsThere() }
}

/** A process that was killed cannot remove its temporary folders, which hold data of people. */
async function removeLeft(log: Logger): Promise<void> {
  try {
    const count = await removeLeftFolders(tmpdir())
    if (count > 0) log.info({ count }, 'Temporary folders of processes that have ended were removed')
  } catch (err) {
    log.warn({ err }, 'Temporary folders of processes that have ended cannot be looked for')
  }
}

type Prepared = Pick<Service, 'applied' | 'erasures' | 'ledger' | 'digests'>

/** Before the first request: nobody reads an erased person whom a restore has brought back. */
async function prepareData({ ledger, ...parts }: Parts): Promise<Prepared> {
  const { storage, secrets, clock, log, digests } = parts
  await removeLeft(log)
  await checkSecretsKey({ storage, secrets, nowMs: clock.nowMs() })
  const applied = ledger && (await applyLedger({ ...parts, ledger }))
  for (const sentence of applied ? describeApplied(applied) : []) log.warn({}, sentence)
  const erasures = createErasureRecords({ ...parts, ledger, system: storage.system })
  return { applied, erasures, ledger, digests }
}

/** Keeps and logs that the database was upgraded under this process, which then refuses every request. */
function noteUpgrade({ storage, log }: Pick<Parts, 'storage' | 'log'>): ApiParts['upgrade'] {
  const upgrade: { found: DatabaseUpgraded | undefined } = { found: undefined }
  void storage.upgraded.then((found) => {
    upgrade.found = found
    log.fatal({}, `This process serves no longer: ${found.message}`)
  })
  return upgrade
}

/** A worker serves nobody. */
function openSmtpDoor(
  { role, mail }: Config,
  parts: Parts & { meters: Meters; budgets: MailBudgets },
): SmtpDoor | undefined {
  const { door } = mail
  return role === 'worker' || door === undefined ? undefined : createSmtpDoor({ ...parts, ...door })
}

/** Writes everything that the recorders have counted. */
function startAll({ keyUses, requests, identityAudit, passwordResets }: UseRecorders): void {
  keyUses.start()
  requests.start()
  identityAudit.start()
  passwordResets.start()
}

async function stopAll({ keyUses, requests, identityAudit, passwordResets }: UseRecorders): Promise<void> {
  // Their notes are for the audit log, and for the last use of keys.
  await Promise.all([passwordResets.stop(), requests.stop()])
  await Promise.all([keyUses.stop(), identityAudit.stop()])
}

/** Logs the settings that could surprise an operator. */
async function reportSettings(
  config: Config,
  { log, storage }: Pick<Parts, 'log' | 'storage'>,
): Promise<void> {
  if (config.dev) log.info({}, 'Development: webhooks may go to this machine')
  for (const warning of config.warnings) log.warn({}, warning)
  for (const advice of await storage.advice()) log.warn({}, advice)
  if (config.rateLimits === undefined)
    log.warn({}, 'CRM_RATE_LIMITS is off: only the limits of single API keys apply')
}
