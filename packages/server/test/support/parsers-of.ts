import { readFileSync } from 'node:fs'

/** Returns the processes that read mails for a service. Linux only. */
export function parsersOf(pid: number): number[] {
  const children = readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return children.filter((child) => readOrEmpty(`/proc/${child}/cmdline`).includes('parser-program'))
}

/** A process may end at any moment. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
