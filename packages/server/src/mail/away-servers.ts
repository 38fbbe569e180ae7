import { type InboxEmail, noEmailSettings } from '@crmkit/core'

/** How often a server that is away is tried, each time with one mail. */
export const probeEveryMs = 15_000
/** So many attempts in a row must have failed: a server that ends one connection in a while is not away. */
const failuresMin = 3
/** A server that no mail has waited for since then is forgotten. */
const forgetAfterMs = 3_600_000

/**
 * The mail servers that this process could not reach. While a server is away one mail is tried at intervals and all
 * others wait untouched, so that a long queue costs one connection each time and leaves as soon as the server is back.
 */
export class AwayServers {
  /** The failures in a row of each, and when it is tried next, ms since 1970. */
  readonly #failing = new Map<string, { failures: number; probeAtMs: number }>()

  has(server: string): boolean {
    return this.#probeOf(server) !== undefined
  }

  /** Returns how many of so many due mails may be tried now, and when the others may; null for no such time. */
  take(
    server: string,
    { due, nowMs }: { due: number; nowMs: number },
  ): { count: number; nextAtMs: number | null } {
    const probeAtMs = this.#probeOf(server)
    if (probeAtMs === undefined || due === 0) return { count: due, nextAtMs: null }
    // A clock that was set back does not make the wait longer.
    const isWaiting = nowMs < probeAtMs && probeAtMs <= nowMs + probeEveryMs
    if (isWaiting) return { count: 0, nextAtMs: probeAtMs }
    this.#failing.set(server, { failures: failuresMin, probeAtMs: nowMs + probeEveryMs })
    return { count: 1, nextAtMs: due === 1 ? null : nowMs + probeEveryMs }
  }

  /** Notes the end of an attempt: whether the server could be reached. */
  note(server: string, { isReached, nowMs }: { isReached: boolean; nowMs: number }): void {
    if (isReached) this.#failing.delete(server)
    else this.#fail(server, nowMs)
  }

  #probeOf(server: string): number | undefined {
    const known = this.#failing.get(server)
    return known !== undefined && known.failures >= failuresMin ? known.probeAtMs : undefined
  }

  #fail(server: string, nowMs: number): void {
    for (const [name, { probeAtMs }] of this.#failing)
      if (probeAtMs < nowMs - forgetAfterMs) this.#failing.delete(name)
    const failures = (this.#failing.get(server)?.failures ?? 0) + 1
    this.#failing.set(server, { failures, probeAtMs: nowMs + probeEveryMs })
  }
}

/**
 * Returns the name of the server that a queue of mail leaves by. Only the relay is shared by tenants: a wrong password of one
 * tenant never stops the mail of another one. Mail that has no server waits under the name of its queue.
 */
export function serverName(
  { tenantId, queueId }: { tenantId: string; queueId: string },
  inbox: { email?: InboxEmail | undefined } | undefined,
): string {
  const { transport, smtp } = inbox?.email ?? noEmailSettings
  // System mail is queued under its tenant.
  if (transport === 'relay' || queueId === tenantId) return 'relay'
  if (transport === 'none' || smtp === null) return queueId
  return JSON.stringify([tenantId, smtp.host, smtp.port, smtp.user])
}
