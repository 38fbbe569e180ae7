// `npm run bench start`: the memory of an idle server and the work of its start, beside a bare server of Node. `--rounds 5` and
// `--idle 10` (seconds) change the measurement; `--semi-space 4` gives all of them a young generation of that size, MB. The
// compiled server is measured after `npm run build`.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startNode } from './support/child.ts'
import { cpuTimeMs } from './support/cpu-time.ts'
import { median } from './support/load.ts'
import { readMemoryKinds } from './support/memory.ts'
import { printFigures } from './support/print-figures.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    idle: { type: 'string', default: '10' },
    'semi-space': { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const idleMs = Number(values.idle) * 1000
const flags = values['semi-space'] === undefined ? [] : [`--max-semi-space-size=${values['semi-space']}`]

const bareServer = `
  const server = require('node:http').createServer((_request, response) => response.end('hello'))
  server.listen(0, '127.0.0.1', () => console.log('bare listening on http://127.0.0.1:' + server.address().port))`
const idleThread = `
  new (require('node:worker_threads').Worker)('setInterval(() => undefined, 1e6)', { eval: true })`
const sources = fileURLToPath(new URL('../src/main/crm-server.ts', import.meta.url))
const compiled = fileURLToPath(new URL('../dist/main/crm-server.js', import.meta.url))

interface Started {
  args: readonly string[]
  /** Where Node keeps the compiled form of files between two starts; without it nowhere. */
  cache?: string
}

interface Sample {
  rss: number
  anonymous: number
  files: number
  startMs: number
  startCpuMs: number
}

const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-bench-'))
const cache = path.join(directory, 'cache')
const fromSources = ['--conditions=@crmkit/source', sources, 'start', '--dev']
const programs: Record<string, Started> = {
  'bare node:http': { args: ['-e', bareServer] },
  'bare node:http and an idle thread': { args: ['-e', bareServer + idleThread] },
  'from the sources, nothing kept': { args: fromSources },
  'from the sources, as `npm start`': { args: fromSources, cache },
  ...(existsSync(compiled) && { compiled: { args: [compiled, 'start', '--dev'] } }),
}

/** Starts a program on new data, sends it one request, and reads its memory after it has been idle. */
async function measure({ args, cache: kept }: Started): Promise<Sample> {
  const dataDir = mkdtempSync(path.join(directory, 'data-'))
  const startedAt = performance.now()
  const program = await startNode([...flags, ...args], {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
    CRM_LOG_LEVEL: 'error',
    ...(kept && { NODE_COMPILE_CACHE: kept }),
  })
  try {
    const { pid = 0 } = program.process
    await (await fetch(program.url)).arrayBuffer()
    const startMs = performance.now() - startedAt
    const startCpuMs = cpuTimeMs([pid])
    await delay(idleMs)
    return { ...readMemoryKinds(pid), startMs, startCpuMs }
  } finally {
    await program.stop()
  }
}

try {
  // The first start fills what is kept.
  await measure({ args: fromSources, cache })
  const samples = new Map(Object.keys(programs).map((name) => [name, [] as Sample[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, program] of Object.entries(programs)) samples.get(name)?.push(await measure(program))
  }
  const figures = [...samples].map(([name, taken]) => {
    const of = (field: keyof Sample) => median(taken.map((sample) => sample[field]))
    const mebibytes = (field: keyof Sample) => Math.round((of(field) / 2 ** 20) * 10) / 10
    return [
      name,
      {
        'MiB resident': mebibytes('rss'),
        'MiB anonymous': mebibytes('anonymous'),
        'MiB of files': mebibytes('files'),
        'start, ms': Math.round(of('startMs')),
        'start, ms of processor time': Math.round(of('startCpuMs')),
      },
    ] as const
  })
  printFigures('start', Object.fromEntries(figures), {
    rounds,
    idleMs,
    flags,
    loadAverage: loadavg().map((load) => Math.round(load)),
  })
} finally {
  rmSync(directory, { recursive: true, force: true })
}
