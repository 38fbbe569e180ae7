import { type AnyOperation, Failure, type Operation, parseDuration } from '@crmkit/core'
import type { Actor } from '../../features/handler.ts'
import type { LimitSettings, LimitState, RateLimit, RateLimiter } from '../../ports/rate-limiter.ts'
import { addressGroup } from '../../shared/address-block.ts'
import { isoTime } from '../../shared/clock.ts'
import { networkLimitFactors } from '../../shared/limit-rules.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Authenticated } from '../credentials/authenticate.ts'

type CallResponse = LimitState | undefined | Promise<LimitState | undefined>

/** The limits of a request, and the count against them. */
export interface RequestLimits {
  /** The limits of a credential; worked out once for as long as it is known. */
  ofCredential(tenantId: TenantId, actor: Actor): readonly RateLimit[]
  /** Counts a request with a good credential. Undefined when nothing is limited. */
  take(caller: Authenticated, operation: AnyOperation, resourceId: string | undefined): CallResponse
  /** Counts a request without one against its address. */
  takeAnonymous(address: string, operation?: AnyOperation): CallResponse
}

interface Parts {
  limiter: RateLimiter
  /** Undefined: switched off, all but a key's own limit. */
  settings: LimitSettings | undefined
}

const minuteMs = 60_000

export function createRequestLimits({ limiter, settings }: Parts): RequestLimits {
  const take = (limits: readonly RateLimit[]): CallResponse =>
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
      const own = ownLimit(actor, id) ?? perMinute(actor.type === 'apiKey' ? 'key' : 'user', id)
      return [...own, ...perMinute('tenant', tenantId)]
    },
    take({ tenantId, actor, limits }, operation, resourceId) {
      const { limit } = operation as Operation
      if (limit === undefined) return take(limits)
      const id = limit.per === 'resource' ? (resourceId ?? '') : actor._id
      return take([...limits, ...ofOperation(operation, `${tenantId}:${id}`)])
    },
    takeAnonymous(address, operation) {
      if (settings === undefined) return undefined
      const { name, networks } = addressGroup(address)
      const limitsOf = (id: string) => [
        ...perMinute('address', id),
        ...(operation ? ofOperation(operation, id) : []),
      ]
      const wider = networks.flatMap((network) =>
        limitsOf(network.name).map((limit) => ({
          ...limit,
          requests: limit.requests * networkLimitFactors[network.prefix],
        })),
      )
      return take([...limitsOf(name), ...wider])
    },
  }
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
