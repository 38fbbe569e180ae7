import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../../packages/server/test/support/call.ts'
import { type Program, serverProgram, startProgram } from '../../packages/server/test/support/programs.ts'
import {
  complaintsOf,
  type Prometheus,
  startPrometheus,
} from '../../packages/server/test/support/prometheus.ts'

const own = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const ruleFile = own('alerts.yml')
const secret = 'the tests sign and seal with these thirty-two bytes'

let dataDir: string
let server: Program
let prometheus: Prometheus
let metricsUrl: string

/** A server whose every counter has moved once, and a Prometheus that has seen it. */
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-grafana-'))
  server = await startProgram(serverProgram, ['start'], {
    PORT: '0',
    CRM_METRICS_PORT: '0',
    CRM_DATA_DIR: dataDir,
    // Without a telephony provider a production server has an operation that replies with 503.
    CRM_ENVIRONMENT: 'production',
    CRM_REGISTRATION: 'open',
    CRM_JWT_SECRET: secret,
    CRM_SECRETS_KEY: secret,
  })
  metricsUrl = /"url":"(\S+?)","msg":"The metrics are served"/.exec(server.stderr())?.[1] ?? ''
  const { token } = await registerTenant(server.url)
  const send = (method: string, path: string, body?: unknown, credential = token) =>
    call(server.url, { method, path, token: credential, body })
  await send('POST', '/api/v1/customers', { firstName: 'Ada' })
  await send('GET', '/api/v1/customers', undefined, 'sk_live_not-a-key')
  const { status } = await send('POST', '/api/telephony/webrtc/capability-token', {
    customerPhone: '+15551234567',
  })
  expect(status).toBe(503)
  prometheus = await startPrometheus({ target: metricsUrl, ruleFile })
})
afterAll(async () => {
  await prometheus?.stop()
  await server.kill('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
})

interface Panel {
  title: string
  type: string
  targets?: readonly { expr: string }[]
}

const dashboard = JSON.parse(readFileSync(own('dashboards/crmkit.json'), 'utf8')) as {
  panels: readonly Panel[]
}

/** The queries with Grafana's variables replaced, as it sends them. */
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({
    title,
    query: expr.replaceAll('$__rate_interval', '10s').replaceAll('$instance', '.+'),
  })),
)

test('Prometheus finds no fault in the text of the metrics: names, units, types and help', async () => {
  const text = await (await fetch(metricsUrl)).text()
  expect(complaintsOf('metrics', { input: text })).toBe('')
})

test('every query of the dashboard finds series in a real Prometheus that scrapes a real server', async () => {
  expect(queries.length).toBeGreaterThan(30)
  const empty: string[] = []
  for (const { title, query } of queries) {
    const found = await prometheus.query(query)
    if (found.length === 0) empty.push(`${title}: ${query}`)
  }
  expect(empty).toEqual([])
})

/** Every selector of a metric in an expression, with its labels. */
const selector = /\b(?:crm|process|nodejs)_[a-z_]+(?:\{[^}]*\})?/g

test('every alert is valid, names series that exist, and none fires for a server that is well', async () => {
  expect(complaintsOf('rules', { file: ruleFile })).toBe('')
  const rules = readFileSync(ruleFile, 'utf8')
  const selectors = [...new Set(rules.match(selector))]
  const unknown: string[] = []
  for (const one of selectors) if ((await prometheus.query(one)).length === 0) unknown.push(one)
  expect(unknown).toEqual([])
  await expect
    .poll(async () => (await prometheus.rules()).map(({ health }) => health))
    .toEqual(Array.from(rules.matchAll(/- alert:/g), () => 'ok'))
  // The one request that this test made fail is half of all: that rule is pending, as it has to be.
  const firing = (await prometheus.rules()).filter(({ state }) => state === 'firing')
  expect(firing).toEqual([])
})
