// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CallOptions } from '../core/call-options.ts'
import type { EventStream, LiveEvent, LogEvent, StreamedEvent, StreamOptions } from '../core/event-stream.ts'
import type { LogPromise } from '../core/log-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  EventsListQuery,
  EventsStreamQuery,
} from './types.gen.ts'

/** The ordered log of all events, in pages and as a stream. */
export class EventsResource extends Resource {
  /**
   * List the events of the last 30 days, oldest first.
   *
   * Conversation, message and call events need `read:conversations` and `read:customers`, customer events `read:customers`, user events `webhook:manage`. Events without these permissions are left out. `nextCursor` is always present: send it as `after` to continue without a gap.
   *
   * Await it for one page, or `for await` over it to the end of the log.
   *
   * `GET /api/v1/events`. Needs the permission `read:customers` or `webhook:manage`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmeventslist
   */
  list(query?: EventsListQuery, options?: CallOptions): LogPromise<LogEvent> {
    return this.requester.log({ method: 'GET', path: '/api/v1/events' }, { query }, options)
  }

  /**
   * Stream new events as server-sent events.
   *
   * The stream starts at the end of the log unless `after` or the header `Last-Event-ID` names a position. Each message has `id` (the position), `event` (the type) and `data` (the bytes that webhooks receive). A credential can have at most 5 streams, an address at most 500. A stream may end at any time: reconnect with `Last-Event-ID` to continue without a gap. With `live=true`, for signed-in users alone, it also sends live events: `event` (the type) and `data` (`{event, timestamp, data}`), without an `id`. They are stored nowhere, and a reader that does not keep up misses some of them, but no other event.
   *
   * `for await` over it. The client reconnects a broken stream at its position, and no event is lost.
   *
   * `GET /api/v1/events/stream`. Needs the permission `read:customers` or `webhook:manage`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmeventsstream
   */
  stream<Live extends boolean = false>(query?: EventsStreamQuery & { live?: Live | undefined }, options?: StreamOptions): EventStream<Live extends true ? StreamedEvent | LiveEvent : StreamedEvent> {
    return this.requester.stream({ method: 'GET', path: '/api/v1/events/stream' }, { query }, options)
  }
}
