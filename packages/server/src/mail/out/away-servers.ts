import { type InboxEmail, noEmailSettings } from '@crmkit/core'
import type { MailResult } from '../../ports/mail-sender.ts'

/** How often a server that is away is tried, each time with one mail. */
export const probeEveryMs = 15_000
const minuteMs = 60_000
/** How long nobody signs in after so many refusals in a row: providers lock an account after five to ten of them. */
const refusedWaitsMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs]
/** A server that is there and refuses or cuts is tried ever more rarely, up to this. */
const cutWaitMaxMs = 5 * minuteMs
/** Other credentials are other attempts: a queue that waits is read so often, for them. */
const lookEveryMs = minuteMs
/** So many attempts in a row must have failed: a server that ends one connection in a while is not away. */
const failuresMin = 3
/** A server that no mail has waited for since then is forgotten. */
const forgetAfterMs = 3_600_000

interface Failing {
  failedAtMs: number
  failures: number
  isRefused: boolean
  waitMs: number
  probeAtMs: number
}

/**
 * The mail servers that this process could not reach. While a server is away one mail is tried at intervals and all
 * others wait untouched, so that a long queue costs one connection each time and leaves as soon as the server is back.
 */
export class AwayServers {
  /** The failures in a row of each, and when it is tried next, ms since 1970. */
  readonly #failing = new Map<string, Failing>()

  has(server: string): boolean {
    return this.#awayOf(server) !== undefined
  }

  /** Whether the server refuses the sign-in: that is no fault of a mail, which then waits longer. */
  isRefusing(server: string): boolean {
    return this.#awayOf(server)?.isRefused === true
  }

  /**
   * Somebody has signed in to the server at this moment: what failed before says nothing any more. Returns whether it was
   * away until now.
   */
  noteReached(server: string, atMs: number): boolean {
    return this.wasReached(server, atMs) && this.#failing.delete(server)
  }

  /** Whether a server that is away let somebody in at this moment, after its last failure. */
  wasReached(server: string, atMs: number): boolean {
    const known = this.#failing.get(server)
    return known !== undefined && known.failedAtMs < atMs
  }

  /** Whether no server has failed lately, as far as this process knows. */
  get isEmpty(): boolean {
    return this.#failing.size === 0
  }

  /** When a server that refuses or cuts is tried next, ms since 1970; null for one that is tried all the time. */
  nextTryMs(server: string): number | null {
    const away = this.#awayOf(server)
    return away === undefined || away.waitMs <= probeEveryMs ? null : away.probeAtMs
  }

  /** Returns how many of so many due mails may be tried now, and when the others may; null for no such time. */
  take(
    server: string,
    { due, nowMs }: { due: number; nowMs: number },
  ): { count: number; nextAtMs: number | null } {
    const away = this.#awayOf(server)
    if (away === undefined || due === 0) return { count: due, nextAtMs: null }
    const { probeAtMs, waitMs } = away
    // A clock that was set back does not make the wait longer.
    const isWaiting = nowMs < probeAtMs && probeAtMs <= nowMs + waitMs
    const nextAtMs = (atMs: number) => Math.min(atMs, nowMs + lookEveryMs)
    if (isWaiting) return { count: 0, nextAtMs: nextAtMs(probeAtMs) }
    this.#failing.set(server, { ...away, probeAtMs: nowMs + waitMs })
    return { count: 1, nextAtMs: due === 1 ? null : nextAtMs(nowMs + waitMs) }
  }

  /** Notes the result of an attempt. */
  note(server: string, result: Pick<MailResult, 'outcome' | 'wasConnected'>, nowMs: number): void {
    if (!saysNothing(result)) this.#failing.delete(server)
    else this.#fail(server, result, nowMs)
  }

  #awayOf(server: string): Failing | undefined {
    const known = this.#failing.get(server)
    return known !== undefined && (known.isRefused || known.failures >= failuresMin) ? known : undefined
  }

  #fail(
    server: string,
    { outcome, wasConnected }: Pick<MailResult, 'outcome' | 'wasConnected'>,
    nowMs: number,
  ): void {
    for (const [name, { probeAtMs }] of this.#failing)
      if (probeAtMs < nowMs - forgetAfterMs) this.#failing.delete(name)
    const isRefused = outcome === 'refused_sign_in'
    const before = this.#failing.get(server)
    const failures = before?.isRefused === isRefused ? before.failures + 1 : 1
    const waitMs = isRefused ? refusedWaitMs(failures) : wasConnected ? cutWaitMs(failures) : probeEveryMs
    this.#failing.set(server, { failures, isRefused, failedAtMs: nowMs, waitMs, probeAtMs: nowMs + waitMs })
  }
}

/** The server said nothing about the mail. */
export function saysNothing({ outcome }: Pick<MailResult, 'outcome'>): boolean {
  return outcome === 'unreachable' || outcome === 'refused_sign_in'
}

function refusedWaitMs(failures: number): number {
  return refusedWaitsMs[failures - 1] ?? refusedWaitsMs.at(-1) ?? minuteMs
}

/** The first failures in a row are tried as often as a server that is away: it is not known to be one yet. */
function cutWaitMs(failures: number): number {
  return Math.min(probeEveryMs * 2 ** Math.max(0, failures - failuresMin), cutWaitMaxMs)
}

/**
 * Returns the name of the server that a queue of mail leaves by. Only the relay is shared by tenants: a wrong password of one
 * tenant never stops the mail of another one. Mail that has no server waits under the name of its queue.
 */
export function serverName(
  { tenantId, queueId }: { tenantId: string; queueId: string },
  inbox: { email?: InboxEmail | undefined; mailSecrets?: string | null | undefined } | undefined,
): string {
  const { transport, smtp } = inbox?.email ?? noEmailSettings
  // System mail is queued under its tenant.
  if (transport === 'relay' || queueId === tenantId) return 'relay'
  if (transport === 'none' || smtp === null) return queueId
  return JSON.stringify([tenantId, smtp.host, smtp.port, smtp.user, inbox?.mailSecrets ?? null])
}
