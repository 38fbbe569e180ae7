import { readFileSync } from 'node:fs'

/** Returns the resident memory of a process, bytes. Needs /proc. */
export function readMemory(pid: number): number {
  const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]
  return Number(pages) * 4096
}

/**
 * Returns the resident memory of a process by its kind, bytes: what it has written itself, and pages of files, which
 * the system may drop and share. Needs /proc.
 */
export function readMemoryKinds(pid: number): { rss: number; anonymous: number; files: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const bytesOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
  const [rss, anonymous] = [bytesOf('Rss'), bytesOf('Anonymous')]
  return { rss, anonymous, files: rss - anonymous }
}
