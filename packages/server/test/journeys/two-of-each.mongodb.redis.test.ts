import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Fleet } from '../faults/support/fleet.ts'
import { type Load, openLoad } from '../faults/support/load.ts'
import { createRandom } from '../faults/support/random.ts'
import { type Receivers, startReceivers } from '../faults/support/receivers.ts'
import { call, createKey } from '../support/call.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis-server.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-two-of-each-'))
const databaseUrl = newDatabaseUrl()
const programs: Program[] = []
let redis: RedisServer
let certificate: TestCertificate
let receivers: Receivers

beforeAll(async () => {
  redis = await startRedis()
  certificate = await makeCertificate()
  receivers = await startReceivers(certificate)
})
afterAll(async () => {
  await Promise.all(programs.map((program) => program.kill('SIGKILL')))
  await receivers.close()
  certificate.remove()
  await redis.stop()
  await dropDatabase(databaseUrl)
  rmSync(dataDir, { recursive: true, force: true })
})

const settings = () => ({
  CRM_DATA_DIR: dataDir,
  CRM_DATABASE_URL: databaseUrl,
  CRM_REDIS_URL: redis.url,
  CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
  CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
  CRM_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  CRM_WEBHOOK_CA_FILE: certificate.caFile,
  CRM_RATE_LIMITS: 'off',
  CRM_LOG_LEVEL: 'error',
})

async function start(role: 'api' | 'worker'): Promise<Program> {
  const program = await startProgram(serverProgram, ['start'], { PORT: '0', CRM_ROLE: role, ...settings() })
  programs.push(program)
  return program
}

/** Clients call the API processes round-robin, and skip processes that have ended. */
function fleetOf(apis: readonly Program[]): Fleet {
  const isAlive = ({ process }: Program) => process.exitCode === null && process.signalCode === null
  const urls = () => apis.filter(isAlive).map(({ url }) => url)
  let calls = 0
  return {
    members: [],
    urls,
    whenUp: async () => urls()[calls++ % urls().length] ?? '',
    logsOf: () => [],
    stop: async () => [],
  }
}

const untilAcknowledged = (load: Load, more: number) => {
  const wanted = load.counts().acknowledged + more
  return expect.poll(() => load.counts().acknowledged).toBeGreaterThan(wanted)
}

it('two processes of each role serve and deliver, and one of each loses nothing', async () => {
  expect(await runProgram(serverProgram, ['migrate'], { env: settings() })).toMatchObject({ code: 0 })
  const [api, otherApi] = [await start('api'), await start('api')]
  const [worker, otherWorker] = [await start('worker'), await start('worker')]
  const random = createRandom(2)
  const load = await openLoad({ fleet: fleetOf([api, otherApi]), receivers, random })
  load.start()
  await untilAcknowledged(load, 50)

  // The other process refuses a key that one process revokes at once, although it has the key in its cache.
  const { ownerToken: token } = load.tenants[0] ?? { ownerToken: '' }
  const key = await createKey(api.url, token, ['read:customers'])
  const list = () => call(otherApi.url, { path: '/api/v1/customers?limit=1', token: key })
  expect((await list()).status).toBe(200)
  const keys = await call(api.url, { path: '/api/tenant/api-keys', token })
  const { _id: keyId } = keys.body.data.keys.find(({ name }: { name: string }) => name.startsWith('Key with'))
  await call(api.url, { method: 'POST', path: `/api/tenant/api-keys/${keyId}/revoke`, token })
  const revokedAt = performance.now()
  await expect.poll(async () => (await list()).status).toBe(401)
  // Without a notice it would take ten seconds.
  expect(performance.now() - revokedAt).toBeLessThan(9_000)

  await Promise.all([otherApi.kill('SIGKILL'), otherWorker.kill('SIGKILL')])
  await untilAcknowledged(load, 100)
  await load.stop()
  const {
    acknowledged: _many,
    unknown: _few,
    refused,
    unsent: _some,
    duplicates: _again,
    ...found
  } = await load.verify({ crashes: 2 })
  expect({ ...found, refused }).toEqual({ lostRows: [], lostEvents: [], contradictions: [], refused: 0 })
  expect(await Promise.all([api.kill('SIGTERM'), worker.kill('SIGTERM')])).toEqual([0, 0])
})
