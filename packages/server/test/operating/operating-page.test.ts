import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'

// Runs docs/operating.md from the first command to the last, against a real server on SQLite.

const page = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8')
const root = fileURLToPath(new URL('../../../..', import.meta.url))

interface Step {
  readonly command: string
  readonly expected: readonly string[]
}

const steps: readonly Step[] = Array.from(
  page.matchAll(/^```console\n(.*?)^```$/gms),
  ([, block = '']) => block,
)
  .flatMap((block) => block.split(/^\$ /m).slice(1))
  .map((text) => {
    const [command = '', ...expected] = text.trimEnd().split('\n')
    return { command, expected }
  })

let home: string
let server: Program
let metricsUrl: string
/** The words of the page for values of this machine. */
let words: Readonly<Record<string, string>>

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'crmkit-operating-'))
  for (const folder of ['data', 'backups', 'safe', 'bin']) mkdirSync(path.join(home, folder), { mode: 0o700 })
  const dataDir = path.join(home, 'data')
  server = await startProgram(serverProgram, ['start'], {
    PORT: '0',
    CRM_METRICS_PORT: '0',
    CRM_DATA_DIR: dataDir,
  })
  metricsUrl = /"url":"(\S+?)","msg":"The metrics are served"/.exec(server.stderr())?.[1] ?? ''
  const { token, tenant, email } = await registerTenant(server.url)
  const key = await createKey(server.url, token, ['read:customers'])
  await upload(server.url, { token, file: new File(['Hello'], 'notes.txt') })
  const customer = { method: 'POST', path: '/api/v1/customers', token, body: { firstName: 'Gone' } }
  const { _id: id } = (await call(server.url, customer)).body.data
  await call(server.url, { method: 'DELETE', path: `/api/v1/customers/${id}`, token })
  words = {
    TENANT_ID: tenant._id,
    KEY_HINT: key.slice(-10, -6),
    ADDRESS: email,
    Shop: tenant.name,
    'http://127.0.0.1:9464/metrics': metricsUrl,
    '/srv/crm': home,
    '/backups': path.join(home, 'backups'),
    '/safe': path.join(home, 'safe'),
  }
  for (const secret of ['jwt-secret', 'secrets-key']) {
    writeFileSync(path.join(home, 'safe', secret), readFileSync(path.join(dataDir, secret)))
  }
  const program = path.join(home, 'bin', 'crm-server')
  const command = [process.execPath, '--conditions=@crmkit/source', path.resolve(root, serverProgram)]
  writeFileSync(program, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(program, 0o755)
})
afterAll(async () => {
  await server.kill('SIGTERM')
  rmSync(home, { recursive: true, force: true })
})

function ofThisMachine(text: string): string {
  return Object.entries(words).reduce((sum, [word, value]) => sum.replaceAll(word, value), text)
}

async function run(command: string): Promise<string> {
  const env = {
    PATH: `${path.join(home, 'bin')}:${process.env['PATH']}`,
    CRM_DATA_DIR: path.join(home, 'data'),
    CRM_METRICS_PORT: new URL(metricsUrl).port,
  }
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', ofThisMachine(command)], { env })
  return stdout + stderr
}

/** Without ids, numbers, times and fingerprints, which differ between runs. */
function comparable(line: string): string {
  return line
    .replace(/\b[a-z]{3}_[0-9A-Z]{26}\b/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[0-9:.]+Z/g, 'TIME')
    .replace(/fingerprint [0-9a-f]+/g, 'fingerprint')
    .replace(/\d+/g, '0')
    .replace(/\b(Load|Key with 0 permissions)\t/g, 'KEY\t')
    .trim()
}

test('docs/operating.md works from top to bottom, as written, and its output is the one of the page', async () => {
  expect(steps.length).toBeGreaterThan(12)
  // The restore of the page takes the ledger of erasures.
  await expect.poll(() => existsSync(path.join(home, 'data', 'erasures.ndjson'))).toBe(true)
  for (const { command, expected } of steps) {
    const lines = (await run(command)).split('\n').map(comparable)
    for (const line of expected)
      expect(lines, `"${line}" after $ ${command}`).toContain(comparable(ofThisMachine(line)))
  }
})

async function metricNames(): Promise<string[]> {
  const text = await (await fetch(metricsUrl)).text()
  return Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name = '']) => name)
}

test('every metric is on the dashboard or in an alert', async () => {
  const shown = ['dashboards/crmkit.json', 'alerts.yml']
    .map((file) => readFileSync(path.join(root, 'examples/grafana', file), 'utf8'))
    .join('')
  // The start of the process is for those who compute its age.
  const named = (name: string) => name === 'process_start_time_seconds' || shown.includes(name)
  expect((await metricNames()).filter((name) => !named(name))).toEqual([])
})

test('a page of metrics and alerts names every metric and every alert that exists, and no other one', async () => {
  const metrics = await metricNames()
  const [, table = ''] = /^## Metrics\n(.*?)^## Alerts/ms.exec(page) ?? []
  const named = new Set(
    Array.from(table.matchAll(/`((?:crm|process|nodejs)_[a-z_]+)`/g), ([, name = '']) => name),
  )
  expect([...named].sort()).toEqual(metrics.sort())
  const rules = readFileSync(path.join(root, 'examples/grafana/alerts.yml'), 'utf8')
  const alerts = Array.from(rules.matchAll(/- alert: (\w+)/g), ([, name = '']) => name)
  const rows = Array.from(page.matchAll(/`(Crm[A-Z]\w+)`/g), ([, name = '']) => name)
  expect(new Set(rows)).toEqual(new Set(alerts))
})
