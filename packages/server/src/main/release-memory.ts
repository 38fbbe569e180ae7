import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { exposeCollection } from '../shared/passed-bytes.ts'

/*
 * V8 enlarges its young generation while a process starts or works hard, up to 64 MiB, and keeps it for as long as the process
 * lives. Only its collection for a lack of memory makes it small again.
 */

const checkEveryMs = 3_000
/** A process that works more than this share of the time is not idle. */
const idleShare = 0.05
/** A young generation up to this size is kept. */
const keptBytes = 16 * 2 ** 20
/** The collection takes some 70 ms for 29 MiB of objects: a process with more than this keeps its memory. */
const usedBytesMax = 64 * 2 ** 20
/** A start leaves a large young generation, and little compiled code that the collection could spoil. */
const startMs = 60_000
/**
 * The collection clears objects that compiled code relies on, so some 120 functions are compiled again afterwards: 0.2 to 0.3 s
 * of processor time. Two minutes of rest are worth that, a pause of a few seconds is not.
 */
const restedChecks = 40

/**
 * V8 lets its old generation grow up to four times what is in use before it collects. Rows pass through this process and leave only
 * garbage, so an import would hold 200 MiB more than it needs: it collects when the generation has grown by half.
 */
const growingPercent = 50

/** The bytes that the young generation has reserved. */
function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}

/** Collects the old generation earlier than V8 does by itself, in all threads. */
export function collectEarly(): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`)
}

/** Returns a rule that is asked at each check, and says whether the process has been idle for long enough. */
export function createRestRule(): (check: { utilization: number; uptimeMs: number }) => boolean {
  let idleChecks = 0
  return ({ utilization, uptimeMs }) => {
    idleChecks = utilization > idleShare ? 0 : idleChecks + 1
    return idleChecks >= (uptimeMs < startMs ? 1 : restedChecks)
  }
}

/** Gives the memory of the young generation back whenever this process has been idle, for as long as it runs. */
export function releaseMemoryWhenIdle(): void {
  const isRested = createRestRule()
  let before = performance.eventLoopUtilization()
  const check = () => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (!isRested({ utilization, uptimeMs: performance.now() })) return
    if (youngBytes() <= keptBytes || getHeapStatistics().used_heap_size > usedBytesMax) return
    exposeCollection()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    before = performance.eventLoopUtilization()
  }
  setInterval(check, checkEveryMs).unref()
}
