import { type AnyOperation, Failure, type Operation, parseDuration } from '@crmkit/core'
import type { Actor } from '../../features/caller.ts'
import type { LimitSettings, LimitState, RateLimit, RateLimiter } from '../../ports/rate-limiter.ts'
import { addressGroup } from '../../shared/address-block.ts'
import { isoTime } from '../../shared/clock.ts'
import { networkLimitFactors } from '../../shared/limit-rules.ts'
import { limitOf, unlimited, visitorTextBytesPerDay } from '../../storage/kinds/quotas.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'

export type Taken = LimitState | undefined | Promise<LimitState | undefined>

/** The limits of a request, and the count against them. */
export interface RequestLimits {
  /** The limits of a credential; worked out once for as long as it is known. */
  ofCredential(tenantId: TenantId, actor: Actor): readonly RateLimit[]
  /** The same for the session of a visitor. */
  ofVisitor(tenantId: TenantId, sessionId: string): readonly RateLimit[]
  /** Counts a request with a good credential. Undefined when nothing is limited. */
  take(caller: Authenticated, operation: AnyOperation, resourceId: string | undefined): Taken
  /** Counts a request of a visitor with its bytes: a message, or a file, against the day of its address too. */
  takeOfVisitor(
    caller: Authenticated,
    operation: AnyOperation,
    sent: { address: string; bytes: number },
  ): Taken
  /** Counts a request without one against its address. */
  takeAnonymous(address: string, operation?: AnyOperation): Taken
  /** Counts a new session of a visitor: an anonymous one against its address and its tenant, a signed one against its person. */
  takeWidgetSession(of: { address: string; tenantId: TenantId } | { personId: string }): Taken
}

interface Parts {
  limiter: RateLimiter
  /** Undefined: switched off, all but a key's own limit. */
  settings: LimitSettings | undefined
}

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Source: widget 7. Many people write from one address: beyond the first of an hour one more in each pause may begin. */
const widgetSessions = { perHour: 20, pauseMs: 12_000, ofTenantPerMinute: 60 }
const mebi = 1024 * 1024
/** Of visitors on a day that begins with the first of their requests. A longer body than a text can have is refused. */
const visitorBytes = {
  text: { address: 20 * mebi, max: 64 * 1024 },
  file: { address: 50 * mebi },
}
/** The owner of a tenant makes and revokes keys whatever its other credentials use. */
const keyPaths = '/api/tenant/api-keys'
const visitorRequestsPerMinute = 120

export function createRequestLimits({ limiter, settings }: Parts): RequestLimits {
  const take = (limits: readonly RateLimit[]): Taken =>
    limits.length === 0 ? undefined : limiter.take(limits)

  function perMinute(name: keyof LimitSettings, id: string): RateLimit[] {
    const requests = settings?.[name] ?? 0
    return requests === 0 ? [] : [{ name, cell: `${name}:${id}`, requests, windowMs: minuteMs }]
  }

  function ofOperation(operation: AnyOperation, id: string): RateLimit[] {
    const { limit } = operation as Operation
    if (limit === undefined || settings === undefined) return []
    const { name, windowSeconds } = limit
    const requests = name === 'login' ? settings.login : limit.requests
    return requests === 0 ? [] : [{ name, cell: `${name}:${id}`, requests, windowMs: windowSeconds * 1000 }]
  }

  return {
    ofCredential(tenantId, actor) {
      const id = `${tenantId}:${actor._id}`
      // People before programs: what keys use up is not taken from the team.
      if (actor.type !== 'apiKey') return [...perMinute('user', id), ...perMinute('people', tenantId)]
      return [...(ownLimit(actor, id) ?? perMinute('key', id)), ...perMinute('tenant', tenantId)]
    },
    ofVisitor(tenantId, sessionId) {
      if (settings === undefined) return []
      // Not the tenant's own limit too: strangers would use up what its team needs.
      const cell = `visitor:${tenantId}:${sessionId}`
      return [{ name: 'visitor', cell, requests: visitorRequestsPerMinute, windowMs: minuteMs }]
    },
    take({ tenantId, actor, limits }, operation, resourceId) {
      const { limit, path } = operation as Operation
      const held = path.startsWith(keyPaths) ? limits.filter(({ name }) => name !== 'people') : limits
      if (limit === undefined) return take(held)
      const id = limit.per === 'resource' ? (resourceId ?? '') : actor._id
      return take([...held, ...ofOperation(operation, `${tenantId}:${id}`)])
    },
    takeOfVisitor({ tenantId, tenantLimits, actor, limits }, operation, { address, bytes }) {
      const { limit, upload } = operation as Operation
      // Messages have a limit of their own instead of the one of all other requests.
      const isMessage = limit?.name === 'widgetMessages'
      const own = [...(isMessage ? [] : limits), ...ofOperation(operation, `${tenantId}:${actor._id}`)]
      if (settings === undefined || (!isMessage && upload === undefined)) return take(own)
      const { text, file } = visitorBytes
      const perDay = (name: string, id: string, most: number, amount: number): RateLimit => ({
        name,
        cell: `${name}:${id}`,
        requests: most,
        windowMs: dayMs,
        amount,
      })
      if (upload !== undefined) {
        const amount = Math.min(bytes, upload.bytesMax)
        return take([
          ...own,
          ...perAddress(address, (id) => [perDay('visitorFileBytes', id, file.address, amount)]),
        ])
      }
      const name = visitorTextBytesPerDay
      const amount = Math.min(bytes, text.max)
      const ofTenant = limitOf(name, tenantLimits)
      return take([
        ...own,
        ...(ofTenant === unlimited ? [] : [perDay(name, `tenant ${tenantId}`, ofTenant, amount)]),
        ...perAddress(address, (id) => [perDay(name, id, text.address, amount)]),
      ])
    },
    takeAnonymous(address, operation) {
      if (settings === undefined) return undefined
      return take(
        perAddress(address, (id) => [
          ...perMinute('address', id),
          ...(operation ? ofOperation(operation, id) : []),
        ]),
      )
    },
    async takeWidgetSession(of) {
      if (settings === undefined) return undefined
      const limit = (id: string, requests: number, windowMs: number): RateLimit => ({
        name: 'widgetSessions',
        cell: `widgetSessions:${id}`,
        requests,
        windowMs,
      })
      const { perHour, pauseMs, ofTenantPerMinute } = widgetSessions
      if ('personId' in of) return take([limit(`person ${of.personId}`, perHour, hourMs)])
      const { address, tenantId } = of
      const ofTenant = limit(`tenant ${tenantId}`, ofTenantPerMinute, minuteMs)
      const first = await take([ofTenant, ...perAddress(address, (id) => [limit(id, perHour, hourMs)])])
      if (!first?.isRefused || first.limit === ofTenant) return first
      return take([ofTenant, ...perAddress(address, (id) => [limit(`${id} later`, 1, pauseMs)])])
    },
  }
}

/** Returns the limits of an address, and wider ones of the networks around it. */
function perAddress(address: string, limitsOf: (id: string) => RateLimit[]): RateLimit[] {
  const { name, networks } = addressGroup(address)
  const wider = networks.flatMap((network) =>
    limitsOf(network.name).map((limit) => ({
      ...limit,
      requests: limit.requests * networkLimitFactors[network.prefix],
    })),
  )
  return [...limitsOf(name), ...wider]
}

/** A key's own limit takes the place of the default one, and holds where that is switched off. */
function ownLimit(actor: Actor, id: string): RateLimit[] | undefined {
  const own = actor.type === 'apiKey' ? actor.apiKey.rateLimit : null
  if (own === null) return undefined
  const windowMs = (parseDuration(own.window) ?? 60) * 1000
  return [{ name: 'key', cell: `key:${id}`, requests: own.requests, windowMs }]
}

export function tooManyRequests(state: LimitState): Failure {
  const seconds = secondsLeft(state)
  return new Failure('RATE_LIMIT_EXCEEDED', `Too many requests; try again in ${seconds} s`, {
    extra: { limit: state.limit.requests, resetAt: isoTime(state.resetAtMs) },
    headers: { 'Retry-After': `${seconds}` },
  })
}

/** The space of an address is free again when its day is over. */
export function spaceUsedUp({ limit: { name, requests: limit }, remaining }: LimitState): Failure {
  const details = { name, limit, used: limit - remaining }
  return new Failure('QUOTA_EXCEEDED', `This address uses ${details.used} of at most ${limit} bytes a day`, {
    details,
  })
}

/** Rounded up: a client that waits this long is let through. */
function secondsLeft({ resetInMs }: LimitState): number {
  return Math.ceil(resetInMs / 1000)
}

/** Both forms: the common one, and the IETF draft's. */
export function limitHeaders(state: LimitState): Record<string, string> {
  const { limit, remaining, resetAtMs } = state
  const { name, requests, windowMs } = limit
  return {
    'X-RateLimit-Limit': `${requests}`,
    'X-RateLimit-Remaining': `${remaining}`,
    'X-RateLimit-Reset': `${Math.ceil(resetAtMs / 1000)}`,
    'RateLimit-Policy': `"${name}";q=${requests};w=${windowMs / 1000}`,
    RateLimit: `"${name}";r=${remaining};t=${secondsLeft(state)}`,
  }
}
