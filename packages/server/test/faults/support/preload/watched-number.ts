import { readFileSync, statSync } from 'node:fs'

const everyMs = 20

/** Calls back with the number that a file holds, now and whenever the file changes. Keeps no process alive. */
export function watchNumber(file: string, onNumber: (value: number) => void): void {
  let readMs = Number.NaN
  const read = () => {
    const { mtimeMs } = statSync(file)
    if (mtimeMs === readMs) return
    const text = readFileSync(file, 'utf8').trim()
    // Empty for the moment between opening and writing it.
    if (text === '') return
    readMs = mtimeMs
    onNumber(Number(text))
  }
  read()
  setInterval(read, everyMs).unref()
}
