import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { openStream } from '../support/open-stream.ts'
import { runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { scrape } from '../support/read-metrics.ts'
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
/** Refusals before a server listens are the same in every world. */
const fail = (env: Record<string, string>, args = ['start']) =>
  runProgram(serverProgram, args, { env: { PORT: '0', CRM_DATA_DIR: dataDir, ...env } })
/** The data of a server that may run beside the first one. */
const ofAnother = () => ({ CRM_DATA_DIR: path.join(dataDir, 'another') })

it('the server prints one line on stdout, ends in order on SIGTERM, and finds its data again', async () => {
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

it('CRM_DRAIN_SECONDS: after SIGTERM the health is 503 and everything else is served, until the time is over', async () => {
  const server = await start({ CRM_DRAIN_SECONDS: '2' })
  const { token } = await registerTenant(server.url)
  const ended = server.kill('SIGTERM')
  const health = async () => (await call(server.url, { path: '/api/v1/health' })).status
  await expect.poll(health).toBe(503)
  const customers = { method: 'POST', path: '/api/v1/customers', token, body: { firstName: 'Ada' } }
  expect((await call(server.url, customers)).status).toBe(201)
  expect((await call(server.url, { path: '/api/v1/health/live' })).body).toEqual({
    success: true,
    data: { status: 'ok' },
  })
  expect(await ended).toBe(0)
})

it('CRM_METRICS_PORT serves the metrics of the process as long as it runs; its address is in the log', async () => {
  const server = await start({ CRM_METRICS_PORT: '0' })
  const url = /"url":"(\S+?)","msg":"The metrics are served"/.exec(server.stderr())?.[1] ?? ''
  await call(server.url, { path: '/api/v1/health' })
  const { sum } = await scrape(url)
  expect(sum('crm_http_requests_total', { path: '/api/v1/health' })).toBe(1)
  expect(sum('process_start_time_seconds')).toBeLessThan(Date.now() / 1000)
  const port = new URL(url).port
  const second = await fail({ ...ofAnother(), CRM_METRICS_PORT: port })
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('set CRM_METRICS_PORT to another'),
  })
  expect(server.lines).toEqual([`crm-server listening on ${server.url}`])
  expect(await server.kill('SIGTERM')).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})

it('the server writes its counts of requests and response times on SIGTERM, and adds to them after the next start', async () => {
  const first = await start()
  const { token } = await registerTenant(first.url)
  const paths = ['/api/v1/customers', '/api/v1/customers', '/api/v1/customers/cus_unknown']
  for (const path of paths) await call(first.url, { path, token })
  expect(await first.kill('SIGTERM')).toBe(0)

  const second = await start()
  const read = async (name: string) =>
    (await call(second.url, { path: `/api/v1/analytics/${name}`, token })).body.data
  // The reads count too, as soon as they are written.
  const { requestsByEndpoint } = (await read('usage')).usage
  expect(requestsByEndpoint).toMatchObject({ '/api/v1/customers': 2, '/api/v1/customers/{id}': 1 })
  const { totalRequests, successfulRequests, failedRequests } = await read('metrics')
  expect(failedRequests).toBe(1)
  expect(successfulRequests).toBeGreaterThanOrEqual(2)
  expect(totalRequests).toBe(successfulRequests + failedRequests)
  expect(await second.kill('SIGTERM')).toBe(0)

  const third = await start()
  const { body } = await call(third.url, { path: '/api/v1/analytics/usage', token })
  expect(body.data.usage.requestsByEndpoint).toMatchObject({
    '/api/v1/customers': 2,
    '/api/v1/customers/{id}': 1,
    '/api/v1/analytics/metrics': 1,
  })
  expect(await third.kill('SIGTERM')).toBe(0)
})

it('the server ends its streams at once on SIGTERM, and does not wait for clients that would read permanently', async () => {
  const server = await start()
  const { token } = await registerTenant(server.url)
  const stream = await openStream(server.url, { token })
  const startedAt = performance.now()
  expect(await server.kill('SIGTERM')).toBe(0)
  await stream.ended
  // Running requests get 10 seconds.
  expect(performance.now() - startedAt).toBeLessThan(8_000)
})

it('the server logs JSON lines on stderr, without any secret', async () => {
  const server = await start({ CRM_LOG_LEVEL: 'trace' }, ['start'])
  const { token, refreshToken } = await registerTenant(server.url)
  await call(server.url, { path: '/api/v1/customers?cursor=made-up', token })
  await server.kill('SIGTERM')
  const logged = server.stderr()
  for (const line of logged.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  for (const secret of [token, refreshToken, 'correct horse battery']) expect(logged).not.toContain(secret)
})

it('the server reports a taken port in one sentence', async () => {
  const server = await start()
  const { port } = new URL(server.url)
  const second = await fail({ ...ofAnother(), PORT: port })
  expect(second).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^crm-server: Port \d+ on 127\.0\.0\.1 is already in use.*\n$/),
  })
  await server.kill('SIGTERM')
})

it('the server reports an unwritable data directory in one sentence', async () => {
  const file = path.join(dataDir, 'file')
  writeFileSync(file, '')
  const finished = await fail({ CRM_DATA_DIR: path.join(file, 'data') })
  expect(finished).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^crm-server: CRM_DATA_DIR [^\n]*\n$/),
  })
})

it('the server names every invalid variable, one sentence each', async () => {
  const finished = await fail({ PORT: 'http', CRM_ENVIRONMENT: 'prod' })
  expect(finished.code).toBe(1)
  expect(
    finished.stderr
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[1]),
  ).toEqual(['PORT', 'CRM_ENVIRONMENT'])
})

it('the server refuses a file that is no database, and an unknown command, in words', async () => {
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
