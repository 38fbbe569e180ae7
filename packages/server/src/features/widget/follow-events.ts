import {
  type EventBody,
  type listWidgetEvents,
  type Message,
  type streamWidgetEvents,
  widgetEvents,
} from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { readLog } from '../../shared/read-log.ts'
import { firstEventPosition } from '../../storage/event-position.ts'
import type { LoggedEvent } from '../../storage/records.ts'
import type { Caller } from '../caller.ts'
import type { EventFeed, PollHandler, StreamedEvent, StreamHandler } from '../stream-handler.ts'
import { type Format, showConversation, showMessage } from './show-to-visitor.ts'

const pageSize = 50

/** An event of the log as its visitor sees it; undefined for an event that no visitor sees. */
interface VisitorEvent extends StreamedEvent {
  visitorId: string
}

interface Page {
  events: readonly VisitorEvent[]
  /** The position of the last event that was read; undefined at the end of the log. */
  end: string | undefined
}

const running = new WeakMap<TenantReads, Map<string, Promise<Page>>>()

/**
 * All widgets of a tenant are mostly at the same position and are woken together: one read, and one look at each event,
 * serve all that ask in the same tick of the event loop.
 */
function readShared(store: TenantReads, after: string, format: Format): Promise<Page> {
  const reads = running.get(store) ?? new Map<string, Promise<Page>>()
  running.set(store, reads)
  const asked = `${format} ${after}`
  const known = reads.get(asked)
  if (known) return known
  const read = readPage(store, after, format)
  reads.set(asked, read)
  setImmediate(() => reads.delete(asked))
  return read
}

async function readPage(store: TenantReads, after: string, format: Format): Promise<Page> {
  const logged = await store.events.read({ after, types: widgetEvents, limit: pageSize })
  const events = await Promise.all(logged.map((event) => visitorEvent(store, event, format)))
  return { events: events.filter((event) => event !== undefined), end: logged.at(-1)?.position }
}

interface EventData {
  _id: string
  conversationId?: string
  source?: string
  erased?: boolean
}

async function visitorEvent(
  store: TenantReads,
  logged: LoggedEvent,
  format: Format,
): Promise<VisitorEvent | undefined> {
  const { id, event, timestamp, data } = JSON.parse(logged.body) as EventBody & { data: EventData }
  const isOfConversation = event.startsWith('conversation.')
  if (data.erased || (isOfConversation && data.source !== 'widget')) return undefined
  const conversation = await store.conversations.find(
    isOfConversation ? data._id : (data.conversationId ?? ''),
  )
  if (!conversation?.visitorId) return undefined
  const shown = isOfConversation
    ? await showConversation(store, conversation)
    : await showMessage(store, data as unknown as Message, format)
  return {
    position: logged.position,
    type: logged.type,
    timestamp,
    body: JSON.stringify({ id, event, timestamp, data: shown }),
    visitorId: conversation.visitorId,
  }
}

/** Returns the events of one visitor after a position. */
function feedOf(store: TenantReads, start: string, format: Format): EventFeed {
  // Events of others are passed once and not again.
  let passed = start
  let last = start
  return {
    start,
    position: () => passed,
    async read({ after, actor }) {
      if (after !== last) {
        passed = after
        last = after
      }
      for (;;) {
        const { events, end } = await readShared(store, passed, format)
        if (end === undefined) return []
        passed = end
        const own = events.filter(({ visitorId }) => visitorId === visitorIdOf(actor))
        last = own.at(-1)?.position ?? last
        if (own.length > 0) return own
      }
    },
  }
}

function visitorIdOf(actor: Caller): string | undefined {
  return actor.type === 'visitor' ? actor.session.visitorId : undefined
}

interface Start {
  position: string | undefined
  source: { field: string; in: 'query' | 'header' }
}

/** Returns where to begin. Throws VALIDATION_ERROR for an invalid position: later there is no status to report it with. */
async function startOf(store: TenantReads, { position, source }: Start): Promise<string> {
  if (position === undefined) return (await store.events.newestPosition()) ?? firstEventPosition
  await readLog(store, { after: position, types: widgetEvents, limit: 1 }, source)
  return position
}

export const handleStreamWidgetEvents: StreamHandler<typeof streamWidgetEvents> = async (ctx, { query }) => {
  const { store, lastEventId } = ctx
  const isResumed = lastEventId !== undefined && lastEventId !== ''
  const start = await startOf(
    store,
    isResumed
      ? { position: lastEventId, source: { field: 'Last-Event-ID', in: 'header' } }
      : { position: query.after, source: { field: 'after', in: 'query' } },
  )
  return feedOf(store, start, query.format)
}

export const handleListWidgetEvents: PollHandler<typeof listWidgetEvents> = async ({ store }, { query }) => {
  const { after, wait, limit, format } = query
  const start = await startOf(store, { position: after, source: { field: 'after', in: 'query' } })
  const feed = feedOf(store, start, format)
  return {
    feed,
    // Without a position there is nothing to wait for: the caller asks where the log is.
    waitMs: after === undefined ? 0 : wait * 1000,
    reply(events) {
      const shown = events.slice(0, limit)
      const isCut = shown.length < events.length
      const nextCursor = isCut ? (shown.at(-1)?.position ?? start) : (feed.position?.() ?? start)
      const data = shown.map(({ body }) => JSON.parse(body))
      return { success: true, data, pagination: { limit, nextCursor } }
    },
  }
}
