// `npm run bench login`: measures whether the time of a refusal reveals that an e-mail is known.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './support/child.ts'
import { median } from './support/load.ts'
import { printFigures } from './support/print-figures.ts'

const pairs = Number(process.argv[2] ?? 150)
const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-bench-'))
const program = fileURLToPath(new URL('../src/main/crm-server.ts', import.meta.url))
const crm = await startChild(program, ['start', '--dev'], {
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'error',
  // Without this setting the wait after failures would be measured.
  CRM_RATE_LIMITS: 'off',
})

async function post(route: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(crm.url + route, { method: 'POST', headers, body: JSON.stringify(body) })
  await response.arrayBuffer()
  return response.status
}

async function refusalMs(email: string): Promise<number> {
  const startedMs = performance.now()
  const status = await post('/api/auth/login', { email, password: 'not the password' })
  if (status !== 401) throw new Error(`A wrong password got ${status}`)
  return performance.now() - startedMs
}

try {
  const email = 'known@example.com'
  await post('/api/auth/register', { tenantName: 'Bench', email, password: crypto.randomUUID() })
  for (let warm = 0; warm < 10; warm++) await refusalMs(warm % 2 === 0 ? email : 'other@example.com')
  const samples = { known: [] as number[], unknown: [] as number[] }
  // Alternately, and each kind first equally often, so that a machine that slows down slows both.
  for (let pair = 0; pair < pairs; pair++) {
    const order = pair % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of order)
      samples[kind].push(await refusalMs(kind === 'known' ? email : `nobody${pair}@example.com`))
  }
  const round = (ms: number) => Math.round(ms * 1000) / 1000
  const [known, unknown] = [median(samples.known), median(samples.unknown)]
  printFigures(
    'login',
    {
      'known e-mail, median': { ms: round(known) },
      'unknown e-mail, median': { ms: round(unknown) },
      'difference of medians': { ms: round(Math.abs(known - unknown)) },
    },
    { pairs, passwords: 'argon2id, 19 MiB, t=2, p=1' },
  )
} finally {
  await crm.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
