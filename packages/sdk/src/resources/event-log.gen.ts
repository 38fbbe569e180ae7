// Generated from the contract by scripts/generate.ts. Do not edit.
import type { CallOptions } from '../core/call-options.ts'
import type { EventStream, StreamOptions } from '../core/event-stream.ts'
import type { LogPromise } from '../core/log-promise.ts'
import { Resource } from '../core/resource.ts'
import type {
  EventsListQuery,
  EventsStreamQuery,
  LoggedEvent,
} from './types.gen.ts'

/** Everything that has happened, in order: as a log to page through, and as a stream. */
export class EventsResource extends Resource {
  /**
   * List the events of the last 30 days, oldest first.
   *
   * Conversation, message and call events need `read:conversations` and `read:customers`, customer events `read:customers`, user events `webhook:manage`; others are left out. `nextCursor` is always given: with it as `after` the next call goes on, and misses none.
   *
   * Await it for one page, or `for await` over it to the end of the log.
   *
   * Needs the permission `read:customers` or `webhook:manage`.
   *
   * `GET /api/v1/events`, docs/reference/sdk.md#crmeventslist
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  list(query?: EventsListQuery, options?: CallOptions): LogPromise<LoggedEvent> {
    return this.requester.log({ method: 'GET', path: '/api/v1/events' }, { query }, options)
  }

  /**
   * Follow the events as they happen, as server-sent events.
   *
   * Begins at the end of the log unless `after` or the header `Last-Event-ID` names a position. Each message has `id` (the position), `event` (the type) and `data` (the bytes that webhooks get). At most 5 streams for each credential. A stream may end at any time: go on with `Last-Event-ID`, and none is missed.
   *
   * `for await` over it; a stream that breaks is opened again where it was, and no event is lost.
   *
   * Needs the permission `read:customers` or `webhook:manage`.
   *
   * `GET /api/v1/events/stream`, docs/reference/sdk.md#crmeventsstream
   *
   * @throws {AuthenticationError} no credential, or one that does not work (401)
   * @throws {PermissionError} the credential may not do this (403)
   * @throws {ValidationError} a field is refused; `problems` names each (422)
   * @throws {RateLimitError} too many requests; `retryAfterMs` says how long to wait (429)
   */
  stream(query?: EventsStreamQuery, options?: StreamOptions): EventStream {
    return this.requester.stream({ method: 'GET', path: '/api/v1/events/stream' }, { query }, options)
  }
}
