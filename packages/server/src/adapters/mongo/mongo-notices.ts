import { randomUUID } from 'node:crypto'
import { setImmediate as nextLoopTick, setTimeout as pause } from 'node:timers/promises'
import type { mongo } from 'mongoose'
import type { Notice, NoticeListener, Notices } from '../../ports/notices.ts'
import { knownNoticeOf } from '../../shared/known-notice.ts'
import { openConnection } from './connection/connection.ts'

export interface MongoNoticesOptions {
  url: string
  onError: (error: Error) => void
}

interface SentNotices {
  from: string
  at: Date
  /** JSON, because a notice has members that a query operator could be taken for. */
  notices: string
}

const collectionName = 'notices'
const keptSeconds = 60
const retryMs = 1_000
// Further notices are dropped: nothing relies on a single one.
const unsentMax = 10_000

/** The types that are sent. Polling finds the others, and sending them would be a write more for each commit. */
const sent: ReadonlySet<Notice['type']> = new Set(['live', 'presence', 'recount'])

/**
 * Notices by a collection whose changes every process follows, for an installation without Redis. It has its own
 * connection, so a slow notice delays no request. MongoDB removes a notice after a minute.
 */
export async function openMongoNotices({ url, onError }: MongoNoticesOptions): Promise<Notices> {
  const connection = await openConnection(url)
  const { db } = connection
  if (db === undefined) throw new Error('the connection has no database')
  const collection = db.collection<SentNotices>(collectionName)
  await collection.createIndex({ at: 1 }, { expireAfterSeconds: keptSeconds })
  const from = randomUUID()
  const unsent = new Map<string, Notice>()
  let isSending = false
  let isClosed = false
  let stream: mongo.ChangeStream<SentNotices> | undefined

  const sendAll = async () => {
    // The notices of one tick of the event loop are sent together.
    await nextLoopTick()
    while (unsent.size > 0 && !isClosed) {
      const notices = JSON.stringify([...unsent.values()])
      unsent.clear()
      await collection.insertOne({ from, at: new Date(), notices }).catch(onError)
    }
    isSending = false
  }

  /** Follows the collection until the connection is closed; a new beginning may have missed notices. */
  const follow = async (listener: NoticeListener, onBegun: () => void) => {
    while (!isClosed) {
      try {
        stream = collection.watch([{ $match: { operationType: 'insert' } }])
        // The driver opens the stream with its first read.
        const first = await stream.tryNext()
        if (first !== null) deliver(listener, { change: first, self: from })
        onBegun()
        listener.onGap()
        for await (const change of stream) deliver(listener, { change, self: from })
      } catch (error) {
        if (isClosed) return
        onError(error as Error)
      }
      // A service starts also while it can hear nobody.
      onBegun()
      await pause(retryMs)
    }
  }

  return {
    publish(notice) {
      if (isClosed || !sent.has(notice.type) || unsent.size >= unsentMax) return
      unsent.set(JSON.stringify(notice), notice)
      if (isSending) return
      isSending = true
      void sendAll()
    },
    listen(listener) {
      return new Promise((resolve) => void follow(listener, resolve))
    },
    async close() {
      isClosed = true
      await stream?.close().catch(onError)
      await connection.close()
    },
  }
}

interface Delivered {
  change: mongo.ChangeStreamDocument<SentNotices>
  self: string
}

function deliver(listener: NoticeListener, { change, self }: Delivered): void {
  if (change.operationType !== 'insert' || change.fullDocument.from === self) return
  for (const given of JSON.parse(change.fullDocument.notices) as unknown[]) {
    const notice = knownNoticeOf(given)
    if (notice !== undefined) listener.onNotice(notice)
  }
}
