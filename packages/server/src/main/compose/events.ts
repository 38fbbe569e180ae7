import { randomUUID } from 'node:crypto'
import type { Authenticator } from '../../http/credentials/authenticate.ts'
import { credentialParts, credentialsChangedBy } from '../../http/credentials/credential-cache.ts'
import { EventWakes } from '../../http/streams/event-wakes.ts'
import { OpenStreams } from '../../http/streams/open-streams.ts'
import type { EventSequencer } from '../../jobs/event-sequencer.ts'
import { LiveHub } from '../../live/live-hub.ts'
import {
  changesMails,
  countedKinds,
  endedSessions,
  isUncounted,
  usersToLookAt,
} from '../../live/uncounted-changes.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import type { Notices } from '../../ports/notices.ts'
import type { Storage } from '../../ports/storage.ts'
import type { CommitListeners } from '../../shared/commit-listeners.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Config } from '../config/config.ts'
import { eventSequencing } from './job-registry.ts'

interface EventParts {
  storage: Storage
  commits: CommitListeners
  notices: Notices
  clock: Clock
  log: Log
  meters: Meters
}

export interface Events {
  authenticator: Authenticator
  wakes: EventWakes
  streams: OpenStreams
  live: LiveHub
  /** Undefined where commits give the positions. */
  sequencer: EventSequencer | undefined
}

/** Connects commits with the event streams of this process and of the others. */
export function composeEvents(
  { redisUrl }: Config,
  { storage, commits, notices, clock, log, meters }: EventParts,
  authenticator: Authenticator,
): Events {
  const wakes = new EventWakes()
  // With Redis, other processes publish notices of their commits: polling only finds events whose notice was lost.
  const timing = { pollMs: redisUrl === undefined ? 1_000 : 5_000 }
  const live: LiveHub = new LiveHub({
    storage,
    notices,
    clock,
    log,
    onEvents: (tenantId, wake) => wakes.subscribe(tenantId, wake),
    onTyping: (tenantId, typing) => streams.announceTyping(tenantId, typing),
    visitors: {
      hasVisitors: (tenantId) => streams.hasVisitors(tenantId),
      sendToVisitor: (tenantId, visitorId, frame) => streams.sendToVisitor(tenantId, visitorId, frame),
    },
    pollMs: timing.pollMs,
  })
  const liveParts = { beginLive: live.begin.bind(live), noteStream: live.noteStream.bind(live) }
  const streams = new OpenStreams({ authenticator, wakes, clock, log, meters, timing, ...liveParts })
  if (storage.eventPositions === 'with-commit') {
    // Only a database of one process gives them: there is nobody else to tell.
    commits.add(['domainEvents'], wakes.onCommitted)
    return { authenticator, wakes, streams, live, sequencer: undefined }
  }
  const announce = (tenantId: TenantId) => {
    wakes.wake(tenantId)
    notices.publish({ type: 'events', tenantId })
  }
  const sequencer = eventSequencing.make({
    system: storage.system,
    clock,
    log,
    holder: randomUUID(),
    pollEveryMs: eventSequencing.pollEveryMs,
    onSequenced: (tenantIds) => tenantIds.forEach(announce),
  })
  commits.add(['domainEvents'], () => {
    if (!sequencer.wake()) notices.publish({ type: 'commits' })
  })
  return { authenticator, wakes, streams, live, sequencer }
}

/**
 * Applies changed credentials to the next request of this process, and to the other processes once the notice arrives; and
 * changed counts and ended sessions to the live events.
 */
export function listenToCommits(
  { commits, notices }: Pick<EventParts, 'commits' | 'notices'>,
  { authenticator, streams, live }: Events,
): void {
  commits.add(countedKinds, (commit) => {
    if (isUncounted(commit)) live.recount(commit.tenantId)
    else if (changesMails(commit)) live.recountMails(commit.tenantId)
  })
  commits.add(['sessions'], (commit) => {
    for (const id of endedSessions(commit)) live.endSession(commit.tenantId, id)
  })
  commits.add(['webhooks'], ({ tenantId }) => notices.publish({ type: 'webhooks', tenantId }))
  commits.add(['users'], (commit) => {
    const ids = usersToLookAt(commit)
    if (ids.length > 0) live.noteUsers(commit.tenantId, ids)
  })
  commits.add(credentialParts, (commit) => {
    const tenantId = credentialsChangedBy(commit)
    if (tenantId === undefined) return
    authenticator.forget(tenantId)
    streams.recheck(tenantId)
    notices.publish({ type: 'credentials', tenantId })
  })
}

/** Applies the notices of other processes in this one. */
export async function listenToOthers(
  { notices, storage }: Pick<EventParts, 'notices' | 'storage'>,
  { authenticator, streams, wakes, live, sequencer }: Events,
): Promise<void> {
  await notices.listen({
    onNotice: (notice) => {
      if (notice.type === 'events') wakes.wake(notice.tenantId)
      if (notice.type === 'commits') sequencer?.wake()
      if (notice.type === 'webhooks') storage.forgetWebhooks(notice.tenantId)
      live.receive(notice)
      if (notice.type !== 'credentials') return
      authenticator.forget(notice.tenantId)
      streams.recheck(notice.tenantId)
    },
    onGap: () => {
      authenticator.forget(null)
      storage.forgetWebhooks(null)
      streams.recheck(null)
      wakes.wakeAll()
      live.onGap()
      sequencer?.wake()
    },
  })
}
