import { randomUUID } from 'node:crypto'
import { setImmediate as nextLoopTick } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { z } from 'zod'
import type { Notice, NoticeListener, Notices } from '../../ports/notices.ts'
import { knownNoticeOf } from '../../shared/known-notice.ts'

export interface RedisNoticesOptions {
  url: string
  /** Separates installations that share one Redis. */
  installationId: string
  onError: (error: Error) => void
}

const message = z.object({ from: z.string(), notices: z.array(z.unknown()) })
// Further notices are dropped: by then every listener has polled by itself.
const unsentMax = 10_000
/** A connection whose other end vanished is replaced by a new one within this time, long before TCP notices. */
const silenceMaxMs = 5_000
const firstConnectionMs = 2_000

/** Notices by Redis publish and subscribe: a notice that is published while no process listens is lost, as the port allows. */
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
  /** By their JSON text: equal notices that were not sent yet are sent once. */
  const unsent = new Map<string, Notice>()
  let isSending = false
  let isClosed = false

  const sendAll = async () => {
    // The notices of one tick of the event loop are sent together.
    await nextLoopTick()
    while (unsent.size > 0 && !isClosed) {
      const notices = [...unsent.values()]
      unsent.clear()
      // One message at a time, so that a Redis that hangs does not fill the memory. A failed message is dropped: the
      // other processes find the changes by polling.
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
        // This connection sends nothing: without probes it would not notice for hours that the other end vanished.
        keepAlive: silenceMaxMs,
      })
      subscriber.on('error', onError)
      subscriber.on('message', (_channel, text) => deliver(listener, { text, self }))
      await subscribeOnEveryConnection(subscriber, { channel, listener, onError })
    },
    async close() {
      isClosed = true
      subscriber?.disconnect()
      publisher.disconnect()
    },
  }
}

interface Subscription {
  channel: string
  listener: NoticeListener
  onError: (error: Error) => void
}

/** Subscribes on every new connection and reports a gap each time: earlier notices may have been missed. */
async function subscribeOnEveryConnection(
  subscriber: Redis,
  { channel, listener, onError }: Subscription,
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

/** Passes the notices of a message to the listener. Redis is shared, so a message is validated as strictly as a request. */
function deliver(listener: NoticeListener, { text, self }: { text: string; self: string }): void {
  const parsed = message.safeParse(readJson(text))
  if (!parsed.success || parsed.data.from === self) return
  for (const given of parsed.data.notices) {
    // A notice of a newer version that this one does not know must not suppress the others.
    const notice = knownNoticeOf(given)
    if (notice !== undefined) listener.onNotice(notice)
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
