// `npm run bench api`: an authenticated read against a bare Express hello, alone and embedded, and durable creates.
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

type Measured = 'hello' | 'get' | 'embedded' | 'create'

const source = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-bench-'))
const hello = await startChild(source('./support/hello.ts'), [])
const crm = await startChild(source('../src/main/crm-server.ts'), ['start', '--dev'], {
  PORT: '0',
  CRM_DATA_DIR: path.join(dataDir, 'alone'),
  CRM_LOG_LEVEL: 'error',
})
const embedded = await startChild(source('./support/embedded.ts'), [path.join(dataDir, 'embedded')])

try {
  const samples: Record<Measured, LoadFigures[]> = { hello: [], get: [], embedded: [], create: [] }
  const bare = { url: `${hello.url}/hello` }
  const { headers, ...read } = await readOf(crm.url)
  const readEmbedded = await readOf(embedded.url)
  for (const asked of [bare, { headers, ...read }, readEmbedded])
    await load({ ...asked, connections, seconds: 2 })
  // Alternately, so that a machine that slows down slows all.
  for (let round = 0; round < rounds; round++) {
    samples.hello.push(await load({ ...bare, connections, seconds }))
    samples.get.push(await load({ headers, ...read, connections, seconds }))
    samples.embedded.push(await load({ ...readEmbedded, connections, seconds }))
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
  await Promise.all([crm.stop(), embedded.stop()])
  await hello.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** The request that reads one customer with the key of a new tenant. */
async function readOf(url: string) {
  const { key, customerId } = await openTenant(url, ['read:customers', 'write:customers'])
  return { url: `${url}/api/v1/customers/${customerId}`, headers: { authorization: `Bearer ${key}` } }
}

function report(samples: Record<Measured, LoadFigures[]>): void {
  const middle = (name: Measured, pick: (figures: LoadFigures) => number) => median(samples[name].map(pick))
  const row = (name: Measured) => ({
    'req/s': middle(name, (one) => one.requestsPerSecond),
    'p50 ms': middle(name, (one) => one.p50Ms),
    'p99 ms': middle(name, (one) => one.p99Ms),
    failures: samples[name].reduce((sum, one) => sum + one.failures, 0),
  })
  const ratio = (name: Measured) => {
    const ratios = samples[name].map(
      (one, i) => one.requestsPerSecond / (samples.hello[i]?.requestsPerSecond ?? 1),
    )
    return { 'req/s': Math.round(median(ratios) * 100) / 100 }
  }
  printFigures(
    'api',
    {
      'bare Express hello': row('hello'),
      'GET /api/v1/customers/{id}, API key': row('get'),
      'ratio to the hello (median of pairs)': ratio('get'),
      'the same, mounted in an Express app': row('embedded'),
      'its ratio to the hello': ratio('embedded'),
      'POST /api/v1/customers, durable': row('create'),
    },
    { connections, seconds, rounds, sqlite: 'WAL, synchronous=FULL' },
  )
}
