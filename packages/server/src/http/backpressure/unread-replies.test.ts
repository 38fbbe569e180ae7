import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { sendInPieces } from './pieces.ts'
import { type UnreadLimits, UnreadReplies } from './unread-replies.ts'

const megabyte = 1024 * 1024
/** More than the buffers of both sockets hold. */
const body = Buffer.alloc(32 * megabyte, 'x')
const far: UnreadLimits = {
  totalMax: 1000 * megabyte,
  perAddressMax: 1000 * megabyte,
  patienceMs: 60_000,
  calmMax: 1000 * megabyte,
  pressedPatienceMs: 60_000,
  sweepMs: 20,
}

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

const addressOf = (req: IncomingMessage) => String(req.headers['x-address'])

/** A server that responds to each connection with a long reply, which counts as held in memory. `rows` is what its making waits for. */
async function start(limits: Partial<UnreadLimits>, rows?: Promise<void>) {
  const replies = new UnreadReplies({ ...far, ...limits })
  const begun: ServerResponse[] = []
  let making = 0
  const server = createServer(async (req, res) => {
    replies.watch({ req, res, addressOf, log: silentLog })
    res.on('close', () => replies.forget(res))
    begun.push(res)
    await replies.capacity(res, String(req.headers['x-tenant']))
    making += 1
    await rows
    if (res.closed) return
    res.writeHead(200, { 'Content-Length': body.length })
    void sendInPieces(res, body)
    replies.noteHeld(res, body.length)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  /** Resolves when the server has the request. */
  async function ask(address = 'one', tenant = 'a'): Promise<{ client: Socket; res: ServerResponse }> {
    const client = connect(port, '127.0.0.1').pause()
    client.on('error', () => {})
    cleanups.push(() => client.destroy())
    client.write(`GET / HTTP/1.1\r\nHost: crm\r\nX-Address: ${address}\r\nX-Tenant: ${tenant}\r\n\r\n`)
    await once(server, 'request')
    const res = begun.at(-1)
    if (res === undefined) throw new Error('no request')
    return { client, res }
  }
  return { replies, ask, making: () => making }
}

const whenCut = (res: ServerResponse) => (res.closed ? undefined : once(res, 'close'))
const whenSent = async (res: ServerResponse) => {
  while (!res.headersSent) await new Promise(setImmediate)
}

test('a client that takes nothing loses its connection, and one that takes a little at a time gets everything', async () => {
  const { ask } = await start({ patienceMs: 1_000 })
  const stalled = await ask()
  const slow = await ask()
  let taken = 0
  const reading = setInterval(() => {
    taken += (slow.client.read() as Buffer | null)?.length ?? 0
  }, 1)
  cleanups.push(() => clearInterval(reading))
  slow.client.on('readable', () => {})
  await whenCut(stalled.res)
  expect(stalled.res.writableFinished).toBe(false)
  await whenCut(slow.res)
  expect(slow.res.writableFinished).toBe(true)
  while (taken < body.length) await once(slow.client, 'readable')
})

test('a client that has taken everything may stay idle for any time', async () => {
  const { ask } = await start({ patienceMs: 100 })
  const { client, res } = await ask()
  client.resume()
  await whenCut(res)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(client.destroyed).toBe(false)
  client.write('GET / HTTP/1.1\r\nHost: crm\r\nX-Address: one\r\n\r\n')
  const [again] = (await once(client, 'data')) as [Buffer]
  expect(again.length).toBeGreaterThan(0)
})

test('beyond the limit of the process the connections that have stood still for longest end, and the newest stays', async () => {
  const { ask } = await start({ totalMax: 2.5 * body.length })
  const asked = []
  for (let i = 0; i < 5; i += 1) asked.push(await ask(`address ${i}`))
  for (const { res } of asked.slice(0, 3)) await whenCut(res)
  expect(asked.map(({ res }) => res.closed)).toEqual([true, true, true, false, false])
})

test('beyond the limit of its address a long reply waits until a client there has left, and other addresses do not wait', async () => {
  const { ask } = await start({ perAddressMax: body.length / 2 })
  const first = await ask()
  const second = await ask()
  const elsewhere = await ask('two')
  await whenSent(elsewhere.res)
  expect([first.res.headersSent, second.res.headersSent]).toEqual([true, false])
  first.client.destroy()
  await whenSent(second.res)
})

test('tenants of one address alternate, and disconnected clients delay no other client', async () => {
  const { ask } = await start({ perAddressMax: body.length / 2 })
  const first = await ask()
  const flood = [await ask('one', 'a'), await ask('one', 'a'), await ask('one', 'a')]
  const gone = await ask('one', 'b')
  const other = await ask('one', 'c')
  gone.client.destroy()
  await whenCut(gone.res)
  first.client.destroy()
  await whenSent(flood[0]?.res as ServerResponse)
  flood[0]?.client.destroy()
  await whenSent(other.res)
  expect(flood[1]?.res.headersSent).toBe(false)
})

test('replies that are being made count before they are there, so that few are made at once', async () => {
  const rows = Promise.withResolvers<void>()
  const perAddressMax = 2 * megabyte
  const { ask, making } = await start({ perAddressMax }, rows.promise)
  const asked = []
  for (let i = 0; i < 12; i += 1) asked.push(await ask())
  const elsewhere = await ask('two')
  // Of a tenant whose lists nobody has read, half a megabyte is expected: four replies, and one elsewhere.
  expect(making()).toBe(5)
  rows.resolve()
  await whenSent(elsewhere.res)
  await whenSent(asked[3]?.res as ServerResponse)
  expect(asked[4]?.res.headersSent).toBe(false)
  for (const { client } of asked.slice(0, 4)) client.destroy()
  // Now 32 MB are expected of each: one at a time.
  await whenSent(asked[4]?.res as ServerResponse)
  expect(making()).toBe(6)
})

test('readers that are slow on purpose delay others of their address for a limited time', async () => {
  const { ask } = await start({ perAddressMax: body.length / 2, pressedPatienceMs: 200 })
  const slow = await ask()
  const reading = setInterval(() => slow.client.read(), 10)
  slow.client.on('readable', () => {})
  cleanups.push(() => clearInterval(reading))
  const next = await ask()
  await whenSent(next.res)
  await whenCut(slow.res)
  expect(slow.res.writableFinished).toBe(false)
})

test('many streams of one address each get their page, and all open replies are not counted for each of them', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'setInterval'] })
  cleanups.push(() => vi.useRealTimers())
  const replies = new UnreadReplies({ ...far, perAddressMax: 2 * megabyte })
  const handle = { bytesWritten: 0, writeQueueSize: 0 }
  const looked = vi.spyOn(handle, 'bytesWritten', 'get')
  const streams = Array.from({ length: 400 }, () => {
    const req = new IncomingMessage(Object.assign(new Socket(), { _handle: handle }))
    const res = new ServerResponse(req)
    replies.watch({ req, res, addressOf: () => 'one', log: silentLog })
    return res
  })
  const mayBegin = streams.map((res) => replies.capacity(res, 'a'))
  expect(mayBegin.filter(Boolean).length).toBeGreaterThan(300)
  for (const [index, res] of streams.entries()) {
    await mayBegin[index]
    replies.noteHeld(res, 0)
  }
  expect(looked.mock.calls.length).toBeLessThan(3 * streams.length)
  for (const res of streams) replies.forget(res)
})
