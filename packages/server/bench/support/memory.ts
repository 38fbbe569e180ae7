import { readFileSync } from 'node:fs'

/** Returns the resident memory of a process, bytes. Needs /proc. */
export function readMemory(pid: number): number {
  const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]
  return Number(pages) * 4096
}
