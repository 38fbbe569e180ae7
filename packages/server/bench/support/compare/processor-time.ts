import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const lookEveryMs = 100
/** A service that needs less than this between two looks, twice in a row, is at rest: only its timers run. */
const restMs = 2
const restLooks = 2
const restMsMax = 20_000

/** The process and those that it has started and not yet ended, such as the parser of mails. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number).flatMap(familyOf))]
}

/** Of all threads of a process, ms. The system's scheduler counts nanoseconds, and the process's own counter ticks of 10 ms. */
function processTimeMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const ns = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  )
  return ns.reduce((sum, each) => sum + each, 0) / 1e6
}

/** Returns how much processor time a service has used so far, ms, with that of its children. Needs Linux. */
export function serviceTimeMs(pid: number): number {
  return familyOf(pid).reduce((sum, each) => sum + processTimeMs(each), 0)
}

/** Waits until a service has done what follows its responses, and does nothing any more. */
export async function untilAtRest(pid: number): Promise<void> {
  const until = performance.now() + restMsMax
  let before = serviceTimeMs(pid)
  for (let looks = 0; looks < restLooks && performance.now() < until; ) {
    await delay(lookEveryMs)
    const now = serviceTimeMs(pid)
    looks = now - before < restMs ? looks + 1 : 0
    before = now
  }
}
