import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type FaultAction =
  | { status: number; code?: string; message?: string; retryAfter?: number; body?: object }
  | { redirect: string }
  | { slowMs: number }
  | 'expire-tokens'
  | 'reset'
  | 'truncated-json'
  | 'html'
  | 'silent'

/** Spoils requests whose path begins with `match`, the ones numbered `from` to `to` among them (from 1). */
export interface Fault {
  match: string
  from?: number
  to?: number
  action: FaultAction
}

/** Plays a script of faults, for the emulators of both vendors. `body` replaces the error body of Zoho. */
export class Faults {
  #faults: { fault: Fault; seen: number }[] = []
  #played = 0

  /** Requests that were spoiled so far. */
  get played(): number {
    return this.#played
  }

  add(fault: Fault): void {
    this.#faults.push({ fault, seen: 0 })
  }

  clear(): void {
    this.#faults = []
  }

  next(path: string): FaultAction | undefined {
    let action: FaultAction | undefined
    for (const entry of this.#faults) {
      if (!path.startsWith(entry.fault.match)) continue
      entry.seen += 1
      const { from = 1, to = from } = entry.fault
      if (entry.seen >= from && entry.seen <= to) action ??= entry.fault.action
    }
    if (action !== undefined) this.#played += 1
    return action
  }
}

/** Sends a spoiled response. Returns false when the request is to be served as usual. */
export async function spoil(res: ServerResponse, action: FaultAction): Promise<boolean> {
  if (typeof action === 'object' && 'slowMs' in action) {
    await delay(action.slowMs)
    return false
  }
  if (typeof action === 'object' && 'redirect' in action) {
    res.writeHead(302, { Location: action.redirect }).end()
  } else if (typeof action === 'object') {
    const { status, code = 'ERROR', message = '', retryAfter } = action
    const body = action.body ?? { code, details: {}, message, status: 'error' }
    const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    res.end(JSON.stringify(body))
  } else if (action === 'reset') res.socket?.resetAndDestroy()
  else if (action === 'truncated-json') res.writeHead(200, { 'Content-Length': '5000' }).end('{"data":[{"id"')
  else if (action === 'html')
    res.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Maintenance</html>')
  return action !== 'expire-tokens'
}
