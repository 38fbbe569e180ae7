// An import beside the other callers of a server, over HTTP: a CSV is uploaded and imported while one client asks for a
// list of customers every few milliseconds and another one for the status of the import. The last figure is how long a
// cancelled import needs to end while it writes.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call, registerTenant } from '../test/support/call.ts'
import { startChild } from './support/child.ts'
import { readMemory } from './support/memory.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '60000' },
    askEveryMs: { type: 'string', default: '10' },
    idleSeconds: { type: 'string', default: '8' },
  },
})
const rows = Number(options.rows)
const askEveryMs = Number(options.askEveryMs)
const idleMs = Number(options.idleSeconds) * 1000
const integrations = '/api/extcrm/integrations'
const serverProgram = 'packages/server/src/main/crm-server.ts'

function csvOf(from: number, count: number): Blob {
  function line(index: number): string {
    return `${index},First,Last ${index},person${index}@example.com,+49 171 ${1_000_000 + index},Company ${index % 1000}\n`
  }
  const header = 'id,firstName,lastName,email,phone,company\n'
  return new Blob([header, ...Array.from({ length: count }, (_, index) => line(from + index))])
}

interface Client {
  url: string
  token: string
}

async function send({ url, token }: Client, method: string, at: string, body?: unknown) {
  const reply = await call(url, { method, path: at, token, body })
  if (reply.status >= 300) throw new Error(`${method} ${at}: ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

async function upload({ url, token }: Client, id: string, file: Blob): Promise<void> {
  const form = new FormData()
  form.append('module', 'Contacts')
  form.append('file', file, 'people.csv')
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}${integrations}/${id}/files`, { method: 'POST', headers, body: form })
  if (response.status !== 201) throw new Error(await response.text())
}

/** Asks for `at` every few milliseconds, each request after the one before, until `isEnded` says so. */
async function askUntil(client: Client, at: string, isEnded: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isEnded()) {
    const begunAt = performance.now()
    await send(client, 'GET', at)
    times.push(performance.now() - begunAt)
    await wait(askEveryMs)
  }
  return times
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10
}

function figuresOf(times: readonly number[]) {
  return {
    requests: times.length,
    'p50 ms': percentile(times, 0.5),
    'p95 ms': percentile(times, 0.95),
    'p99 ms': percentile(times, 0.99),
  }
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
const server = await startChild(serverProgram, ['start'], {
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'error',
  CRM_RATE_LIMITS: 'off',
})
try {
  const { token } = await registerTenant(server.url)
  const client: Client = { url: server.url, token }
  const pid = server.process.pid ?? 0
  const list = '/api/v1/customers?limit=20'
  for (let index = 0; index < 100; index++) {
    await send(client, 'POST', '/api/v1/customers', { firstName: `Own ${index}` })
  }
  const { _id: id } = await send(client, 'POST', integrations, { provider: 'file', name: 'Bench' })
  await askUntil(client, list, after(2_000))
  const idle = await askUntil(client, list, after(idleMs))

  await upload(client, id, csvOf(0, rows))
  const memoryBefore = readMemory(pid)
  const status = `${integrations}/${id}/import/status`
  const chosen = { importContacts: true, importDeals: false, importTickets: false, importActivities: false }
  await send(client, 'POST', `${integrations}/${id}/import`, chosen)
  const begunAt = performance.now()
  let isEnded = false
  const statusTimes: number[] = []
  async function follow(): Promise<Record<string, unknown>> {
    for (;;) {
      const askedAt = performance.now()
      const { run } = await send(client, 'GET', status)
      statusTimes.push(performance.now() - askedAt)
      if (!['queued', 'running'].includes(run.status)) return run
      await wait(200)
    }
  }
  const beside = askUntil(client, list, () => isEnded)
  const run = await follow()
  const seconds = (performance.now() - begunAt) / 1000
  isEnded = true
  const besideTimes = await beside
  if (run['status'] !== 'completed') throw new Error(`the run ended as ${JSON.stringify(run)}`)
  const memoryMore = Math.round((readMemory(pid) - memoryBefore) / 1024 / 1024)

  await upload(client, id, csvOf(rows, rows))
  await send(client, 'POST', `${integrations}/${id}/import`, chosen)
  await wait(1_000)
  const cancelledAt = performance.now()
  await send(client, 'POST', `${integrations}/${id}/import/cancel`)
  while ((await send(client, 'GET', status)).syncStatus !== 'idle') await wait(2)
  const cancelMs = Math.round(performance.now() - cancelledAt)

  const idleFigures = figuresOf(idle)
  const besideFigures = figuresOf(besideTimes)
  printFigures(
    'import-beside',
    {
      'list, no import': idleFigures,
      'list beside the import': {
        ...besideFigures,
        'p95 / idle p95': Number((besideFigures['p95 ms'] / idleFigures['p95 ms']).toFixed(2)),
      },
      'status of the import': figuresOf(statusTimes),
      import: { 'rows/s': Math.round(rows / seconds), 'MiB of memory more': memoryMore },
      cancel: { 'ms to the end': cancelMs },
    },
    { ...options },
  )
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}

function after(ms: number): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() >= end
}
