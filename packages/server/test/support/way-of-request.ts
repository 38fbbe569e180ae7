import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Child } from '../../bench/support/child.ts'

const reporter = fileURLToPath(new URL('./report-way.ts', import.meta.url))
const packages = fileURLToPath(new URL('../../..', import.meta.url))

/** Flags of Node for a server whose requests are counted. */
export const wayFlags = ['--import', reporter]

/** What one request runs through on the main thread. */
export interface Way {
  /** Own files, by their path in `packages`, with the calls of each function. */
  files: Map<string, Map<string, number>>
  functions: number
  calls: number
}

interface Script {
  url: string
  functions: { functionName: string; ranges: { count: number; startOffset: number }[] }[]
}

const warmRequests = 200
const countedRequests = 15

/**
 * Sends the request until all is warm, and counts the last ones. What runs by the clock falls into some of them only, so the
 * way is what all of them have in common.
 */
export async function wayOf({ process: child }: Child, send: (index: number) => Promise<unknown>): Promise<Way> {
  for (let index = 0; index < warmRequests; index++) await send(index)
  let common: Way['files'] | undefined
  for (let index = 0; index < countedRequests; index++) {
    await send(warmRequests + index)
    const reported = once(child, 'message')
    child.send('way')
    const [scripts] = (await reported) as [Script[]]
    common = common ? commonOf(common, filesOf(scripts)) : filesOf(scripts)
  }
  const counts = [...(common ?? new Map<string, Map<string, number>>()).values()].flatMap((calls) => [...calls.values()])
  return {
    files: common ?? new Map(),
    functions: counts.length,
    calls: counts.reduce((sum, count) => sum + count, 0),
  }
}

function filesOf(scripts: readonly Script[]): Way['files'] {
  const files: Way['files'] = new Map()
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file:')) continue
    const file = path.relative(packages, fileURLToPath(url))
    if (!/^[a-z]+\/src\//.test(file)) continue
    const calls = new Map<string, number>()
    for (const { functionName, ranges } of functions) {
      const { count = 0, startOffset = 0 } = ranges[0] ?? {}
      if (count > 0) calls.set(`${functionName || 'anonymous'} ${startOffset}`, count)
    }
    if (calls.size > 0) files.set(file, calls)
  }
  return files
}

function commonOf(one: Way['files'], other: Way['files']): Way['files'] {
  const files: Way['files'] = new Map()
  for (const [file, calls] of one) {
    const others = other.get(file)
    if (others === undefined) continue
    const common = new Map<string, number>()
    for (const [name, count] of calls) {
      const otherCount = others.get(name)
      if (otherCount !== undefined) common.set(name, Math.min(count, otherCount))
    }
    if (common.size > 0) files.set(file, common)
  }
  return files
}
