import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeCertificate } from '../../../test/support/https-receiver.ts'
import { runProgram, serverProgram, startProgram } from '../../../test/support/programs.ts'
import { reserveFilename } from '../../adapters/data-directory/disk-reserve.ts'
import { examineReserve } from '../../adapters/data-directory/examine-reserve.ts'
import { loadConfig } from '../../main/config/config.ts'
import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import type { Check } from './check.ts'
import { spaceFinding } from './check-disk.ts'
import { checkExposure } from './check-exposure.ts'
import { checkMetrics } from './check-metrics.ts'
import { checkVisitors } from './check-visitors.ts'
import { caFinding } from './check-webhooks.ts'
import { checkWidgets } from './check-widgets.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-doctor-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (args: string[]) => runProgram(serverProgram, args, { env: { CRM_DATA_DIR: dataDir } })
/** The findings of one check with these settings, without a database. */
async function findingsOf(check: Check, env: Record<string, string> = {}): Promise<readonly Finding[]> {
  const config = loadConfig({ CRM_DATA_DIR: dataDir, ...env }, { dev: false, isReadOnly: true })
  const database = { findings: [], rows: undefined, close: async () => {} }
  return check.run({ config, database, isThorough: false })
}
const secret = 'the tests sign and seal with these thirty-two bytes'
const file = () => path.join(dataDir, 'crm.sqlite')

/** Overwrites the middle of the file, as a failing disk does. */
function damageMiddle(): void {
  const handle = openSync(file(), 'r+')
  for (let page = 20; page < 60; page += 1) writeSync(handle, Buffer.alloc(4096, 0xab), 0, 4096, page * 4096)
  closeSync(handle)
}

test.each([
  ['damaged pages', damageMiddle, /The database file is damaged: \w+/],
  ['no content', () => truncateSync(file()), /is empty, so its content is lost/],
  ['no secrets key', () => rmSync(path.join(dataDir, 'secrets-key')), /The secrets key is missing/],
])(
  'a data directory with %s ends the command with 1 and a mend, and every other check still runs',
  async (_, spoil, sentence) => {
    expect((await run(['tenants', 'create', 'Engines', '--email', 'ada@example.com'])).code).toBe(0)
    spoil()
    const before = readdirSync(dataDir).filter((name) => !/-(wal|shm)$/.test(name))
    const { code, stdout, stderr } = await run(['doctor'])
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toMatch(new RegExp(`^✗ .*${sentence.source}.*\n {10,}\\S`, 'm'))
    for (const subject of ['settings', 'disk', 'secrets', 'redis', 'webhooks'])
      expect(stdout).toMatch(new RegExp(`^[✓!✗] ${subject} `, 'm'))
    expect(readdirSync(dataDir).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(before)
  },
)

test('a healthy database of an earlier version has one warning, about its upgrade, and no problem', async () => {
  const migrations = new URL('../../adapters/sqlite/migrations/', import.meta.url)
  const db = new Database(file())
  for (const name of readdirSync(migrations).sort().slice(0, 13))
    db.exec(readFileSync(new URL(name, migrations), 'utf8'))
  db.pragma('user_version = 13')
  db.close()
  chmodSync(file(), 0o600)
  const { code, stdout } = await run(['doctor', '--all'])
  expect([code, stdout.match(/^✗.*/gm)]).toEqual([0, null])
  expect(stdout).toMatch(/^! database .*has schema 13; the next start upgrades it/m)
  expect(stdout).toMatch(/^✓ secrets .*after the upgrade/m)
})

test('a data directory that does not exist is not created', async () => {
  rmSync(dataDir, { recursive: true })
  expect((await run(['doctor'])).code).toBe(0)
  expect(existsSync(dataDir)).toBe(false)
})

test.each([
  [50, 'problem'],
  [500, 'warning'],
  [5_000, 'ok'],
])('%d MB of free disk space are: %s', (megabytes, outcome) => {
  expect(spaceFinding('/data', megabytes * 1024 * 1024)).toMatchObject({ outcome })
})

test('a database beside which nothing is reserved for a full disk is a warning, until a server has made the reserve', async () => {
  const reserve = path.join(dataDir, reserveFilename)
  const warning = (part: string) => ({ outcome: 'warning', sentence: expect.stringContaining(part) })
  expect(examineReserve(dataDir)).toMatchObject(warning('Nothing is reserved'))
  appendFileSync(reserve, 'too short')
  expect(examineReserve(dataDir)).toMatchObject(warning('has 9 bytes instead'))
  const server = await startProgram(serverProgram, ['start'], { PORT: '0', CRM_DATA_DIR: dataDir })
  await expect.poll(() => examineReserve(dataDir).outcome).toBe('ok')
  await server.kill('SIGTERM')
  expect((await run(['doctor'])).stdout).toMatch(/^✓ disk +16 MB are reserved/m)
})

test.each<[string, RequestListener | undefined, string]>([
  ['nothing', undefined, 'ok'],
  ['a server of crmkit', (_, res) => void res.end('crm_build_info{version="1.2.3",role="all"} 1'), 'ok'],
  ['another web server', (_, res) => void res.end('Hello'), 'problem'],
])('a port for metrics is a problem only where another program uses it: %s', async (_, respond, outcome) => {
  const server = createServer(respond).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = `${(server.address() as AddressInfo).port}`
  if (respond === undefined) await new Promise((resolve) => server.close(resolve))
  const found = await findingsOf(checkMetrics, { CRM_METRICS_PORT: port })
  server.close()
  expect(found).toEqual([expect.objectContaining({ outcome })])
})

test('metrics that other machines can read are a warning', async () => {
  const env = { CRM_METRICS_PORT: '0', CRM_METRICS_HOST: '0.0.0.0' }
  expect(await findingsOf(checkMetrics, env)).toContainEqual(
    expect.objectContaining({
      outcome: 'warning',
      sentence: expect.stringContaining('without a credential'),
    }),
  )
  expect(await findingsOf(checkMetrics, { ...env, CRM_METRICS_HOST: '127.0.0.1' })).toEqual([
    expect.objectContaining({ outcome: 'ok' }),
  ])
})

test.each([
  ['CRM_REGISTRATION', { CRM_REGISTRATION: 'open' }],
  ['CRM_RATE_LIMITS', { CRM_RATE_LIMITS: 'off' }],
  ['CRM_WEBHOOK_UNSAFE', { CRM_WEBHOOK_UNSAFE: '1', CRM_WEBHOOK_ALLOW_HTTP: '1' }],
  ['CRM_BASE_URL', { CRM_BASE_URL: 'http://crm.example.com' }],
  ['CRM_LOG_LEVEL', { CRM_LOG_LEVEL: 'silent' }],
])('a setting of %s that weakens production is a warning there, and no other one is', async (name, weak) => {
  const strict = {
    CRM_ENVIRONMENT: 'production',
    CRM_JWT_SECRET: secret,
    CRM_SECRETS_KEY: secret,
    CRM_RATE_LIMITS: 'on',
    CRM_BASE_URL: 'https://crm.example.com',
  }
  expect(await findingsOf(checkExposure, strict)).toEqual([expect.objectContaining({ outcome: 'ok' })])
  expect(await findingsOf(checkExposure, { ...strict, ...weak })).toEqual([
    expect.objectContaining({ outcome: 'warning', sentence: expect.stringContaining(name) }),
  ])
  expect(await findingsOf(checkExposure, weak)).toEqual([expect.objectContaining({ outcome: 'ok' })])
})

test('a certificate file is well until one of its certificates has expired, or cannot be parsed', async () => {
  const { caFile, remove } = await makeCertificate()
  const yearMs = 365 * 24 * 3_600_000
  expect(caFinding(caFile, Date.now())).toMatchObject({ outcome: 'ok' })
  expect(caFinding(caFile, Date.now() + 100 * yearMs)).toMatchObject({
    outcome: 'problem',
    sentence: expect.stringContaining('holds 1 expired certificates'),
  })
  appendFileSync(caFile, '\n-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----\n')
  expect(caFinding(caFile, Date.now())).toMatchObject({
    outcome: 'problem',
    sentence: expect.stringContaining('cannot be parsed'),
  })
  remove()
})

test.each<[string, (number | null | undefined)[], string]>([
  ['of one private address', Array(20).fill(7), 'warning'],
  ['of too few to tell', Array(19).fill(7), 'ok'],
  ['of several private addresses', [...Array(30).fill(7), 8], 'ok'],
  ['of the internet', Array(30).fill(null), 'ok'],
  ['of one private address and the internet', [...Array(30).fill(7), null], 'ok'],
  ['of earlier versions', Array(30).fill(undefined), 'ok'],
])('sessions of visitors %s: %#', async (_name, marks, outcome) => {
  const sessions = marks.map((addressMark, at) => ({
    id: `wss_${at}`,
    tenantId: 'ten_1',
    record: { addressMark },
  }))
  const rows = {
    readPage: async (_kind: string, after: { id: string } | null) => {
      const from = after === null ? 0 : sessions.findIndex(({ id }) => id === after.id) + 1
      return sessions.slice(from, from + 8)
    },
  }
  const config = loadConfig({ CRM_DATA_DIR: dataDir }, { dev: false, isReadOnly: true })
  const database = { findings: [], rows: rows as unknown as ExaminedRows, close: async () => {} }
  const [found] = await checkVisitors.run({ config, database, isThorough: false })
  expect(found?.outcome).toBe(outcome)
  if (outcome === 'warning') expect(found?.mend).toContain('CRM_TRUST_PROXY')
})

test('a chat widget that every page may embed is a warning that names its inbox, and no other widget is', async () => {
  const widget = (enabled: boolean, allowedOrigins: string[]) => ({ widget: { enabled, allowedOrigins } })
  const inboxes = [
    { id: 'inb_off', tenantId: 'ten_1', version: 1, record: widget(false, []) },
    { id: 'inb_open', tenantId: 'ten_1', version: 1, record: widget(true, []) },
    { id: 'inb_named', tenantId: 'ten_2', version: 1, record: widget(true, ['https://shop.example.com']) },
  ]
  const rows = {
    count: async () => inboxes.length,
    findMissing: async () => [],
    readPage: async (_kind: string, after: unknown) => (after === null ? inboxes : []),
  }
  const config = loadConfig({ CRM_DATA_DIR: dataDir }, { dev: false, isReadOnly: true })
  const database = { findings: [], rows: rows as unknown as ExaminedRows, close: async () => {} }
  const [found] = await checkWidgets.run({ config, database, isThorough: false })
  expect(found).toMatchObject({
    outcome: 'warning',
    sentence: expect.stringContaining('1 inboxes: inb_open.'),
  })
})
