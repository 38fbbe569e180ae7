import { randomUUID } from 'node:crypto'
import type { Authenticator } from '../../http/credentials/authenticate.ts'
import { credentialsChangedBy } from '../../http/credentials/credential-cache.ts'
import { EventStreams } from '../../http/streams/event-streams.ts'
import { EventWakes } from '../../http/streams/event-wakes.ts'
import { createEventSequencer, type EventSequencer } from '../../jobs/event-sequencer.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Notices } from '../../ports/notices.ts'
import type { Storage } from '../../ports/storage.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Config } from '../config.ts'

interface EventParts {
  storage: Storage
  notices: Notices
  clock: Clock
  log: Log
}

export interface Events {
  authenticator: Authenticator
  wakes: EventWakes
  streams: EventStreams
  /** Undefined where commits give the positions. */
  sequencer: EventSequencer | undefined
}

/** How events get from their commits to the streams of this process and of the others. */
export function composeEvents(
  { redisUrl }: Config,
  { storage, notices, clock, log }: EventParts,
  authenticator: Authenticator,
): Events {
  const wakes = new EventWakes()
  // Where the others tell what they commit, looking for it is for the word that got lost.
  const timing = { pollMs: redisUrl === undefined ? 1_000 : 5_000 }
  const streams = new EventStreams({ authenticator, wakes, clock, log, timing })
  const tell = (tenantId: TenantId) => {
    wakes.wake(tenantId)
    notices.publish({ type: 'events', tenantId })
  }
  if (storage.eventPositions === 'with-commit') {
    storage.onCommitted(({ tenantId, change }) => {
      if (change.events.length > 0) tell(tenantId)
    })
    return { authenticator, wakes, streams, sequencer: undefined }
  }
  const sequencer = createEventSequencer({
    ...{ system: storage.system, clock, log, holder: randomUUID() },
    onSequenced: (tenantIds) => tenantIds.forEach(tell),
  })
  storage.onCommitted(({ change }) => {
    if (change.events.length > 0 && !sequencer.wake()) notices.publish({ type: 'commits' })
  })
  return { authenticator, wakes, streams, sequencer }
}

/** What one process changes of credentials acts on the next request here, and in the others as soon as they hear of it. */
export function shareCredentialChanges(
  { storage, notices }: Pick<EventParts, 'storage' | 'notices'>,
  { authenticator, streams }: Events,
): void {
  storage.onCommitted((commit) => {
    const tenantId = credentialsChangedBy(commit)
    if (tenantId === undefined) return
    authenticator.forget(tenantId)
    streams.recheck(tenantId)
    notices.publish({ type: 'credentials', tenantId })
  })
}

export async function listenToOthers(
  notices: Notices,
  { authenticator, streams, wakes, sequencer }: Events,
): Promise<void> {
  await notices.listen({
    onNotice: (notice) => {
      if (notice.type === 'events') wakes.wake(notice.tenantId)
      if (notice.type === 'commits') sequencer?.wake()
      if (notice.type !== 'credentials') return
      authenticator.forget(notice.tenantId)
      streams.recheck(notice.tenantId)
    },
    onGap: () => {
      authenticator.forget(null)
      streams.recheck(null)
      wakes.wakeAll()
      sequencer?.wake()
    },
  })
}
