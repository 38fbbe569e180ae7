import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startChild } from '../child.ts'
import { readMemory } from '../memory.ts'
import { type Pair, type Spread, spreadOf } from './measure.ts'
import { serviceTimeMs } from './processor-time.ts'
import { sourceOf, type Tree } from './tree.ts'

/** A server gives memory back after a moment without work. */
const idleMs = 8_000

interface Start {
  cpuMs: number
  memoryMiB: number
}

async function startOnce(tree: Tree, folder: string): Promise<Start> {
  const dataDir = mkdtempSync(path.join(folder, 'start-'))
  const env = { PORT: '0', CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'error' }
  const server = await startChild(sourceOf(tree, 'src/*/crm-server.ts'), ['start', '--dev'], env)
  try {
    const { pid = 0 } = server.process
    await (await fetch(`${server.url}/health`)).arrayBuffer()
    const cpuMs = serviceTimeMs(pid)
    await delay(idleMs)
    return { cpuMs, memoryMiB: readMemory(pid) / 2 ** 20 }
  } finally {
    await server.stop()
  }
}

export interface ComparedStarts {
  cpuMs: Pair<number>
  cpuRatio: Spread
  memoryMiB: Pair<number>
  memoryRatio: Spread
}

/** Starts servers from their sources on new data in turn: processor time until the first response, and memory at rest. */
export async function compareStarts(
  trees: Pair<Tree>,
  { pairs, folder }: { pairs: number; folder: string },
): Promise<ComparedStarts> {
  const starts: Pair<Start>[] = []
  for (let pair = 0; pair < pairs; pair++)
    starts.push({ ref: await startOnce(trees.ref, folder), this: await startOnce(trees.this, folder) })
  const middles = (value: (start: Start) => number): Pair<number> => ({
    ref: spreadOf(starts.map(({ ref }) => value(ref))).median,
    this: spreadOf(starts.map((pair) => value(pair.this))).median,
  })
  const ratio = (value: (start: Start) => number) =>
    spreadOf(starts.map((pair) => value(pair.this) / value(pair.ref)))
  return {
    cpuMs: middles(({ cpuMs }) => cpuMs),
    cpuRatio: ratio(({ cpuMs }) => cpuMs),
    memoryMiB: middles(({ memoryMiB }) => memoryMiB),
    memoryRatio: ratio(({ memoryMiB }) => memoryMiB),
  }
}
