// `npm run bench cli`: the start time of the compiled command, compared with a Node that does nothing.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printFigures } from '../../server/bench/support/print-figures.ts'

const rounds = Number(process.argv[2] ?? 20)
/** `crm --version` may take 110 ms where `node -e 0` takes 75. */
const ratioMax = 110 / 75

const root = join(import.meta.dirname, '../../..')
const main = join(root, 'packages/cli/dist/main.js')
const home = mkdtempSync(join(tmpdir(), 'crmkit-bench-cli-'))

function build(): void {
  const steps = [
    { command: 'tsc', args: ['-b'], cwd: root },
    { command: 'tsup', args: ['--silent'], cwd: join(root, 'packages/sdk') },
  ]
  for (const { command, args, cwd } of steps) {
    const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] })
    if (status !== 0) throw new Error(`${command} failed`)
  }
}

/** Responds with an empty list immediately, so that only the command is measured. */
const server = createServer((_, res) => {
  const pagination = { total: 0, page: 1, limit: 20, totalPages: 0, totalIsEstimate: false, nextCursor: null }
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify({ success: true, data: [], pagination }))
})

const cases = {
  'node -e 0': ['-e', '0'],
  'crm --version': [main, '--version'],
  'crm --help': [main, '--help'],
  'crm customers list --help': [main, 'customers', 'list', '--help'],
  'crm customers list (an empty response)': [main, 'customers', 'list'],
}

async function runOnce(args: readonly string[], env: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  const code = await new Promise<number | null>((resolve, reject) => {
    spawn(process.execPath, args, { env, stdio: 'ignore' }).once('error', reject).once('exit', resolve)
  })
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return performance.now() - startedAt
}

function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10
}

build()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
try {
  const { port } = server.address() as AddressInfo
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CRM_BASE_URL: `http://127.0.0.1:${port}`,
    CRM_API_KEY: 'sk_test_x',
  }
  const samples = new Map<string, number[]>()
  // Round-robin, so that a slow phase of the machine affects all cases; the first round fills caches and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, args] of Object.entries(cases)) {
      const tookMs = await runOnce(args, env)
      if (round > 0) samples.set(name, [...(samples.get(name) ?? []), tookMs])
    }
  }
  const bareMs = quantile(samples.get('node -e 0') ?? [], 0.5)
  const figures = [...samples].map(([name, times]) => {
    const p50 = quantile(times, 0.5)
    const row = {
      'p50 ms': p50,
      'p95 ms': quantile(times, 0.95),
      'of node -e 0': Math.round((p50 / bareMs) * 100) / 100,
    }
    return [name, row] as const
  })
  printFigures('cli', Object.fromEntries(figures), {
    rounds,
    ratioMax: Math.round(ratioMax * 100) / 100,
    compiled: true,
  })
  const versionMs = quantile(samples.get('crm --version') ?? [], 0.5)
  if (versionMs > bareMs * ratioMax) {
    console.error(
      `crm --version is over its budget: ${versionMs} ms, ${Math.round(bareMs * ratioMax)} ms allowed`,
    )
    process.exitCode = 1
  }
} finally {
  server.close()
  rmSync(home, { recursive: true, force: true })
}
