import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  AbortedError,
  AuthenticationError,
  Crm,
  type CrmEvent,
  type EventStream,
  isErasedEvent,
  isLiveEvent,
  type LiveEvent,
  PermissionError,
  type StreamedEvent,
  TimeoutError,
} from '../src/index.ts'
import {
  type Behaviour,
  neverRespond,
  ok,
  refuse,
  resetConnection,
  respondWith,
  scriptedServer,
} from './support/scripted-server.ts'

const apiKey = 'sk_live_secret'

function bodyOf(number: number): string {
  return JSON.stringify({
    id: `evt_${number}`,
    event: 'customer.created',
    timestamp: 't',
    data: { _id: 'ü' },
  })
}

function block(number: number): string {
  return `id: p${number}\nevent: customer.created\ndata: ${bodyOf(number)}\n\n`
}

/** Begins a stream with these pieces; it stays open unless `isEnded`. */
function stream(pieces: readonly (string | Uint8Array)[], options: { isEnded?: boolean } = {}): Behaviour {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (const piece of pieces) {
      response.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (options.isEnded) response.end()
  }
}

async function take(events: AsyncIterable<StreamedEvent>, count: number): Promise<StreamedEvent[]> {
  const taken: StreamedEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

const positions = (events: readonly StreamedEvent[]) => events.map(({ position }) => position)

describe('a stream of events', () => {
  it('returns each event with its position, its bytes and its type', async () => {
    const { baseUrl, seen } = await scriptedServer(stream(['retry: 1000\nid: p0\n\n', block(1)]))
    const events = new Crm({ baseUrl, apiKey }).events.stream({ types: ['customer.created'], after: 'p0' })
    const [first] = await take(events, 1)
    expect(first).toEqual({ ...JSON.parse(bodyOf(1)), position: 'p1', body: bodyOf(1) })
    expect(events.position).toBe('p1')
    expect(seen[0]).toMatchObject({ url: '/api/v1/events/stream?types=customer.created&after=p0' })
    expect(seen[0]?.headers).toMatchObject({ accept: 'text/event-stream', authorization: `Bearer ${apiKey}` })
    if (first?.event === 'customer.created')
      expectTypeOf(first).toExtend<Extract<CrmEvent, { event: 'customer.created' }>>()
  })

  it('reports each open connection, with the position after which events come', async () => {
    const { baseUrl } = await scriptedServer(
      stream(['retry: 1000\nid: p0\n\n', block(1)], { isEnded: true }),
      stream(['retry: 1000\nid: p1\n\n', block(2)]),
    )
    const opened: string[] = []
    const onOpen = ({ position }: { position: string }) => void opened.push(position)
    const events = new Crm({ baseUrl, apiKey }).events.stream({ after: 'p0' }, { onOpen })
    expect(positions(await take(events, 2))).toEqual(['p1', 'p2'])
    expect(opened).toEqual(['p0', 'p1'])
  })

  it('gives live events only where they are asked for, typed, and without a position', async () => {
    const read = { conversationId: 'con_1', seq: 2, unread: { count: 0 } }
    const live = { event: 'conversation.read', timestamp: 't', data: read }
    const frame = `event: conversation.read\ndata: ${JSON.stringify(live)}\n\n`
    const pieces = [block(1), frame, block(2)]
    const { baseUrl, seen } = await scriptedServer(stream(pieces), stream(pieces))
    const crm = new Crm({ baseUrl, apiKey })
    const events = crm.events.stream({ live: true })
    const taken: (StreamedEvent | LiveEvent)[] = []
    for await (const event of events) {
      taken.push(event)
      if (taken.length === 3) break
    }
    expect(seen[0]?.url).toBe('/api/v1/events/stream?live=true')
    expect(taken[1]).toEqual(live)
    expect(taken.map((event) => isLiveEvent(event))).toEqual([false, true, false])
    expect(events.position).toBe('p2')
    for (const event of taken)
      if (event.event === 'conversation.read') expectTypeOf(event.data.unread.count).toEqualTypeOf<number>()
    expect(positions(await take(crm.events.stream(), 2))).toEqual(['p1', 'p2'])
    expectTypeOf(crm.events.stream()).toEqualTypeOf<EventStream<StreamedEvent>>()
  })

  it('reads chunks of any size, and the line ends of any proxy', async () => {
    const bytes = new TextEncoder().encode(
      `: heartbeat\r\n\r\n${block(1)}${block(2).replaceAll('\n', '\r\n')}`,
    )
    const { baseUrl } = await scriptedServer(stream(Array.from(bytes, (byte) => Uint8Array.of(byte))))
    const events = await take(new Crm({ baseUrl, apiKey }).events.stream(), 2)
    expect(events.map(({ body }) => body)).toEqual([bodyOf(1), bodyOf(2)])
  })

  it('continues after the last complete event when the connection breaks, ends or is refused temporarily', async () => {
    const half = block(3).slice(0, -10)
    const { baseUrl, seen } = await scriptedServer(
      stream(['id: p0\n\n'], { isEnded: true }),
      stream([block(1), block(2), half], { isEnded: true }),
      resetConnection,
      refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '0' } }),
      stream([block(3)]),
    )
    const interruptions: (string | undefined)[] = []
    const events = new Crm({ baseUrl, apiKey }).events.stream(
      {},
      { onInterruption: ({ error }) => interruptions.push(error?.name) },
    )
    expect(positions(await take(events, 3))).toEqual(['p1', 'p2', 'p3'])
    expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'p0', 'p2', 'p2', 'p2'])
    expect(interruptions).toEqual([undefined, undefined, 'ConnectionError', 'ServerError'])
  })

  it('reconnects after silence, but not for a slow reader', async () => {
    const { baseUrl, seen } = await scriptedServer(stream([block(1), block(2)]), stream([block(3)]))
    const events = new Crm({ baseUrl, apiKey }).events.stream({}, { silence: 500 })
    const taken: string[] = []
    for await (const { position } of events) {
      taken.push(position)
      if (position === 'p1') await new Promise((resolve) => setTimeout(resolve, 800))
      if (position === 'p3') break
    }
    expect(taken).toEqual(['p1', 'p2', 'p3'])
    expect(seen).toHaveLength(2)
  })

  it('reconnects when the response does not begin in time', async () => {
    const { baseUrl } = await scriptedServer(neverRespond, stream([block(1)]))
    const errors: unknown[] = []
    const options = { timeout: 500, onInterruption: ({ error }: { error: unknown }) => errors.push(error) }
    await take(new Crm({ baseUrl, apiKey }).events.stream({}, options), 1)
    expect(errors).toEqual([expect.any(TimeoutError)])
  })

  it('throws a refusal that a retry would not change', async () => {
    const { baseUrl, seen } = await scriptedServer(refuse(403, 'PERMISSION_DENIED'))
    await expect(take(new Crm({ baseUrl, apiKey }).events.stream(), 1)).rejects.toThrow(PermissionError)
    expect(seen).toHaveLength(1)
  })

  it('renews a session that expires meanwhile, and continues', async () => {
    const session = { accessToken: 'a', refreshToken: 'r', expiresIn: 900 }
    const { baseUrl, seen } = await scriptedServer(
      ok(session),
      stream([block(1)], { isEnded: true }),
      refuse(401, 'AUTH_REQUIRED'),
      ok({ ...session, accessToken: 'b' }),
      stream([block(2)]),
    )
    const crm = new Crm({ baseUrl, session: { email: 'ada@example.com', password: 'secret' } })
    expect(positions(await take(crm.events.stream(), 2))).toEqual(['p1', 'p2'])
    expect(seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer b', 'last-event-id': 'p1' })
    const refused = await scriptedServer(refuse(401, 'API_KEY_INVALID'))
    const other = new Crm({ baseUrl: refused.baseUrl, apiKey })
    await expect(take(other.events.stream(), 1)).rejects.toThrow(AuthenticationError)
  })

  it('ends with its signal, even while it waits', async () => {
    const refused = refuse(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '60' } })
    for (const behaviour of [stream([block(1)]), neverRespond, refused]) {
      const controller = new AbortController()
      const abort = () => setImmediate(() => controller.abort(new Error('enough')))
      const { baseUrl } = await scriptedServer((response, request) => {
        behaviour(response, request)
        if (behaviour === neverRespond) abort()
      })
      const options = { signal: controller.signal, onInterruption: abort }
      const events = new Crm({ baseUrl, apiKey }).events.stream({}, options)
      const read = async () => {
        for await (const { position } of events) if (position === 'p1') abort()
      }
      await expect(read()).rejects.toThrow(AbortedError)
    }
  })

  it('closes its connection when the caller stops reading, and can continue later', async () => {
    const closed = Promise.withResolvers<void>()
    const { baseUrl, seen } = await scriptedServer(
      (response, request) => {
        response.on('close', closed.resolve)
        stream([block(1), block(2)])(response, request)
      },
      stream([block(2)]),
    )
    const events = new Crm({ baseUrl, apiKey }).events.stream()
    await take(events, 1)
    await closed.promise
    expect(positions(await take(events, 1))).toEqual(['p2'])
    expect(seen[1]?.headers['last-event-id']).toBe('p1')
  })

  it('returns an event of an unknown type as unknown', async () => {
    const body = JSON.stringify({ id: 'evt_1', event: 'robot.waved', timestamp: 't', data: {} })
    const { baseUrl } = await scriptedServer(stream([`id: p1\nevent: robot.waved\ndata: ${body}\n\n`]))
    const [event] = await take(new Crm({ baseUrl, apiKey }).events.stream(), 1)
    expect(event).toMatchObject({ body, event: 'unknown', eventName: 'robot.waved' })
  })

  it('returns an event whose subject was erased as erased, in a stream and in the log', async () => {
    const erased = {
      id: 'evt_1',
      event: 'customer.created',
      timestamp: 't',
      data: { _id: 'c', erased: true },
    }
    const body = JSON.stringify(erased)
    const { baseUrl } = await scriptedServer(
      stream([`id: p1\nevent: customer.created\ndata: ${body}\n\n`]),
      respondWith(200, { success: true, data: [erased], pagination: { limit: 20, nextCursor: 'p1' } }),
    )
    const { events } = new Crm({ baseUrl, apiKey })
    const [streamed] = await take(events.stream(), 1)
    const [logged] = (await events.list()).data
    for (const event of [streamed, logged]) {
      expect(event).toMatchObject({ event: 'erased', eventName: 'customer.created', data: erased.data })
      expect(event && isErasedEvent(event)).toBe(true)
    }
  })
})

describe('the event log', () => {
  it('is one page when awaited, and reads to its end with for await', async () => {
    const eventOf = (id: string) => ({ id, event: 'user.created' })
    const page = (ids: string[], limit: number, nextCursor: string) =>
      respondWith(200, { success: true, data: ids.map(eventOf), pagination: { limit, nextCursor } })
    const { baseUrl, seen } = await scriptedServer(
      page(['a', 'b'], 2, 'p2'),
      page(['a', 'b'], 2, 'p2'),
      page(['c'], 2, 'p3'),
      page(['a', 'b'], 2, 'p2'),
      page(['c'], 2, 'p3'),
      page(['a', 'b'], 2, 'p2'),
    )
    const crm = new Crm({ baseUrl, apiKey })
    expect(await crm.events.list({ limit: 2 })).toEqual({
      data: [eventOf('a'), eventOf('b')],
      limit: 2,
      nextCursor: 'p2',
      hasMore: true,
    })
    const ids: string[] = []
    for await (const { id } of crm.events.list({ limit: 2, types: ['customer.created'] })) ids.push(id)
    expect(ids).toEqual(['a', 'b', 'c'])
    expect(seen[2]?.url).toBe('/api/v1/events?limit=2&types=customer.created&after=p2')
    const all = await crm.events.list({ limit: 2 }).toArray()
    expect(all.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(await crm.events.list({ limit: 2 }).toArray({ limit: 2 })).toHaveLength(2)
    expect(await crm.events.list().toArray({ limit: 0 })).toEqual([])
    expect(seen).toHaveLength(6)
  })
})
