import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, password } from '../support/call.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis-server.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-roles-'))
const databaseUrl = newDatabaseUrl()
const programs: Program[] = []
let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(async () => {
  await Promise.all(programs.map((program) => program.kill('SIGTERM')))
  await redis.stop()
  await dropDatabase(databaseUrl)
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(role: 'api' | 'worker'): Promise<Program> {
  const program = await startProgram(serverProgram, ['start'], {
    PORT: '0',
    CRM_ROLE: role,
    CRM_DATA_DIR: dataDir,
    CRM_DATABASE_URL: databaseUrl,
    CRM_REDIS_URL: redis.url,
    CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
    CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
    CRM_LOG_LEVEL: 'error',
  })
  programs.push(program)
  return program
}

const health = async ({ url }: Program) => {
  const { status, body } = await call(url, { method: 'GET', path: '/api/v1/health' })
  return { status, checks: status === 200 ? body.data.checks : body.checks }
}

test('an API process and a worker divide the work, and health says which of them fails', async () => {
  const [api, otherApi] = [await start('api'), await start('api')]
  expect(await health(api)).toEqual({ status: 200, checks: { storage: 'ok', jobs: 'failing' } })
  const worker = await start('worker')
  for (const program of [api, otherApi, worker]) {
    await expect.poll(() => health(program)).toEqual({ status: 200, checks: { storage: 'ok', jobs: 'ok' } })
  }

  // A worker serves its health and nothing else.
  const register = { tenantName: 'Engines', email: 'ada@example.com', password }
  expect(
    (await call(worker.url, { method: 'POST', path: '/api/auth/register', body: register })).status,
  ).toBe(404)
  expect((await call(worker.url, { method: 'GET', path: '/api-docs/' })).status).toBe(404)

  // A change of a credential in one API process acts in another one at once, although the credential is in its cache.
  const registered = await call(api.url, { method: 'POST', path: '/api/auth/register', body: register })
  const { accessToken } = registered.body.data
  const me = (program: Program) =>
    call(program.url, { method: 'GET', path: '/api/auth/me', token: accessToken })
  expect((await me(otherApi)).status).toBe(200)
  await call(api.url, { method: 'POST', path: '/api/auth/logout', token: accessToken })
  const startedAt = performance.now()
  await expect.poll(async () => (await me(otherApi)).status).toBe(401)
  // Without a notice it would take ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(9_000)

  // Without a worker the API continues, and reports what is missing.
  expect(await worker.kill('SIGTERM')).toBe(0)
  await expect.poll(() => health(api)).toEqual({ status: 200, checks: { storage: 'ok', jobs: 'failing' } })
  await redis.kill()
  const login = { email: 'ada@example.com', password }
  expect((await call(api.url, { method: 'POST', path: '/api/auth/login', body: login })).status).toBe(200)
  expect(await otherApi.kill('SIGTERM')).toBe(0)
})
