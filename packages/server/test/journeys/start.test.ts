import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { openStream } from '../support/open-stream.ts'
import { runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { newTestWorld, type TestWorld } from '../support/test-world.ts'

let dataDir: string
let world: TestWorld
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-start-'))
  world = newTestWorld()
})
afterEach(async () => {
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = (env: Record<string, string> = {}, args = ['start', '--dev']) =>
  startProgram(serverProgram, args, {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
    ...world.variables,
    ...env,
  })
/** What goes wrong before a server listens does so in every world. */
const fail = (env: Record<string, string>, args = ['start']) =>
  runProgram(serverProgram, args, { env: { PORT: '0', CRM_DATA_DIR: dataDir, ...env } })

it('prints one line on stdout, ends in order on SIGTERM, and finds its data again', async () => {
  const first = await start()
  const { token } = await registerTenant(first.url)
  await call(first.url, { method: 'POST', path: '/api/v1/customers', token, body: { firstName: 'Ada' } })
  expect(await first.kill('SIGTERM')).toBe(0)
  expect(first.lines).toEqual([`crm-server listening on ${first.url}`])

  const second = await start()
  const customers = await call(second.url, { path: '/api/v1/customers', token })
  expect(customers.body.data).toMatchObject([{ profile: { firstName: 'Ada' } }])
  expect(await second.kill('SIGTERM')).toBe(0)
})

it('ends its streams at once on SIGTERM, and does not wait for clients that would read for ever', async () => {
  const server = await start()
  const { token } = await registerTenant(server.url)
  const stream = await openStream(server.url, { token })
  const startedAt = performance.now()
  expect(await server.kill('SIGTERM')).toBe(0)
  await stream.ended
  // Running requests are given 10 seconds.
  expect(performance.now() - startedAt).toBeLessThan(8_000)
})

it('logs JSON lines on stderr, and no secret in them', async () => {
  const server = await start({ CRM_LOG_LEVEL: 'trace' }, ['start'])
  const { token, refreshToken } = await registerTenant(server.url)
  await call(server.url, { path: '/api/v1/customers?cursor=made-up', token })
  await server.kill('SIGTERM')
  const logged = server.stderr()
  for (const line of logged.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  for (const secret of [token, refreshToken, 'correct horse battery']) expect(logged).not.toContain(secret)
})

it('says in one sentence that the port is taken', async () => {
  const server = await start()
  const { port } = new URL(server.url)
  const second = await fail({ PORT: port })
  expect(second).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^crm-server: Port \d+ on 127\.0\.0\.1 is already in use.*\n$/),
  })
  await server.kill('SIGTERM')
})

it('says in one sentence that the data directory cannot be written', async () => {
  const file = path.join(dataDir, 'file')
  writeFileSync(file, '')
  const finished = await fail({ CRM_DATA_DIR: path.join(file, 'data') })
  expect(finished).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^crm-server: CRM_DATA_DIR [^\n]*\n$/),
  })
})

it('names every bad variable, one sentence each', async () => {
  const finished = await fail({ PORT: 'http', CRM_ENVIRONMENT: 'prod' })
  expect(finished.code).toBe(1)
  expect(
    finished.stderr
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[1]),
  ).toEqual(['PORT', 'CRM_ENVIRONMENT'])
})

it('refuses a database file that is none, and a command that does not exist, in words', async () => {
  writeFileSync(
    path.join(dataDir, 'crm.sqlite'),
    'this is no database, and it is longer than one hundred bytes '.repeat(4),
  )
  for (const finished of [await fail({}), await fail({}, ['serve'])]) {
    expect(finished.code).toBe(1)
    expect(finished.stderr).toMatch(/^crm-server: /)
    expect(finished.stderr).not.toMatch(/^ {4}at /m)
  }
})
