// `npm run bench api`: an authenticated read against a bare Express hello, and durable creates.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './support/child.ts'
import { type LoadFigures, load, median } from './support/load.ts'
import { openTenant } from './support/open-tenant.ts'
import { printFigures } from './support/print-figures.ts'

const rounds = 5
const seconds = Number(process.argv[2] ?? 4)
const connections = 32

const source = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-bench-'))
const hello = await startChild(source('./support/hello.ts'), [])
const crm = await startChild(source('../src/bin/crm-server.ts'), ['start', '--dev'], {
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'error',
})

try {
  const { key, customerId } = await openTenant(crm.url, ['read:customers', 'write:customers'])
  const headers = { authorization: `Bearer ${key}` }
  const samples: Record<'hello' | 'get' | 'create', LoadFigures[]> = { hello: [], get: [], create: [] }
  await load({ url: `${hello.url}/hello`, connections, seconds: 2 })
  await load({ url: `${crm.url}/api/v1/customers/${customerId}`, headers, connections, seconds: 2 })
  // In turn, so that a machine that slows down slows both.
  for (let round = 0; round < rounds; round++) {
    samples.hello.push(await load({ url: `${hello.url}/hello`, connections, seconds }))
    samples.get.push(
      await load({ url: `${crm.url}/api/v1/customers/${customerId}`, headers, connections, seconds }),
    )
  }
  for (let round = 0; round < rounds; round++) {
    samples.create.push(
      await load({
        url: `${crm.url}/api/v1/customers`,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.com',
          tags: ['vip'],
        }),
        connections,
        seconds,
      }),
    )
  }
  report(samples)
} finally {
  await crm.stop()
  await hello.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

function report(samples: Record<'hello' | 'get' | 'create', LoadFigures[]>): void {
  const middle = (name: keyof typeof samples, pick: (figures: LoadFigures) => number) =>
    median(samples[name].map(pick))
  const row = (name: keyof typeof samples) => ({
    'req/s': middle(name, (one) => one.requestsPerSecond),
    'p50 ms': middle(name, (one) => one.p50Ms),
    'p99 ms': middle(name, (one) => one.p99Ms),
    failures: samples[name].reduce((sum, one) => sum + one.failures, 0),
  })
  const ratios = samples.get.map(
    (one, i) => one.requestsPerSecond / (samples.hello[i]?.requestsPerSecond ?? 1),
  )
  printFigures(
    'api',
    {
      'bare Express hello': row('hello'),
      'GET /api/v1/customers/{id}, API key': row('get'),
      'ratio get ÷ hello (median of pairs)': { 'req/s': Math.round(median(ratios) * 100) / 100 },
      'POST /api/v1/customers, durable': row('create'),
    },
    { connections, seconds, rounds, sqlite: 'WAL, synchronous=FULL' },
  )
}
