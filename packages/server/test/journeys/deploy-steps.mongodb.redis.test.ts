import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, password } from '../support/call.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { serverProgram } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis-server.ts'

// The services of compose.yaml, each by the step that its container runs, without Docker.

const root = path.resolve(import.meta.dirname, '../../../..')
const steps = path.join(root, 'deploy/steps.sh')
const compose = readFileSync(path.join(root, 'compose.yaml'), 'utf8')
const machine = mkdtempSync(path.join(tmpdir(), 'crmkit-deploy-'))
const databaseUrl = newDatabaseUrl()
const running: ChildProcess[] = []
let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null) continue
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await redis.stop()
  await dropDatabase(databaseUrl)
  rmSync(machine, { recursive: true, force: true })
})

/** The environment of the containers, with the addresses and folders of this machine. */
function environment(): Record<string, string> {
  const start = compose.indexOf('  environment:\n')
  const block = compose.slice(start, compose.indexOf('  volumes:', start))
  const lines = [...block.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)]
  const own: Readonly<Record<string, string>> = {
    CRM_HOST: '127.0.0.1',
    CRM_DATABASE_URL: databaseUrl,
    CRM_REDIS_URL: redis.url,
  }
  const pairs = lines.map(([, name = '', text = '']) => {
    const value = text.replace(/\$\{\w+:-(.*)\}/, '$1').replace('/etc/crmkit', path.join(machine, 'secrets'))
    return [name, own[name] ?? value]
  })
  return Object.fromEntries(pairs)
}

/** The command of a service, as the file has it. */
function commandOf(service: string): string[] {
  const [, words = ''] =
    new RegExp(`^  ${service}:\\n(?:    .*\\n)*?    command: \\[(.*)\\]`, 'm').exec(compose) ?? []
  return words.split(',').map((word) => word.trim().replace('/etc/crmkit', path.join(machine, 'secrets')))
}

const options = () => ({
  env: {
    PATH: process.env['PATH'],
    PORT: '0',
    CRM_DATA_DIR: path.join(machine, 'data'),
    CRMKIT_SERVER: `${process.execPath} --conditions=@crmkit/source ${path.resolve(root, serverProgram)}`,
    ...environment(),
  },
})
const runStep = (...args: string[]) => promisify(execFile)(steps, args, options())

async function startService(name: string): Promise<string> {
  const child = spawn(steps, commandOf(name), { ...options(), stdio: ['ignore', 'pipe', 'inherit'] })
  running.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /listening on (\S+)/.exec(line) ?? []
    if (url) return url
  }
  throw new Error(`${name} ended before it listened`)
}

it('the steps of compose.yaml make secrets once, migrate, and start two API processes and a worker', async () => {
  await runStep(...commandOf('secrets'))
  const secret = path.join(machine, 'secrets/jwt-secret')
  const first = readFileSync(secret, 'utf8')
  await runStep(...commandOf('secrets'))
  expect([readFileSync(secret, 'utf8'), statSync(secret).mode & 0o777]).toEqual([first, 0o600])
  await runStep(...commandOf('migrate'))
  const [api, other] = [await startService('api-1'), await startService('api-2')]
  await startService('worker')

  // The first tenant, as docs/production.md makes it.
  const { stdout } = await runStep('run', 'tenants', 'create', 'Engines', '--email', 'ada@example.com')
  const token = stdout.trim().split('\t')[2]
  const accepted = await call(api, {
    method: 'POST',
    path: '/api/auth/accept-invite',
    body: { token, password },
  })
  const session = accepted.body.data.accessToken
  const created = await call(api, {
    method: 'POST',
    path: '/api/v1/customers',
    token: session,
    body: { firstName: 'Grace' },
  })
  const read = await call(other, {
    method: 'GET',
    path: `/api/v1/customers/${created.body.data._id}`,
    token: session,
  })
  expect([created.status, read.body.data.profile.firstName]).toEqual([201, 'Grace'])
  const registered = await call(api, {
    method: 'POST',
    path: '/api/auth/register',
    body: { tenantName: 'Others', email: 'eve@example.com', password },
  })
  expect(registered.status).toBe(403)

  for (const child of running) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  }
})

it('an unknown step prints the list of steps and ends with 2', async () => {
  const failed = await runStep('serve').catch((error: { code: number; stderr: string }) => error)
  expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('steps.sh secrets FOLDER') })
})
