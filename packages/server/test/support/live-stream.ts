import type { LiveEvent, LiveEventType, ViewCount } from '@crmkit/core'
import { type OpenStream, openStream } from './open-stream.ts'

export interface LiveStream extends OpenStream {
  /** The types of everything that has arrived, in order. */
  types(): string[]
  /** The live events of a type that have arrived. */
  all<T extends LiveEventType>(type: T): LiveEvent<T>[]
  /** Resolves with the events of a type when this many have arrived. */
  waitForType<T extends LiveEventType>(type: T, count: number): Promise<LiveEvent<T>[]>
  /** The counts as a client has them: each event replaces values. */
  counts(): Record<string, ViewCount>
}

/** Opens a stream of the team that gets live events. */
export async function openLiveStream(
  url: string,
  { query = 'live=true', ...options }: Parameters<typeof openStream>[1],
): Promise<LiveStream> {
  const stream = await openStream(url, { ...options, query })
  const all = <T extends LiveEventType>(type: T) =>
    stream
      .messages()
      .filter(({ event }) => event === type)
      .map(({ data }) => JSON.parse(data) as LiveEvent<T>)
  return {
    ...stream,
    all,
    types: () => stream.messages().map(({ event }) => event),
    async waitForType(type, count) {
      for (;;) {
        const events = all(type)
        if (events.length >= count) return events
        await stream.waitFor(stream.messages().length + 1)
      }
    },
    counts: () => Object.assign({}, ...all('counts.changed').map(({ data }) => data.views)),
  }
}
