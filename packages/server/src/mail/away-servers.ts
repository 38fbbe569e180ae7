import { type InboxEmail, noEmailSettings } from '@crmkit/core'

/** How often a server that is away is tried, each time with one mail. */
export const probeEveryMs = 15_000
/** A server that no mail has waited for since then is forgotten. */
const forgetAfterMs = 3_600_000

/**
 * The mail servers that this process could not reach. While a server is away one mail is tried at intervals and all
 * others wait untouched, so that a long queue costs one connection each time and leaves as soon as the server is back.
 */
export class AwayServers {
  /** When each is tried next, ms since 1970. */
  readonly #probeAtMs = new Map<string, number>()

  has(server: string): boolean {
    return this.#probeAtMs.has(server)
  }

  /** Returns how many of so many due mails may be tried now, and when the others may; null for no such time. */
  take(
    server: string,
    { due, nowMs }: { due: number; nowMs: number },
  ): { count: number; nextAtMs: number | null } {
    const probeAtMs = this.#probeAtMs.get(server)
    if (probeAtMs === undefined || due === 0) return { count: due, nextAtMs: null }
    // A clock that was set back does not make the wait longer.
    const isWaiting = nowMs < probeAtMs && probeAtMs <= nowMs + probeEveryMs
    if (isWaiting) return { count: 0, nextAtMs: probeAtMs }
    this.#probeAtMs.set(server, nowMs + probeEveryMs)
    return { count: 1, nextAtMs: due === 1 ? null : nowMs + probeEveryMs }
  }

  /** Notes the end of an attempt: whether the server could be reached. */
  note(server: string, { isReached, nowMs }: { isReached: boolean; nowMs: number }): void {
    if (isReached) this.#probeAtMs.delete(server)
    else this.#begin(server, nowMs)
  }

  #begin(server: string, nowMs: number): void {
    for (const [known, probeAtMs] of this.#probeAtMs)
      if (probeAtMs < nowMs - forgetAfterMs) this.#probeAtMs.delete(known)
    this.#probeAtMs.set(server, nowMs + probeEveryMs)
  }
}

/**
 * Returns the name of the server that the mail of an inbox leaves by; without an inbox the one of system mail. Only the
 * relay is shared by tenants: a wrong password of one tenant never stops the mail of another one.
 */
export function serverName(
  tenantId: string,
  inbox: { _id: string; email?: InboxEmail | undefined } | undefined,
): string {
  if (inbox === undefined) return 'relay'
  const { transport, smtp } = inbox.email ?? noEmailSettings
  if (transport === 'relay') return 'relay'
  if (transport === 'none' || smtp === null) return inbox._id
  return JSON.stringify([tenantId, smtp.host, smtp.port, smtp.user])
}
