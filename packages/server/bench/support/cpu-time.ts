import { readFileSync } from 'node:fs'

/** Linux counts in ticks of a hundredth of a second. */
const tickMs = 10

/** Returns how much processor time processes have used so far, ms. Needs /proc. */
export function cpuTimeMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold any text: fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) * tickMs
  }, 0)
}
