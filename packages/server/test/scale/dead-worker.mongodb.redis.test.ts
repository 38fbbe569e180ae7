import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openLoadTenant, subscribe } from '../faults/support/tenant.ts'
import { call } from '../support/call.ts'
import { makeCertificate, startReceiver } from '../support/https-receiver.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'
import { startRedis } from '../support/redis-server.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-dead-worker-'))
const databaseUrl = newDatabaseUrl()
const cleanups: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })]
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

test('an attempt whose worker was killed is made again by another worker, under the same delivery', async () => {
  const redis = await startRedis()
  const certificate = await makeCertificate()
  let isHanging = true
  const receiver = await startReceiver(certificate, (_req, res) => isHanging || res.end('ok'))
  cleanups.push(
    () => dropDatabase(databaseUrl),
    () => redis.stop(),
    certificate.remove,
    () => receiver.close(),
  )
  const start = async (role: 'api' | 'worker'): Promise<Program> => {
    const program = await startProgram(serverProgram, ['start'], {
      PORT: '0',
      CRM_ROLE: role,
      CRM_DATA_DIR: dataDir,
      CRM_LOG_LEVEL: 'error',
      CRM_DATABASE_URL: databaseUrl,
      CRM_REDIS_URL: redis.url,
      CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
      CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
      CRM_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      CRM_WEBHOOK_CA_FILE: certificate.caFile,
    })
    cleanups.push(() => program.kill('SIGKILL'))
    return program
  }
  const [api, worker] = [await start('api'), await start('worker')]
  const tenant = await openLoadTenant(api.url)
  await subscribe(api.url, tenant, { url: receiver.url, events: ['customer.created'] })
  const body = { firstName: 'Ada' }
  await call(api.url, { method: 'POST', path: '/api/v1/customers', token: tenant.key, body })
  await receiver.waitFor(1)

  await worker.kill('SIGKILL')
  isHanging = false
  await start('worker')
  const [first, second] = await receiver.waitFor(2)
  for (const header of ['x-webhook-delivery', 'x-webhook-attempt', 'x-webhook-id']) {
    expect(second?.headers[header]).toBe(first?.headers[header])
  }
})
