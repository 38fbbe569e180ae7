import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Actor } from '../../features/caller.ts'
import type { EventFeed, StreamedEvent } from '../../features/stream-handler.ts'
import { noMeters } from '../../ports/meters.ts'
import { systemClock } from '../../shared/clock.ts'
import { EventStream, type StreamTiming } from './event-stream.ts'

const actor = { type: 'user', _id: 'usr_1' } as Actor
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

const timestamp = '2026-03-10T12:00:00.000Z'

/** A log of so many events, with the reads that it was asked for. */
function newFeed(count: number, bodyBytes = 10) {
  const log = Array.from(
    { length: count },
    (_, i): StreamedEvent => ({
      position: `${i + 1}`,
      type: 'customer.created',
      body: JSON.stringify({ id: i + 1, text: 'x'.repeat(bodyBytes) }),
      timestamp,
    }),
  )
  const reads: string[] = []
  const feed: EventFeed = {
    start: '0',
    read: async ({ after }) => {
      reads.push(after)
      return log.slice(Number(after), Number(after) + 50)
    },
  }
  const add = (event: StreamedEvent) => log.push(event)
  return { feed, reads, add }
}

/** One stream between a real server and a real client, which has not begun to read. */
async function connect(feed: EventFeed, options: Partial<StreamTiming> & { check?: () => Promise<Actor> }) {
  const { check = async () => actor, ...timing } = options
  const running = Promise.withResolvers<{
    stream: EventStream
    over: Promise<void>
    served: ServerResponse
  }>()
  const server = createServer((_req, res) => {
    const times = { heartbeatMs: 60_000, checkMs: 60_000, pollMs: 60_000, ...timing }
    const stream = new EventStream({
      res,
      feed,
      actor,
      check,
      timing: times,
      clock: systemClock,
      meters: noMeters,
    })
    const over = stream.run()
    over.catch(() => {})
    running.resolve({ stream, over, served: res })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const req = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }).end()
  req.on('error', () => {})
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  res.on('error', () => {})
  cleanups.push(() => {
    req.destroy()
    server.close()
  })
  return { res, ...(await running.promise) }
}

async function readUntil(res: IncomingMessage, isEnough: (text: string) => boolean): Promise<string> {
  let text = ''
  res.setEncoding('utf8')
  for await (const chunk of res.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (isEnough(text)) break
  }
  return text
}

const idsIn = (text: string) => [...text.matchAll(/^data: \{"id":(\d+)/gm)].map(([, id]) => Number(id))

test('a stream reads no further pages for a reader that takes nothing, and misses no event when the reader continues', async () => {
  const { feed, reads } = newFeed(2_000, 10_000)
  const { res, stream } = await connect(feed, {})
  res.pause()
  // The buffers of both sockets take what fits; then the reads stand still, with or without wake-ups.
  let before = -1
  while (before !== reads.length) {
    before = reads.length
    for (let i = 0; i < 100; i++) stream.wake()
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  expect(before).toBeLessThan(35)
  const seen: number[] = []
  let rest = ''
  res.setEncoding('utf8')
  for await (const chunk of res) {
    const blocks = (rest + String(chunk)).split('\n\n')
    rest = blocks.pop() ?? ''
    seen.push(...idsIn(blocks.join('\n\n')))
    if (seen.at(-1) === 2_000) break
  }
  expect(seen).toEqual(Array.from({ length: 2_000 }, (_, i) => i + 1))
})

test('a reader whose connection breaks while it takes nothing leaves no stream behind', async () => {
  const { feed } = newFeed(5_000, 10_000)
  const { res, over, served } = await connect(feed, {})
  res.pause()
  while (!served.writableNeedDrain) await new Promise((resolve) => setTimeout(resolve, 10))
  served.socket?.destroy()
  await over
})

test('an idle stream sends a sign of life, and an event at once when it is woken', async () => {
  const { feed, add } = newFeed(0)
  const { res, stream } = await connect(feed, { heartbeatMs: 10 })
  const text = await readUntil(res, (part) => part.includes('\n:\n\n:\n\n'))
  expect(text).toMatch(/^retry: 1000\nid: 0\n\n:\n\n/)
  add({ position: '1', type: 'customer.created', body: '{"id":1}', timestamp })
  stream.wake()
  expect(await readUntil(res, (part) => part.includes('data'))).toContain(
    'id: 1\nevent: customer.created\ndata: {"id":1}\n\n',
  )
})

test('an event without a notice is found by polling', async () => {
  const { feed, add } = newFeed(0)
  const { res } = await connect(feed, { pollMs: 20 })
  add({ position: '1', type: 'customer.created', body: '{"id":1}', timestamp })
  expect(idsIn(await readUntil(res, (part) => part.includes('data')))).toEqual([1])
})

test('an event that is committed during a read is not missed', async () => {
  const { feed, add } = newFeed(0)
  const reading = Promise.withResolvers<() => void>()
  const held: EventFeed = {
    start: '0',
    read: async (from) => {
      const seen = await feed.read(from)
      if (from.after === '0' && seen.length === 0) await new Promise<void>(reading.resolve)
      return seen
    },
  }
  const { res, stream } = await connect(held, {})
  const goOn = await reading.promise
  add({ position: '1', type: 'customer.created', body: '{"id":1}', timestamp })
  stream.wake()
  goOn()
  expect(idsIn(await readUntil(res, (part) => part.includes('data')))).toEqual([1])
})

test('a stream ends when the credential no longer holds, and when the storage fails', async () => {
  const refused = await connect(newFeed(0).feed, {
    checkMs: 20,
    check: () => Promise.reject(new Error('revoked')),
  })
  await refused.over
  const failing: EventFeed = { start: '0', read: () => Promise.reject(new Error('away')) }
  const broken = await connect(failing, {})
  await expect(broken.over).rejects.toThrow('away')
  expect(await readUntil(broken.res, () => false)).toBe('retry: 1000\nid: 0\n\n')
})

test('a stream reads nothing more after the credential no longer holds, however late the timer is', async () => {
  const { feed, add } = newFeed(1)
  let isRevoked = false
  const check = async () => {
    if (isRevoked) throw new Error('revoked')
    return actor
  }
  const { res, stream, over } = await connect(feed, { check })
  await readUntil(res, (text) => idsIn(text).length === 1)
  isRevoked = true
  add({ position: '2', type: 'customer.created', body: '{"id":2}', timestamp })
  stream.wake()
  expect(idsIn(await readUntil(res, () => false))).toEqual([])
  await over
})

test('a page with fewer events than its feed may send is not followed by an empty one, and a wake-up reads on', async () => {
  const { feed, reads, add } = newFeed(3)
  const { res, stream } = await connect({ ...feed, pageSize: 50 }, {})
  const next = async (last: number) => idsIn(await readUntil(res, (text) => idsIn(text).includes(last)))
  expect(await next(3)).toEqual([1, 2, 3])
  add({ position: '4', type: 'customer.created', body: '{"id":4}', timestamp })
  stream.wake()
  expect(await next(4)).toEqual([4])
  expect(reads).toEqual(['0', '3'])
})

test('streams that read the same page send the same bytes, and none of them waits for another one', async () => {
  const { feed } = newFeed(60, 2_000)
  const page = await feed.read({ after: '0', actor })
  const shared: EventFeed = { ...feed, pageSize: 50, read: async ({ after }) => (after === '0' ? page : []) }
  const [first, second] = [await connect(shared, {}), await connect(shared, {})]
  first.res.pause()
  const text = await readUntil(second.res, (all) => idsIn(all).length === 50)
  const other = await readUntil(first.res, (all) => idsIn(all).length === 50)
  expect(other).toBe(text)
})
