import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import type { Actor } from '../../features/caller.ts'
import type { EventFeed } from '../../features/stream-handler.ts'
import { noMeters } from '../../ports/meters.ts'
import { systemClock } from '../../shared/clock.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Authenticated } from '../credentials/credential-kind.ts'
import { EventWakes } from './event-wakes.ts'
import { OpenStreams, streamsPerAddressMax } from './open-streams.ts'

const callerOf = ({ headers }: IncomingMessage): Authenticated => ({
  tenantId: 'ten_1' as TenantId,
  actor: { type: 'user', sessionId: String(headers['x-session']) } as Actor,
  tenantLimits: undefined,
  limits: [],
})
const feed: EventFeed = { start: '0', read: async () => [] }

test('opens a bounded number of streams for one address, and gives a slot back when one ends', async () => {
  const authenticator = { authenticate: callerOf, expiresAtMs: () => undefined, forget() {} }
  const streams = new OpenStreams({
    authenticator,
    wakes: new EventWakes(),
    clock: systemClock,
    log: silentLog,
    meters: noMeters,
    noteStream: async () => {},
    beginLive: async () => () => {},
  })
  const about = { requestId: 'req_1', isLegacy: false, limit: undefined }
  const server = createServer((req, res) => {
    const address = String(req.headers['x-address'])
    streams
      .serve({
        req,
        res,
        caller: callerOf(req),
        auth: { kind: 'none' },
        address,
        about,
        open: async () => feed,
      })
      .catch(({ code }) => res.writeHead(429).end(code))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  async function open(address: string, session: string): Promise<IncomingMessage> {
    const headers = { 'x-address': address, 'x-session': session }
    const req = request({ port, host: '127.0.0.1', agent: false, headers }).end()
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    res.on('error', () => {})
    return res
  }
  // Addresses of one IPv6 network are one client.
  const opened = await Promise.all(
    Array.from({ length: streamsPerAddressMax }, (_, i) =>
      open(`2001:db8::${i.toString(16)}`, `${Math.floor(i / 5)}`),
    ),
  )
  expect(new Set(opened.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect((await open('2001:db8::ffff', 'another')).statusCode).toBe(429)
  expect((await open('2001:db8:0:1::1', 'another')).statusCode).toBe(200)
  opened[0]?.destroy()
  await expect.poll(async () => (await open('2001:db8::ffff', 'another')).statusCode).toBe(200)
})
