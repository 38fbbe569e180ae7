import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { isoTime } from '../shared/clock.ts'
import type { TenantId } from '../storage/records.ts'

/** Gives events their positions, in storages whose commits do not; in one process of the installation at a time. */
export interface EventSequencer {
  start(): void
  /** Reports that events were committed. Returns false when another process gives the positions: notify that one. */
  wake(): boolean
  stop(): Promise<void>
}

interface EventSequencerParts {
  system: Pick<SystemStore, 'sequenceEvents' | 'takeLease' | 'releaseLease'>
  clock: Clock
  /** A text that no other process uses. */
  holder: string
  /** How often the holder of the lease polls for events of other processes, whose notices may be lost. */
  pollEveryMs?: number
  log: Log
  onSequenced(tenantIds: readonly TenantId[]): void
}

const leaseName = 'events-sequencer'
const leaseMs = 5_000
const renewEveryMs = 1_500
export const sequencerPollMs = 250
/** How often the others try to take the lease. */
const takeEveryMs = 1_000
const pauseMaxMs = 5_000
const batchSize = 500
/** Events that follow a batch this soon wait for each other: a batch costs more commands than a commit does. */
const gatherMs = 10

export function createEventSequencer(parts: EventSequencerParts): EventSequencer {
  const { system, clock, holder, pollEveryMs = sequencerPollMs, log, onSequenced } = parts
  let isHolder = false
  let heldAtMs = Number.NEGATIVE_INFINITY
  let isStopped = false
  let isWoken = false
  let endPause = () => {}
  let running: Promise<void> | undefined
  let endedAt = Number.NEGATIVE_INFINITY

  async function holdLease(): Promise<boolean> {
    const nowMs = clock.nowMs()
    const ageMs = nowMs - heldAtMs
    // A negative age: the clock was set back.
    if (isHolder && ageMs >= 0 && ageMs < renewEveryMs) return true
    isHolder = false
    isHolder = await system.takeLease({ name: leaseName, holder, now: isoTime(nowMs), leaseMs })
    heldAtMs = nowMs
    return isHolder
  }

  async function gather(): Promise<void> {
    const leftMs = gatherMs - (performance.now() - endedAt)
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs))
  }

  /** Returns after how many milliseconds to poll again. */
  async function poll(): Promise<number> {
    while (!isStopped && (await holdLease())) {
      await gather()
      isWoken = false
      const { count, tenantIds } = await system.sequenceEvents(batchSize)
      if (tenantIds.length > 0) onSequenced(tenantIds)
      if (count >= batchSize) continue
      if (count > 0) endedAt = performance.now()
      // All events had their place in the batch. A later commit wakes the sequencer.
      if (!isWoken) return pollEveryMs
    }
    return takeEveryMs
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!isStopped) {
      let waitMs: number
      try {
        waitMs = await poll()
        failures = 0
      } catch (error) {
        isWoken = false
        waitMs = Math.min(pollEveryMs * 2 ** failures++, pauseMaxMs)
        if (failures === 1) log.error({ err: error }, 'Giving events their positions failed')
      }
      if (!isWoken && !isStopped) await pause(waitMs)
    }
    if (!isHolder) return
    isHolder = false
    // A lease that cannot be released expires by itself.
    await system.releaseLease({ name: leaseName, holder }).catch(() => {})
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    start: () => {
      running ??= run()
    },
    wake() {
      if (!isHolder) return false
      isWoken = true
      endPause()
      return true
    },
    async stop() {
      isStopped = true
      endPause()
      await running
    },
  }
}
