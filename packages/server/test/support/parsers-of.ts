import { readFileSync } from 'node:fs'

/** Returns the processes that read mails for a service. Linux only. */
export function parsersOf(pid: number): number[] {
  const children = readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return children.filter((child) => readOrEmpty(`/proc/${child}/cmdline`).includes('parser-program'))
}

/** Linux counts processor time in hundredths of a second. */
const tickMs = 10

/** Returns the processor time of a process; 0 once it has ended. Linux only. */
export function processorMsOf(pid: number): number {
  // The name of the program, in brackets, may hold blanks.
  const [, ...fields] = readOrEmpty(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  const [user = 0, system = 0] = fields.slice(10, 12).map(Number)
  return (user + system) * tickMs
}

/** A process may end at any moment. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
