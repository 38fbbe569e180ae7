import { getHealth, getLiveness, operations } from '@crmkit/core'
import express, { type RequestHandler, type Router } from 'express'
import type { MailBudgets } from '../../fairness/mail-budgets.ts'
import { createRoundRobin } from '../../features/conversations/choose-assignee.ts'
import type { SystemServices } from '../../features/system-handler.ts'
import { boundReplies } from '../../http/backpressure/bound-replies.ts'
import { DownloadSlots } from '../../http/backpressure/download-slots.ts'
import { callbackPrefix, createProviderCallbacks } from '../../http/callbacks/provider-callbacks.ts'
import type { Authenticator } from '../../http/credentials/authenticate.ts'
import { createEventDoor, eventPrefix } from '../../http/inbound/event-door.ts'
import { createMailDoor, mailPrefix } from '../../http/inbound/mail-door.ts'
import { createAccountPages } from '../../http/pages/account/serve-account.ts'
import { createApiDocsPages } from '../../http/pages/api-docs/serve-api-docs.ts'
import { createConsolePages } from '../../http/pages/console/serve-console.ts'
import { createDevMailPages } from '../../http/pages/dev-mail/serve-dev-mail.ts'
import { createFilePages } from '../../http/pages/files/serve-files.ts'
import { createLandingPage } from '../../http/pages/landing/serve-landing.ts'
import { createSignInCallbacks } from '../../http/pages/sign-in-callback/serve-callback.ts'
import { createStopPages } from '../../http/pages/widget/serve-stop.ts'
import { createWidgetPages } from '../../http/pages/widget/serve-widget.ts'
import type { ApiParts as PipelineParts } from '../../http/pipeline/api-parts.ts'
import { RunningRequests } from '../../http/pipeline/idempotency.ts'
import { type ApiHandler, mountOperations } from '../../http/pipeline/mount-operations.ts'
import type { RequestLimits } from '../../http/pipeline/rate-limit.ts'
import { ConflictRetries } from '../../http/pipeline/retry-conflicts.ts'
import type { TenantQuotas } from '../../http/quotas/tenant-quotas.ts'
import { createUploads } from '../../http/request/uploads.ts'
import { createCors } from '../../http/response/cors.ts'
import { createServiceRouter, serveByPath } from '../../http/router.ts'
import type { OpenStreams } from '../../http/streams/open-streams.ts'
import type { UseRecorders } from '../../http/usage/use-recorders.ts'
import type { LiveHub } from '../../live/live-hub.ts'
import { createProvenAddresses } from '../../mail/addresses/proven-addresses.ts'
import { createMailParser } from '../../mail/parser-process/mail-parser.ts'
import type { Meters } from '../../ports/meters.ts'
import { createPasswords } from '../../security/passwords.ts'
import type { createSessionTokens } from '../../security/session-tokens.ts'
import { createSignInAttempts } from '../../security/sign-in-attempts.ts'
import { commit, version } from '../../shared/version.ts'
import type { Config } from '../config/config.ts'
import type { Parts } from './parts.ts'

/** The parts of the API that outlive a request and are shared with the rest of the service. */
export interface ApiParts extends Parts {
  /** Schema of the database that this version works with. */
  schema: number
  tokens: ReturnType<typeof createSessionTokens>
  authenticator: Authenticator
  limits: RequestLimits
  uses: UseRecorders
  streams: OpenStreams
  meters: Meters
  live: LiveHub
  quotas: TenantQuotas
  budgets: MailBudgets
  upgrade: PipelineParts['upgrade']
  isStopping: SystemServices['isStopping']
}

/** The API as a function of a request, and the router that also serves the pages. */
export function composeHttp(
  config: Config,
  { uses, quotas, ...parts }: ApiParts,
): { api: ApiHandler; landing: RequestHandler; router: Router } {
  const { role, baseUrl } = config
  const apiParts = {
    ...parts,
    ...uses,
    // A worker serves its health alone.
    operations: role === 'worker' ? [getHealth, getLiveness] : operations,
    services: composeServices(config, { ...parts, uses, quotas }),
    running: new RunningRequests(),
    conflictRetries: new ConflictRetries(),
    downloads: new DownloadSlots(),
    quotas,
    uploads: createUploads({ ...parts, quotas }),
    trustedProxies: config.trustedProxies,
    ownOrigin: baseUrl === undefined ? undefined : new URL(baseUrl).origin,
    basePath: baseUrl === undefined ? undefined : new URL(baseUrl).pathname.replace(/\/$/, ''),
    cors: createCors(config.corsOrigins),
  }
  const doorParts = { ...apiParts, relayEvents: config.mail.relayEvents }
  const serveOperations = boundReplies(mountOperations(apiParts), apiParts)
  const api = serveByPath(serveOperations, role === 'worker' ? {} : composeDoors(doorParts, baseUrl))
  const pages = express.Router()
  if (role !== 'worker') {
    pages.use(createApiDocsPages({ ...apiParts, baseUrl }))
    pages.use(createAccountPages({ ...apiParts, baseUrl }))
    pages.use(createFilePages({ ...apiParts, baseUrl }))
    pages.use(createStopPages({ ...apiParts, baseUrl }))
    pages.use(createWidgetPages({ ...apiParts, baseUrl }))
    if (config.console) pages.use(createConsolePages({ ...apiParts, baseUrl }))
    const { keptMail } = parts
    if (keptMail !== undefined) pages.use(createDevMailPages({ ...apiParts, baseUrl, keptMail }))
  }
  const hasConsole = role !== 'worker' && config.console
  const ping = () => parts.storage.system.ping()
  const landing = createLandingPage({ ...apiParts, baseUrl, version, ping, hasConsole })
  return { api, landing, router: createServiceRouter(api, { pages, landing }) }
}

type DoorParts = Omit<
  Parameters<typeof createProviderCallbacks>[0] & Parameters<typeof createSignInCallbacks>[0],
  'baseUrl'
> &
  Omit<Parameters<typeof createMailDoor>[0], 'parser'> &
  Parameters<typeof createEventDoor>[0]

/** The handlers under `/api/` that serve no operation, by their paths; a path with a slash at its end is a prefix. */
function composeDoors(parts: DoorParts, baseUrl: string | undefined): Readonly<Record<string, ApiHandler>> {
  return {
    [callbackPrefix]: boundReplies(createProviderCallbacks({ ...parts, baseUrl }), parts),
    [mailPrefix]: boundReplies(createMailDoor({ ...parts, parser: createMailParser() }), parts),
    [eventPrefix]: boundReplies(createEventDoor(parts), parts),
    ...createSignInCallbacks({ ...parts, baseUrl }),
  }
}

/** Makes the services that handlers may use. */
function composeServices(
  { registration, needsSetupToken, rateLimits }: Config,
  { clock, queue, limiter, uses, quotas, ...parts }: ApiParts,
): SystemServices {
  const startedMs = clock.nowMs()
  const { secrets, sender, sources, checkDestination, tokens, attachments, disk, telephony, openScratch } =
    parts
  const { mail, mailSender, mailSource, mailSignIns, mailTokens, dns, isStopping } = parts
  return {
    attachments,
    openScratch,
    secrets,
    sender,
    sources,
    checkDestination,
    invites: tokens,
    roundRobin: createRoundRobin(),
    telephony,
    mail,
    mailSender,
    mailSource,
    mailSignIns,
    mailTokens,
    dns,
    provenAddresses: createProvenAddresses({ ...parts, clock }),
    presence: parts.live,
    version,
    schema: parts.schema,
    commit,
    passwords: createPasswords(),
    attempts: createSignInAttempts({
      limiter,
      clock,
      isOn: rateLimits !== undefined,
      onFailure: (identityIds) => uses.identityAudit.note({ action: 'user.signInFailed', identityIds }),
      onWait: (identityIds) => parts.log.warn({ identityIds }, 'Sign-ins wait after too many failures'),
    }),
    tokens,
    quotas,
    registration,
    needsSetupToken,
    isDiskFull: () => disk.isFull(),
    isStopping,
    isQueueHealthy: () => queue.isHealthy(),
    uptimeSeconds: () => Math.round((clock.nowMs() - startedMs) / 1000),
  }
}
