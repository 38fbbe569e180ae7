import type { streamEvents } from '@crmkit/core'
import type { EventLogQuery, TenantStore } from '../../ports/storage.ts'
import { readLog } from '../../shared/read-log.ts'
import type { StreamedEvent, StreamHandler } from '../handler.ts'
import { startOf, typesFor } from './log-scope.ts'

/** How many events of its backlog a stream holds at a time. */
const pageSize = 50

type Page = readonly StreamedEvent[]

const running = new WeakMap<TenantStore, Map<string, Promise<Page>>>()

/**
 * Streams of one tenant are mostly at the same position and are woken together: one read serves all that ask in the
 * same tick of the event loop. A stream that asks later was woken by an event that the earlier read may not include.
 */
function readShared(store: TenantStore, from: EventLogQuery): Promise<Page> {
  const reads = running.get(store) ?? new Map<string, Promise<Page>>()
  running.set(store, reads)
  const key = JSON.stringify(from)
  const known = reads.get(key)
  if (known) return known
  const read = store.events.read(from)
  reads.set(key, read)
  setImmediate(() => reads.delete(key))
  return read
}

export const handleStreamEvents: StreamHandler<typeof streamEvents> = async (ctx, { query }) => {
  const { store, actor, lastEventId } = ctx
  const isResumed = lastEventId !== undefined && lastEventId !== ''
  const start = await startOf(store, isResumed ? lastEventId : (query.after ?? 'latest'))
  const source = isResumed
    ? ({ field: 'Last-Event-ID', in: 'header' } as const)
    : ({ field: 'after', in: 'query' } as const)
  // Refuse an invalid position before the stream begins: later there is no status to report it with.
  await readLog(store, { after: start, types: typesFor(actor, query.types), limit: 1 }, source)
  return {
    start,
    hearsTyping: ({ permissions }) => query.types === undefined && permissions.includes('read:conversations'),
    read: async ({ after, actor: now }) =>
      readShared(store, { after, types: typesFor(now, query.types), limit: pageSize }),
  }
}
