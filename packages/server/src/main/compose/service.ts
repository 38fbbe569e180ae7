import type { IdFactory } from '@crmkit/core'
import type { RequestHandler, Router } from 'express'
import type { Logger } from 'pino'
import { createAuthenticator } from '../../http/credentials/authenticate.ts'
import type { ApiHandler } from '../../http/pipeline/mount-operations.ts'
import { createRequestLimits } from '../../http/pipeline/rate-limit.ts'
import { TenantQuotas } from '../../http/quotas/tenant-quotas.ts'
import { createUseRecorders, type UseRecorders } from '../../http/usage/record-uses.ts'
import { wakeOnCommit } from '../../jobs/wake-on-commit.ts'
import { createSmtpDoor, type SmtpDoor } from '../../mail/smtp-door/smtp-door.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { RequestLog } from '../../ports/log.ts'
import type { Storage } from '../../ports/storage.ts'
import { createSessionTokens } from '../../security/session-tokens.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import type { Config } from '../config.ts'
import { composeScheduler } from './background.ts'
import { checkSecretsKey } from './check-secrets-key.ts'
import { composeEvents, listenToOthers, shareCredentialChanges } from './events.ts'
import { composeHttp } from './http.ts'
import { logDeactivations } from './log-deactivations.ts'
import { logLeftOutRows } from './log-left-out-rows.ts'
import { composeMetrics, countRequests } from './metrics.ts'
import { closeParts, openParts, type PartOptions, type Parts, schemaOf } from './parts.ts'

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
  readonly tokens: ReturnType<typeof createSessionTokens>
  readonly log: Logger
  readonly requestLog: RequestLog
  /** Returns the metrics of this process as the text that Prometheus reads. */
  metrics(): Promise<string>
  /** Ends the event streams, which have no end of their own, and refuses new ones. */
  endStreams(): void
  /** Starts the background jobs. */
  start(): Promise<void>
  /** Stops them and closes the storage. */
  stop(): Promise<void>
}

/** Builds the service from its configuration. */
export async function composeService(config: Config, options?: PartOptions): Promise<Service> {
  const { meters, ...parts } = countRequests(await openParts(config, options))
  const { clock, storage, ids, log, limiter } = parts
  const schema = await schemaOf(config.databaseUrl)
  await checkSecretsKey({ storage, secrets: parts.secrets, nowMs: clock.nowMs() }).catch(
    async (error: unknown) => {
      await closeParts(parts)
      throw error
    },
  )
  const tokens = createSessionTokens(config.jwtSecrets)
  const uses = createUseRecorders({ ...parts, tokens })
  const limits = createRequestLimits({ limiter, settings: config.rateLimits })
  const { environment } = config
  const { secrets } = parts
  const authenticator = createAuthenticator({ storage, tokens, clock, environment, limits, secrets })
  const events = composeEvents(config, { ...parts, meters }, authenticator)
  shareCredentialChanges(parts, events)
  storage.onCommitted(wakeOnCommit(parts.queue))
  storage.onCommitted(logDeactivations(log))
  const stopLoggingRows = logLeftOutRows(log, meters)
  await listenToOthers(parts.notices, events)
  const quotas = new TenantQuotas(storage, meters)
  const scheduler =
    config.role === 'api' ? undefined : composeScheduler({ ...parts, meters, quotas, live: events.live })
  const http = composeHttp(config, {
    ...parts,
    schema,
    meters,
    quotas,
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
    smtpDoor: openSmtpDoor(config, parts),
    endStreams: () => events.streams.end(),
    storage,
    attachments: parts.attachments,
    ids,
    tokens,
    log,
    requestLog: parts.requestLog,
    metrics: () => metrics.text(),
    async start() {
      if (config.metrics !== undefined) metrics.start()
      await reportSettings(config, parts)
      parts.disk.start()
      uses.keyUses.start()
      uses.usage.start()
      uses.metrics.start()
      uses.identityAudit.start()
      uses.passwordResets.start()
      events.sequencer?.start()
      await scheduler?.start()
    },
    async stop() {
      events.streams.end()
      events.live.stop()
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
      stopLoggingRows()
      parts.requestLog.flush()
    },
  }
}

/** A worker serves nobody. */
function openSmtpDoor({ role, mail }: Config, parts: Parts): SmtpDoor | undefined {
  const { door } = mail
  return role === 'worker' || door === undefined ? undefined : createSmtpDoor({ ...parts, ...door })
}

/** Writes everything that the recorders have counted. */
async function stopAll({
  keyUses,
  usage,
  metrics,
  identityAudit,
  passwordResets,
}: UseRecorders): Promise<void> {
  // Its notes are for the audit log.
  await passwordResets.stop()
  await Promise.all([keyUses.stop(), usage.stop(), metrics.stop(), identityAudit.stop()])
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
