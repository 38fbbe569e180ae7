import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { z } from 'zod'
import type { Notice, NoticeListener, Notices } from '../../ports/notices.ts'
import type { TenantId } from '../../storage/records.ts'

export interface RedisNoticesOptions {
  url: string
  /** Keeps installations apart that share one Redis. */
  installationId: string
  onError: (error: Error) => void
}

const tenantId = z.string().transform((id) => id as TenantId)
const message = z.object({ from: z.string(), notices: z.array(z.unknown()) })
const knownNotice = z.discriminatedUnion('type', [
  z.object({ type: z.literal('credentials'), tenantId: tenantId.nullable() }),
  z.object({ type: z.literal('commits') }),
  z.object({ type: z.literal('events'), tenantId }),
])

// Nobody needs older word than this: by then every listener has looked for itself.
const unsentMax = 10_000
/** A connection whose other end went without a word is given up for a new one, long before TCP does. */
const silenceMaxMs = 5_000
const firstConnectionMs = 2_000

/** Notices by Redis publish and subscribe: what is published while nobody listens is gone, which the port allows. */
export function openRedisNotices({ url, installationId, onError }: RedisNoticesOptions): Notices {
  const channel = `crmkit:{${installationId}}:notices`
  const self = randomUUID()
  const options = {
    connectTimeout: 5_000,
    retryStrategy: (tries: number) => Math.min(50 * 2 ** tries, 1_000),
  }
  const publisher = new Redis(url, {
    ...options,
    commandTimeout: 1_000,
    maxRetriesPerRequest: 1,
    socketTimeout: silenceMaxMs,
  })
  publisher.on('error', onError)
  let subscriber: Redis | undefined
  /** By what they say: said twice before it was sent, it is sent once. */
  const unsent = new Map<string, Notice>()
  let isSending = false
  let isClosed = false

  const sendAll = async () => {
    // The notices of one turn go out together.
    await nextTurn()
    while (unsent.size > 0 && !isClosed) {
      const notices = [...unsent.values()]
      unsent.clear()
      // One at a time, or a Redis that hangs would have everything kept for it. What fails is dropped: the others
      // find out by themselves.
      await publisher.publish(channel, JSON.stringify({ from: self, notices })).catch(onError)
    }
    isSending = false
  }

  return {
    publish(notice) {
      if (isClosed || unsent.size >= unsentMax) return
      unsent.set(JSON.stringify(notice), notice)
      if (isSending) return
      isSending = true
      void sendAll()
    },
    async listen(listener) {
      subscriber = new Redis(url, {
        ...options,
        autoResubscribe: false,
        enableOfflineQueue: false,
        // It only listens: without probes it would not notice for hours that nobody is there any more.
        keepAlive: silenceMaxMs,
      })
      subscriber.on('error', onError)
      subscriber.on('message', (_channel, text) => pass(listener, { text, self }))
      await subscribeOnEveryConnection(subscriber, { channel, listener, onError })
    },
    async close() {
      isClosed = true
      subscriber?.disconnect()
      publisher.disconnect()
    },
  }
}

/** Whatever was said before a subscription stands has been missed, so each one is told as a gap. */
async function subscribeOnEveryConnection(
  subscriber: Redis,
  {
    channel,
    listener,
    onError,
  }: { channel: string; listener: NoticeListener } & Pick<RedisNoticesOptions, 'onError'>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  subscriber.on('ready', () => {
    subscriber
      .subscribe(channel)
      .then(() => {
        listener.onGap()
        resolve()
      })
      .catch(onError)
  })
  const timer = setTimeout(resolve, firstConnectionMs)
  await promise
  clearTimeout(timer)
}

/** The server is shared, so what it sends is read as strictly as a request. */
function pass(listener: NoticeListener, { text, self }: { text: string; self: string }): void {
  const parsed = message.safeParse(readJson(text))
  if (!parsed.success || parsed.data.from === self) return
  for (const given of parsed.data.notices) {
    // One that a newer version sends must not take the others with it.
    const notice = knownNotice.safeParse(given)
    if (notice.success) listener.onNotice(notice.data)
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
