import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { schemaVersion } from '../../src/adapters/mongo/connection/migrate.ts'
import { call, registerTenant } from '../support/call.ts'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../support/mongo-database.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-newer-schema-'))
const databaseUrl = newDatabaseUrl()
const programs: Program[] = []
afterAll(async () => {
  for (const program of programs) await program.kill('SIGKILL')
  await dropDatabase(databaseUrl)
  rmSync(dataDir, { recursive: true, force: true })
})

const env = {
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'fatal',
  CRM_DATABASE_URL: databaseUrl,
  CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
  CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
}

async function start(): Promise<Program> {
  const program = await startProgram(serverProgram, ['start', '--dev'], env)
  programs.push(program)
  return program
}

const customers = () =>
  withDatabase(databaseUrl, (connection) => connection.collection('customers').countDocuments())

test('two processes under which the schema is raised respond with 503 UPGRADE, commit nothing more, and end with 75 within 30 seconds', async () => {
  const servers = [await start(), await start()]
  const [{ url } = { url: '' }] = servers
  const { token } = await registerTenant(url)
  const add = (at: string) =>
    call(at, { method: 'POST', path: '/api/v1/customers', token, body: { firstName: 'Ada' } })
  for (const server of servers) expect((await add(server.url)).status).toBe(201)
  const ended = Promise.all(servers.map(({ process }) => once(process, 'exit')))
  const before = await customers()

  const version = schemaVersion + 1
  await withDatabase(databaseUrl, (connection) =>
    connection.collection<{ _id: string }>('serverState').updateOne({ _id: 'schema' }, { $set: { version } }),
  )
  const raisedMs = performance.now()
  const codeOf = async (at: string, ask: (at: string) => ReturnType<typeof call>) => (await ask(at)).body.code
  const health = (at: string) => call(at, { path: '/api/v1/health' })
  const sayUpgrade = async ({ url: at }: Program) => {
    await expect.poll(() => codeOf(at, health), { interval: 50 }).toBe('UPGRADE')
    const refused = await add(at)
    expect([refused.status, refused.body.code]).toEqual([503, 'UPGRADE'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // Another path, which no operation has.
    expect((await call(at, { path: '/api/v1/nothing' })).body.code).toBe('UPGRADE')
  }
  // At once: each ends five seconds after it has noticed, and the other one may notice five seconds later.
  await Promise.all(servers.map(sayUpgrade))
  expect((await ended).map(([code]) => code)).toEqual([75, 75])
  expect(performance.now() - raisedMs).toBeLessThan(30_000)
  expect(await customers()).toBe(before)
  const sentence = `the database has schema ${version}, and this process works with ${schemaVersion}`
  for (const server of servers) expect(server.stderr()).toContain(sentence)

  const again = await runProgram(serverProgram, ['start', '--dev'], { env })
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`has schema ${version}`)])
})
