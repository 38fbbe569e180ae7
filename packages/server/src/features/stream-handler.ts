import type { InputOf, LiveEventType, Operation, ReplyOf } from '@crmkit/core'
import type { SystemStore } from '../ports/system-store.ts'
import type { Actor, Caller, CallerOf } from './caller.ts'
import type { AuditNote, HandlerContext } from './handler.ts'

/** An event as a stream sends it: the stored bytes, and the position from which a reader continues. */
export interface StreamedEvent {
  position: string
  type: string
  body: string
  /** When it was committed. */
  timestamp: string
}

/** The events of a stream, page by page. */
export interface EventFeed {
  /** The position after which the stream begins. */
  readonly start: string
  /** Returns the events after a position that the caller may see now; empty when there are none yet. */
  read(from: { after: string; actor: Caller }): Promise<readonly StreamedEvent[]>
  /** A page with fewer events ends where the log ended when it was read; undefined: only an empty page says so. */
  readonly pageSize?: number
  /** Returns the position up to which the last read has looked, where it may be ahead of the last event. */
  position?(): string
  /** Whether a stream without live events also gets the signs that a visitor types. */
  hearsTyping?(actor: Caller): boolean
  /** Whether it goes on with a stream that broke off. */
  isResumed?: boolean
  /** The live events of the stream; absent for a stream without any. */
  live?: readonly LiveEventType[]
}

export interface StreamContext<A extends Caller = Actor>
  extends Pick<HandlerContext<A>, 'store' | 'actor' | 'mountPath'> {
  /** The `Last-Event-ID` header. */
  lastEventId: string | undefined
}

/** The server's part of an operation whose response is a stream. It writes nothing, so nothing is committed. */
export type StreamHandler<O extends Operation> = (
  ctx: StreamContext<CallerOf<O>>,
  input: InputOf<O>,
) => Promise<EventFeed>

/** The events that a request waits for, and how long. */
export interface Poll<O extends Operation> {
  feed: EventFeed
  waitMs: number
  reply(events: readonly StreamedEvent[]): ReplyOf<O>
}

/** The server's part of an operation whose response waits for an event. */
export type PollHandler<O extends Operation> = (
  ctx: StreamContext<CallerOf<O>>,
  input: InputOf<O>,
) => Promise<Poll<O>>

/** A file as the response to a download. */
export interface Download {
  /** The name of the download in the log, without personal data. */
  logName: string
  filename: string
  contentType: string
  /** In bytes; undefined when the file is generated while it is sent. */
  size?: number
  /** Written before the first byte is sent. */
  audit?: AuditNote
  /** Returns the bytes, which are read no faster than the client takes them. Not called for a HEAD request. */
  open(): Promise<AsyncIterable<Uint8Array | string>>
}

export interface DownloadContext<A extends Caller = Actor>
  extends Pick<HandlerContext<A>, 'store' | 'actor' | 'now' | 'services'> {
  /** The memberships of a person cross tenants, and so does the person's right to know them. */
  listMemberships: SystemStore['across']['memberships']['of']
}

/** The server's part of an operation whose response is a file. Throws every failure before the response begins. */
export type DownloadHandler<O extends Operation> = (
  ctx: DownloadContext<CallerOf<O>>,
  input: InputOf<O>,
) => Promise<Download>
