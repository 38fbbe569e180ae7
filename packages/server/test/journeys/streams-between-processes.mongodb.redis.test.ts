import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { type OpenStream, openStream } from '../support/open-stream.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis-server.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-streams-'))
const databaseUrl = newDatabaseUrl()
const programs: Program[] = []
let redis: RedisServer

beforeAll(async () => {
  redis = await startRedis()
})
afterAll(async () => {
  await Promise.all(programs.map((program) => program.kill('SIGKILL')))
  await redis.stop()
  await dropDatabase(databaseUrl)
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<Program> {
  const program = await startProgram(serverProgram, ['start'], {
    PORT: '0',
    CRM_ROLE: 'api',
    CRM_DATA_DIR: dataDir,
    CRM_DATABASE_URL: databaseUrl,
    CRM_REDIS_URL: redis.url,
    CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
    CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
    CRM_RATE_LIMITS: 'off',
    CRM_LOG_LEVEL: 'error',
  })
  programs.push(program)
  return program
}

const namesIn = (messages: readonly { data: string }[]) =>
  messages.map(({ data }) => JSON.parse(data).data.profile.firstName as string)

it('a stream of one process shows the commits of another, also when the process that gives positions is killed', async () => {
  // The first one to start holds the lease.
  const [first, second, third] = [await start(), await start(), await start()]
  const { token } = await registerTenant(second.url)
  const stream: OpenStream = await openStream(third.url, { token, query: 'types=customer.created' })
  const add = (firstName: string) =>
    call(second.url, { method: 'POST', path: '/api/v1/customers', token, body: { firstName } })
  await add('Ada')
  expect(namesIn(await stream.waitFor(1))).toEqual(['Ada'])
  await first.kill('SIGKILL')
  await add('Grace')
  expect(namesIn(await stream.waitFor(2))).toEqual(['Ada', 'Grace'])
  const [, last] = await stream.waitFor(2)
  // The process ends its streams at once; the client continues with another process.
  const stopping = third.kill('SIGTERM')
  await stream.ended
  expect(await stopping).toBe(0)
  await add('Hedy')
  const query = 'types=customer.created'
  const resumed = await openStream(second.url, { token, query, headers: { 'Last-Event-ID': last?.id ?? '' } })
  expect(namesIn(await resumed.waitFor(1))).toEqual(['Hedy'])
  resumed.close()
})
