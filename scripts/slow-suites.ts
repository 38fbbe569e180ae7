import { existsSync, readFileSync, writeFileSync } from 'node:fs'

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly startTime: number
    readonly endTime: number
  }[]
}

const file = 'scripts/slow-suites.json'
const slowFrom = 10

/** Test files that take ten seconds or more, with their seconds: of the slowest world, in the newest run that was recorded. */
export function readSlowSuites(source = file): Readonly<Record<string, number>> {
  return existsSync(source) ? JSON.parse(readFileSync(source, 'utf8')) : {}
}

/** Returns the path inside of this repository, also for a file of another clone of it. */
function pathHere(name: string): string | undefined {
  const parts = name.split('/')
  return parts
    .map((_, index) => parts.slice(index + 1).join('/'))
    .find((path) => path !== '' && existsSync(path))
}

/**
 * Records the times of a run of `npm test -- --reporter=json --outputFile=REPORT`. A landing runs a part of the files: the others keep the
 * times of an earlier run, as long as they exist.
 */
export function recordSlowSuites(reportFile: string, target = file): void {
  const { testResults }: Report = JSON.parse(readFileSync(reportFile, 'utf8'))
  const seconds = secondsIn(testResults)
  const kept = Object.entries(readSlowSuites(target)).filter(
    ([path]) => !seconds.has(path) && existsSync(path),
  )
  const slow = [...kept, ...seconds].filter(([, one]) => one >= slowFrom)
  writeFileSync(
    target,
    `${JSON.stringify(Object.fromEntries(slow.sort(([, a], [, b]) => b - a)), null, 2)}\n`,
  )
}

/** The seconds of each file of this repository, those of its slowest world. */
function secondsIn(testResults: Report['testResults']): Map<string, number> {
  const seconds = new Map<string, number>()
  for (const { name, startTime, endTime } of testResults) {
    const path = pathHere(name)
    if (path === undefined) continue
    seconds.set(path, Math.max(seconds.get(path) ?? 0, Math.round((endTime - startTime) / 1000)))
  }
  return seconds
}
