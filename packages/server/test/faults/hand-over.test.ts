import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newestSchema } from '../../src/adapters/sqlite/connection/migrate.ts'
import { call, registerTenant } from '../support/call.ts'
import { type Program, runProgram, serverProgram, startNodeProgram } from '../support/programs.ts'
import { makeEarlier } from './support/earlier-schema.ts'

// One version of the server ends on an SQLite file, and another one begins.

const preload = fileURLToPath(new URL('support/preload/preload.ts', import.meta.url))
/** The schema of the earlier server. */
const earlierSchema = 139

let folder: string
const running: Program[] = []
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'crmkit-hand-over-'))
})
afterEach(async () => {
  for (const program of running.splice(0)) await program.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const inFolder = (...names: string[]) => path.join(folder, ...names)
const environment = (data: string) => ({
  PORT: '0',
  CRM_DATA_DIR: inFolder(data),
  CRM_LOG_LEVEL: 'error',
})
const run = (data: string, ...args: string[]) => runProgram(serverProgram, args, { env: environment(data) })

async function start(data: string, plan: object = {}): Promise<Program> {
  const env = { ...environment(data), FAULT_PLAN: JSON.stringify(plan) }
  const nodeArgs = ['--import', preload]
  const args = ['start', '--dev']
  const program = await startNodeProgram({ file: serverProgram, args, env, nodeArgs })
  running.push(program)
  return program
}

const addCustomer = (url: string, token: string, firstName: string) =>
  call(url, { method: 'POST', path: '/api/v1/customers', token, body: { firstName } })

async function idsOf(url: string, token: string): Promise<string[]> {
  const listed = await call(url, { path: '/api/v1/customers?limit=100', token })
  expect(listed.status).toBe(200)
  return listed.body.data.map(({ _id }: { _id: string }) => _id)
}

/** Adds customers without a pause until the server is away; resolves to those that it has acknowledged. */
async function addUntilAway(url: string, token: string): Promise<string[]> {
  const acknowledged: string[] = []
  for (;;) {
    const response = await addCustomer(url, token, 'Ada').catch(() => undefined)
    if (response === undefined) return acknowledged
    if (response.status === 201) acknowledged.push(response.body.data._id)
  }
}

const schemaOf = (file: string): number => {
  const db = new Database(file, { readonly: true })
  try {
    return Number(db.pragma('user_version', { simple: true }))
  } finally {
    db.close()
  }
}

test('one server follows another under load within ten seconds and has every acknowledged change; a second one is refused meanwhile', async () => {
  let startedMs = performance.now()
  const first = await start('data')
  const startMs = performance.now() - startedMs
  const { token } = await registerTenant(first.url)
  const load = Promise.all([1, 2, 3].map(() => addUntilAway(first.url, token)))

  const database = inFolder('data', 'crm.sqlite')
  const sentence = `process ${first.process.pid} (crm-server start, since `
  for (const args of [['start', '--dev'], ['migrate']]) {
    const { code, stderr } = await run('data', ...args)
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    expect(stderr).toContain(`uses ${database}: stop it first`)
  }
  // Other commands run beside a server.
  expect(await run('data', 'tenants', 'list')).toMatchObject({ code: 0 })

  startedMs = performance.now()
  expect(await first.kill('SIGTERM')).toBe(0)
  const second = await start('data')
  // Beyond the time of any start, which a busy machine makes long: nothing waits for a lease to end.
  expect(performance.now() - startedMs - startMs).toBeLessThan(10_000)
  const acknowledged = (await load).flat()
  expect(acknowledged.length).toBeGreaterThan(0)
  const found = await Promise.all(
    acknowledged.map((id) => call(second.url, { path: `/api/v1/customers/${id}`, token })),
  )
  expect(found.filter(({ status }) => status !== 200)).toEqual([])
})

test('a server that was killed leaves no lock', async () => {
  const first = await start('data')
  const { token } = await registerTenant(first.url)
  await first.kill('SIGKILL')
  const second = await start('data')
  expect(await idsOf(second.url, token)).toEqual([])
})

test('a start that is killed within the upgrade is repeated, and the backup that it made before brings the earlier schema back', async () => {
  const database = inFolder('data', 'crm.sqlite')
  const first = await start('data')
  const { token } = await registerTenant(first.url)
  const before = (await addCustomer(first.url, token, 'Before')).body.data._id
  await first.kill('SIGTERM')
  makeEarlier(database, earlierSchema)

  const listed = await run('data', 'tenants', 'list')
  expect([listed.code, listed.stderr]).toEqual([1, expect.stringContaining('run crm-server migrate first')])
  expect(schemaOf(database)).toBe(earlierSchema)

  const died: Promise<unknown>[] = []
  const killed = startNodeProgram({
    file: serverProgram,
    args: ['start', '--dev'],
    env: {
      ...environment('data'),
      FAULT_PLAN: JSON.stringify({ crash: { point: 'during-migration', passage: 1 } }),
    },
    nodeArgs: ['--import', preload],
    onSpawn: (child) => void died.push(once(child, 'exit')),
  })
  await expect(killed).rejects.toThrow()
  await Promise.all(died)
  expect(schemaOf(database)).toBe(earlierSchema)

  const second = await start('data')
  const backup = `${database}.before-schema-${newestSchema()}.tar`
  expect(second.stderr()).toContain(
    `${backup} holds the data before the upgrade from schema ${earlierSchema}`,
  )
  expect(existsSync(`${backup}.part`)).toBe(false)
  expect(schemaOf(database)).toBe(newestSchema())
  const after = (await addCustomer(second.url, token, 'After')).body.data._id
  expect((await idsOf(second.url, token)).sort()).toEqual([before, after].sort())
  await second.kill('SIGTERM')

  mkdirSync(inFolder('restored'), { mode: 0o700 })
  for (const name of ['jwt-secret', 'secrets-key'])
    copyFileSync(inFolder('data', name), inFolder('restored', name))
  expect(await run('restored', 'restore', backup)).toMatchObject({ code: 0 })
  expect(schemaOf(inFolder('restored', 'crm.sqlite'))).toBe(earlierSchema)
  const third = await start('restored')
  expect(await idsOf(third.url, token)).toEqual([before])
})

test('migrate --no-backup writes no backup', async () => {
  const database = inFolder('data', 'crm.sqlite')
  expect(await run('data', 'migrate')).toMatchObject({ code: 0 })
  makeEarlier(database, earlierSchema)
  expect(await run('data', 'migrate', '--no-backup')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^crm-server: The database is upgraded from schema 139 to \d+\ncrm-server: The upgrade .+ tables are large\ncrm-server: The database was upgraded in \d+ s\n$/,
    ),
  })
  expect(schemaOf(database)).toBe(newestSchema())
  expect(existsSync(`${database}.before-schema-${newestSchema()}.tar`)).toBe(false)
})
