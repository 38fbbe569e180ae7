import {
  type EventType,
  eventTypes,
  Failure,
  type InputOf,
  type LiveEventType,
  liveEventTypes,
  type streamEvents,
  validationFailure,
} from '@crmkit/core'
import type { EventLogQuery, TenantReads } from '../../ports/storage.ts'
import { readLog } from '../../shared/read-log.ts'
import type { Caller } from '../caller.ts'
import type { StreamedEvent, StreamHandler } from '../stream-handler.ts'
import { startOf, typesFor } from './log-scope.ts'

/** How many events of its backlog a stream holds at a time. */
const pageSize = 50

type Page = readonly StreamedEvent[]

const running = new WeakMap<TenantReads, Map<string, Promise<Page>>>()

/**
 * Streams of one tenant are mostly at the same position and are woken together: one read serves all that ask in the
 * same tick of the event loop. A stream that asks later was woken by an event that the earlier read may not include.
 */
function readShared(store: TenantReads, from: Required<EventLogQuery>, typesKey: string): Promise<Page> {
  const reads = running.get(store) ?? new Map<string, Promise<Page>>()
  running.set(store, reads)
  const key = `${from.after} ${typesKey}`
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
  const source = isResumed
    ? ({ field: 'Last-Event-ID', in: 'header' } as const)
    : ({ field: 'after', in: 'query' } as const)
  const { logged, live } = chosenTypes(query, actor)
  const start = await startOf(store, isResumed ? lastEventId : (query.after ?? 'latest'))
  // Refuse an invalid position before the stream begins: later there is no status to report it with.
  await readLog(store, { after: start, types: typesFor(actor, logged), limit: 1 }, source)
  const typesNow = typesOfCaller(logged)
  return {
    start,
    pageSize,
    hearsTyping: ({ permissions }) =>
      live === undefined && query.types === undefined && permissions.includes('read:conversations'),
    ...(live && { live, isResumed }),
    async read({ after, actor: now }) {
      const { types, key } = typesNow(now)
      return readShared(store, { after, types, limit: pageSize }, key)
    },
  }
}

/** Returns the types that a caller may see, which are the same until its permissions change, and their names as one text. */
function typesOfCaller(logged: EventType[] | undefined) {
  let known: { permissions: Caller['permissions']; types: EventType[]; key: string } | undefined
  return (now: Caller) => {
    if (known?.permissions !== now.permissions) {
      const types = typesFor(now, logged)
      known = { permissions: now.permissions, types, key: types.join() }
    }
    return known
  }
}

interface ChosenTypes {
  /** Undefined: all that the caller may see. */
  logged: EventType[] | undefined
  /** Undefined: a stream without live events. */
  live: readonly LiveEventType[] | undefined
}

/** Throws PERMISSION_DENIED for live events of an API key, and VALIDATION_ERROR for live types without `live=true`. */
function chosenTypes(
  { types, live: isLive = false }: InputOf<typeof streamEvents>['query'],
  { type, permissions }: Pick<Caller, 'type' | 'permissions'>,
): ChosenTypes {
  if (isLive && type !== 'user') {
    throw new Failure('PERMISSION_DENIED', 'Live events are for signed-in users; API keys are refused', {
      extra: { required: 'session', granted: permissions },
    })
  }
  const live = liveEventTypes.filter((name) => types === undefined || types.includes(name))
  if (!isLive && types !== undefined && live.length > 0) {
    const message = `${live.join(', ')} need live=true`
    throw validationFailure([{ field: 'types', message, rule: 'live', in: 'query' }])
  }
  const logged = types && eventTypes.filter((name) => types.includes(name))
  return { logged, live: isLive ? live : undefined }
}
