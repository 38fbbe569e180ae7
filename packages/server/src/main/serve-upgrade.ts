import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getLiveness } from '@crmkit/core'
import { alwaysHeaders, endReply } from '../http/response/send-reply.ts'
import type { Config } from './config/config.ts'
import { portProblem } from './listen.ts'

/** How often a long upgrade says that it goes on. */
const sayEveryMs = 10_000
const retryAfterSeconds = 5

interface Upgrade {
  from: number
  to: number
}

interface UpgradeOptions {
  /** Where the server will serve; undefined for a command that does not. */
  address?: Pick<Config, 'host' | 'port'> | undefined
  /** Prints a sentence for the operator. */
  say(sentence: string): void
}

/**
 * Does the work that upgrades a database, its backup included, and says when it begins, goes on and has ended. Meanwhile each request to the
 * address gets a 503 with `Retry-After`, and the sign of life a 200: a supervisor that ended the process for its silence would begin the
 * upgrade anew each time. Rejects before the work when it cannot listen on the port.
 */
export async function withUpgradeNotice<T>(
  { from, to }: Upgrade,
  { address, say }: UpgradeOptions,
  work: () => Promise<T>,
): Promise<T> {
  const beganAt = performance.now()
  const seconds = () => Math.round((performance.now() - beganAt) / 1000)
  const close = address && (await listenMeanwhile(address))
  say(`The database is upgraded from schema ${from} to ${to}`)
  const timer = setInterval(() => say(`The upgrade goes on, for ${seconds()} s so far`), sayEveryMs)
  try {
    const done = await work()
    say(`The database was upgraded in ${seconds()} s`)
    return done
  } finally {
    clearInterval(timer)
    await close?.()
  }
}

async function listenMeanwhile({ host, port }: Pick<Config, 'host' | 'port'>): Promise<() => Promise<void>> {
  const server = createServer(respond)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) => reject(new Error(portProblem(error, { host, port, variable: 'PORT' }))))
  server.listen(port, host, resolve)
  await promise
  return () => {
    const closed = Promise.withResolvers<void>()
    server.close(() => closed.resolve())
    server.closeAllConnections()
    return closed.promise
  }
}

function respond(req: IncomingMessage, res: ServerResponse): void {
  const requestId = randomUUID()
  const isLiveness = req.method === 'GET' && req.url === getLiveness.path
  const body = isLiveness
    ? { success: true, data: { status: 'ok' } }
    : { success: false, error: 'The database is upgraded; try again', code: 'UPGRADE', requestId }
  const headers = { ...alwaysHeaders, 'X-Request-Id': requestId, Connection: 'close' }
  res.writeHead(isLiveness ? 200 : 503, {
    ...headers,
    ...(!isLiveness && { 'Retry-After': String(retryAfterSeconds) }),
  })
  endReply(res, JSON.stringify(body))
}
