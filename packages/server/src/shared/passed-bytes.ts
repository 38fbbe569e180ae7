import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/*
 * Bytes of a mail or a file that pass through this process are garbage at once. V8 counts them as memory outside of its heap and collects
 * the whole heap when they have grown by 20 to 60 MB: 5 to 10 ms in which no request goes on. Its collection of young objects
 * alone frees the same bytes in a millisecond, and would not run for them by itself.
 */

/** With 8 MB the whole heap of a server that has just started was collected as often as before. */
const collectEveryBytes = 2 * 2 ** 20

type Collect = (
  options: { execution: 'sync' } & ({ type: 'minor' } | { type: 'major'; flavor: 'last-resort' }),
) => void

let exposed: Collect | undefined
let collect: Collect | undefined
let passed = 0

/** Returns V8's own collection, which no public function offers; Node's flag for it can be set while a process runs. */
export function exposeCollection(): Collect {
  if (exposed === undefined) {
    setFlagsFromString('--expose-gc')
    exposed = runInNewContext('gc') as Collect
  }
  return exposed
}

/** Begins to collect what has passed. Only a program of this service calls it: flags of V8 are those of the whole process. */
export function collectPassedBytes(): void {
  collect = exposeCollection()
}

/** Notes bytes that are garbage soon. */
export function notePassed(bytes: number): void {
  if (collect === undefined) return
  passed += bytes
  if (passed < collectEveryBytes) return
  passed = 0
  collect({ type: 'minor', execution: 'sync' })
}
