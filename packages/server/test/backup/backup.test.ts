import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Crm } from '@crmkit/sdk'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'

// `crm-server backup` and `restore` as an operator runs them, beside a real server.

let folder: string
let running: Program[]
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'crmkit-backup-'))
  running = []
})
afterEach(async () => {
  for (const server of running) await server.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const inFolder = (name: string) => path.join(folder, name)
const environment = (data: string) => ({
  PORT: '0',
  CRM_DATA_DIR: inFolder(data),
  CRM_LOG_LEVEL: 'error',
})
async function start(data: string): Promise<Program> {
  const server = await startProgram(serverProgram, ['start', '--dev'], environment(data))
  running.push(server)
  return server
}
const run = (data: string, ...args: string[]) => runProgram(serverProgram, args, { env: environment(data) })

/** Makes a data directory with the secrets of another one, as an operator does before a restoration. */
function copySecrets(from: string, to: string): void {
  mkdirSync(inFolder(to), { mode: 0o700 })
  for (const name of ['jwt-secret', 'secrets-key'])
    copyFileSync(path.join(inFolder(from), name), path.join(inFolder(to), name))
}

const bytesOf = (seed: string) => Buffer.from(seed.repeat(2_000))
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Overwrites the first page of the table of sessions, as a failing disk does. */
function damagePage(file: string): void {
  const db = new Database(file)
  const page = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sessions'")
    .pluck()
    .get() as number
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4096, 0xab), 0, 4096, (page - 1) * 4096)
  closeSync(handle)
}

/** A server with one tenant and some attachments. */
async function startWithData(data: string, attachments = 3) {
  const server = await start(data)
  const { token, tenant } = await registerTenant(server.url)
  const ids: string[] = []
  for (let i = 0; i < attachments; i += 1) {
    const file = new File([bytesOf(`file ${i} `)], `file-${i}.txt`, { type: 'text/plain' })
    ids.push((await upload(server.url, { token, file }))._id)
  }
  return { server, token, tenant, ids }
}

/** Changes a tenant's data without a pause until it is stopped; each writer waits for its acknowledgements. */
function load(url: string, { token, inboxId }: { token: string; inboxId: string }) {
  let isStopped = false
  /** In the order of their acknowledgements. */
  const customers: string[] = []
  const files = new Map<string, string>()
  const post = async (at: string, body: unknown) => {
    const response = await call(url, { method: 'POST', path: at, token, body })
    if (response.status !== 201) throw new Error(`${at}: ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  async function addCustomers(): Promise<void> {
    while (!isStopped) {
      const { _id } = await post('/api/v1/customers', { firstName: `Customer ${customers.length}` })
      customers.push(_id)
    }
  }
  /** Conversations with a file, of which every other one is erased with its bytes. */
  async function addFiles(): Promise<void> {
    for (let i = 0; !isStopped; i += 1) {
      const bytes = randomBytes(20_000)
      const { _id: id } = await upload(url, { token, file: new File([bytes], 'photo.bin') })
      const message = { content: 'Here it is', attachments: [id] }
      const conversation = await post('/api/v1/conversations', {
        subject: `Conversation ${i}`,
        inboxId,
        message,
      })
      if (i % 2 === 0) files.set(id, sha256(bytes))
      else await call(url, { method: 'DELETE', path: `/api/v1/conversations/${conversation._id}`, token })
    }
  }
  const work = Promise.all([addCustomers(), addFiles(), addFiles()])
  return {
    customers,
    files,
    async stop() {
      isStopped = true
      await work
    },
  }
}

test('a backup under load holds one moment: no row, event or file of it is missing, and none is of another moment', async () => {
  const { server, token } = await startWithData('live')
  const inboxes = await call(server.url, { path: '/api/v1/inboxes', token })
  const key = await createKey(server.url, token, ['read:customers', 'read:conversations'])
  const writers = load(server.url, { token, inboxId: inboxes.body.data[0]._id })
  await expect.poll(() => writers.files.size).toBeGreaterThan(5)
  const before = { customers: [...writers.customers], files: new Map(writers.files) }
  const made = await run('live', 'backup', inFolder('backup.tar'))
  const after = writers.customers.length
  expect(made).toMatchObject({ code: 0, stdout: '' })
  await writers.stop()
  expect(after).toBeGreaterThan(before.customers.length)
  expect(await server.kill('SIGTERM')).toBe(0)

  copySecrets('live', 'restored')
  const restored = await run('restored', 'restore', inFolder('backup.tar'))
  expect(restored).toMatchObject({ code: 0, stdout: '' })
  expect(restored.stderr).toContain('The secrets key opens its secrets')
  expect((await run('restored', 'doctor', '--all')).stdout).not.toMatch(/^✗/m)
  const again = await start('restored')
  const crm = new Crm({ baseUrl: again.url, apiKey: key })

  const customers = new Set<string>()
  for await (const { _id } of crm.customers.list({ limit: 100 })) customers.add(_id)
  const count = writers.customers.filter((id) => customers.has(id)).length
  expect(count).toBeGreaterThanOrEqual(before.customers.length)
  // Acknowledged one after the other: a moment holds the first ones, without a gap.
  expect(writers.customers.slice(0, count).filter((id) => !customers.has(id))).toEqual([])
  const created: string[] = []
  for await (const event of crm.events.list({ types: ['customer.created'], limit: 100 }))
    created.push((event.data as { _id: string })._id)
  expect(new Set(created)).toEqual(customers)

  for (const [id, checksum] of before.files) {
    const response = await fetch(`${again.url}/api/v1/attachments/${id}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect([response.status, sha256(new Uint8Array(await response.arrayBuffer()))]).toEqual([200, checksum])
  }
  for (const name of readdirSync(inFolder('live'))) expect(name).not.toMatch(/^backup-held/)
})

test('a backup that is killed leaves no file under its name, and the next one removes its leftovers', async () => {
  const { server } = await startWithData('live', 40)
  const backups = inFolder('backups')
  mkdirSync(backups)
  const file = path.join(backups, 'backup.tar')
  const killed = await runProgram(serverProgram, ['backup', file], {
    env: environment('live'),
    onStart(child) {
      const watcher = watch(backups, (_event, name) => {
        if (name === 'backup.tar.part') child.kill('SIGKILL')
      })
      child.once('exit', () => watcher.close())
    },
  })
  expect(killed.code).toBeNull()
  expect(existsSync(file)).toBe(false)
  expect(readdirSync(backups)).not.toEqual([])
  expect((await run('live', 'backup', file)).code).toBe(0)
  expect(readdirSync(backups)).toEqual(['backup.tar'])
  expect(readdirSync(inFolder('live')).filter((name) => name.startsWith('backup-held'))).toEqual([])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await server.kill('SIGTERM')
})

describe('restore refuses, and leaves no database behind', () => {
  test('a directory that is not empty', async () => {
    const { server } = await startWithData('live')
    expect((await run('live', 'backup', inFolder('backup.tar'))).code).toBe(0)
    await server.kill('SIGTERM')
    const before = readFileSync(path.join(inFolder('live'), 'crm.sqlite'))
    const refused = await run('live', 'restore', inFolder('backup.tar'))
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is not empty')])
    expect(readFileSync(path.join(inFolder('live'), 'crm.sqlite')).equals(before)).toBe(true)
  })

  test('a backup that is cut off or damaged at any of its parts, or is none', async () => {
    const { server, ids } = await startWithData('live')
    const backup = inFolder('backup.tar')
    expect((await run('live', 'backup', backup)).code).toBe(0)
    await server.kill('SIGTERM')
    const whole = readFileSync(backup)
    const attachmentAt = whole.indexOf(bytesOf('file 1 ').subarray(0, 1_000))
    expect(attachmentAt).toBeGreaterThan(0)
    const flipped = (at: number) => {
      const copy = Buffer.from(whole)
      copy[at] = (copy[at] ?? 0) ^ 0xff
      return copy
    }
    const cases: [string, Buffer, RegExp][] = [
      ['cut in the database', whole.subarray(0, 100_000), /cannot be read to its end|cut off/],
      ['cut behind the database', whole.subarray(0, whole.indexOf(`attachments/`)), /cannot be read|cut off/],
      ['a changed byte in the database', flipped(whole.indexOf('CREATE TABLE')), /its checksum differs/],
      ['a changed byte in an attachment', flipped(attachmentAt + 500), /differ from the checksum/],
      ['no backup', Buffer.from('a text that is no archive'.repeat(100)), /backup/],
      ['an empty file', Buffer.alloc(0), /not a backup/],
    ]
    for (const [name, bytes, sentence] of cases) {
      writeFileSync(inFolder('bad.tar'), bytes)
      const refused = await run('restored', 'restore', inFolder('bad.tar'))
      expect([name, refused.code], refused.stderr).toEqual([name, 1])
      expect(refused.stderr, name).toMatch(sentence)
      expect(refused.stderr).not.toMatch(/^ +at /m)
      expect(readdirSync(inFolder('restored')), name).toEqual([])
    }
    expect(ids).toHaveLength(3)
    expect((await run('restored', 'restore', backup)).code).toBe(0)
  })
})

test('a backup of a later schema is refused, and the directory stays empty', async () => {
  expect((await run('live', 'tenants', 'create', 'Engines', '--email', 'ada@example.com')).code).toBe(0)
  const db = new Database(inFolder('live/crm.sqlite'))
  db.pragma('user_version = 999')
  db.close()
  expect((await run('live', 'backup', inFolder('backup.tar'))).code).toBe(0)
  const refused = await run('restored', 'restore', inFolder('backup.tar'))
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('schema 999')])
  expect(readdirSync(inFolder('restored'))).toEqual([])
})

test('a restoration without the secrets key names its fingerprint, and no server starts with another key', async () => {
  const { server } = await startWithData('live')
  const made = await run('live', 'backup', inFolder('backup.tar'))
  await server.kill('SIGTERM')
  const fingerprint = /fingerprint (\w{8})/.exec(made.stderr)?.[1]
  expect(fingerprint).toBeTruthy()
  const restored = await run('restored', 'restore', inFolder('backup.tar'))
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining(`fingerprint ${fingerprint}`) })
  const refused = await run('restored', 'start')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('encrypted with another key')])
})

test('an attachment whose bytes are lost is named, and everything else is backed up and restored', async () => {
  const { server, ids, tenant } = await startWithData('live')
  const [lost = ''] = ids
  rmSync(path.join(inFolder('live'), 'attachments', tenant._id, lost.slice(-2), lost))
  const made = await run('live', 'backup', inFolder('backup.tar'))
  await server.kill('SIGTERM')
  expect([made.code, made.stderr]).toEqual([1, expect.stringContaining(`missing: ${lost}.`)])
  copySecrets('live', 'restored')
  expect((await run('restored', 'restore', inFolder('backup.tar'))).code).toBe(0)
})

test.each([
  [
    'a database that is damaged',
    () => truncateSync(inFolder('live/crm.sqlite'), 40 * 4096),
    [],
    /No backup was made: .*malformed/,
  ],
  [
    'a database with a damaged page',
    () => damagePage(inFolder('live/crm.sqlite')),
    [],
    /No backup was made: .*damaged/,
  ],
  ['a file that exists', () => writeFileSync(inFolder('backup.tar'), ''), [], /exists: name a new file/],
  ['no database', () => rmSync(inFolder('live/crm.sqlite')), [], /There is no database/],
  ['no file to write', () => {}, ['one', 'two'], /Expected FILE/],
])('backup refuses %s in one sentence, and makes no file', async (_, spoil, args, sentence) => {
  expect((await run('live', 'tenants', 'create', 'Engines', '--email', 'ada@example.com')).code).toBe(0)
  spoil()
  const before = readdirSync(folder)
  const refused = await run('live', 'backup', ...(args.length > 0 ? args : [inFolder('backup.tar')]))
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) })
  expect(refused.stderr).toMatch(/^crm-server: /)
  expect(readdirSync(folder)).toEqual(before)
})

test('backup names the tool of MongoDB and what else to keep, without connecting', async () => {
  const env = {
    ...environment('live'),
    CRM_DATABASE_URL: 'mongodb://127.0.0.1:1/crm',
    CRM_JWT_SECRET: 'j'.repeat(40),
    CRM_SECRETS_KEY: 's'.repeat(40),
  }
  const refused = await runProgram(serverProgram, ['backup', inFolder('backup.tar')], { env })
  expect(refused.code).toBe(1)
  for (const name of ['mongodump', 'CRM_SECRETS_KEY', 'CRM_JWT_SECRET'])
    expect(refused.stderr).toContain(name)
})
