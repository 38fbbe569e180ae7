import { randomUUID } from 'node:crypto'
import type { TypingEvent } from '@crmkit/core'
import type { Authenticator } from '../../http/credentials/authenticate.ts'
import { credentialsChangedBy } from '../../http/credentials/credential-cache.ts'
import { EventStreams } from '../../http/streams/event-streams.ts'
import { EventWakes } from '../../http/streams/event-wakes.ts'
import type { EventSequencer } from '../../jobs/event-sequencer.ts'
import { eventSequencing } from '../../jobs/registry.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import type { Notices } from '../../ports/notices.ts'
import type { Storage } from '../../ports/storage.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Config } from '../config.ts'

interface EventParts {
  storage: Storage
  notices: Notices
  clock: Clock
  log: Log
  meters: Meters
}

export interface Events {
  authenticator: Authenticator
  wakes: EventWakes
  streams: EventStreams
  /** Shows every stream of the team, of this process and of the others, that a visitor types. */
  announceTyping(tenantId: TenantId, typing: TypingEvent): void
  /** Undefined where commits give the positions. */
  sequencer: EventSequencer | undefined
}

/** Connects commits with the event streams of this process and of the others. */
export function composeEvents(
  { redisUrl }: Config,
  { storage, notices, clock, log, meters }: EventParts,
  authenticator: Authenticator,
): Events {
  const wakes = new EventWakes()
  // With Redis, other processes publish notices of their commits: polling only finds events whose notice was lost.
  const timing = { pollMs: redisUrl === undefined ? 1_000 : 5_000 }
  const streams = new EventStreams({ authenticator, wakes, clock, log, meters, timing })
  const announce = (tenantId: TenantId) => {
    wakes.wake(tenantId)
    notices.publish({ type: 'events', tenantId })
  }
  const announceTyping = (tenantId: TenantId, typing: TypingEvent) => {
    streams.announceTyping(tenantId, typing)
    notices.publish({ type: 'typing', tenantId, typing })
  }
  if (storage.eventPositions === 'with-commit') {
    storage.onCommitted(({ tenantId, change }) => {
      if (change.events.length > 0) announce(tenantId)
    })
    return { authenticator, wakes, streams, announceTyping, sequencer: undefined }
  }
  const sequencer = eventSequencing.make({
    system: storage.system,
    clock,
    log,
    holder: randomUUID(),
    pollEveryMs: eventSequencing.pollEveryMs,
    onSequenced: (tenantIds) => tenantIds.forEach(announce),
  })
  storage.onCommitted(({ change }) => {
    if (change.events.length > 0 && !sequencer.wake()) notices.publish({ type: 'commits' })
  })
  return { authenticator, wakes, streams, announceTyping, sequencer }
}

/** Applies changed credentials to the next request of this process, and to the other processes once the notice arrives. */
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

/** Applies the notices of other processes in this one. */
export async function listenToOthers(
  notices: Notices,
  { authenticator, streams, wakes, sequencer }: Events,
): Promise<void> {
  await notices.listen({
    onNotice: (notice) => {
      if (notice.type === 'events') wakes.wake(notice.tenantId)
      if (notice.type === 'commits') sequencer?.wake()
      if (notice.type === 'typing') streams.announceTyping(notice.tenantId, notice.typing)
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
