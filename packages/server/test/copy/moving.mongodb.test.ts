// Runs at night; by day: mongo-transfer and sqlite-transfer move every kind of row both ways.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unwrapWebhook } from '@crmkit/sdk/webhooks'
import { afterEach, expect, test } from 'vitest'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import type { Records } from '../../src/storage/kinds/registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { makeCertificate, type ReceivedRequest, startReceiver } from '../support/https-receiver.ts'
import { dropDatabase, newDatabaseUrl, withDatabase } from '../support/mongo-database.ts'
import { runProgram, serverProgram, startProgram } from '../support/programs.ts'

const permissions = [
  'read:customers',
  'write:customers',
  'read:conversations',
  'write:conversations',
  'webhook:manage',
]

const removals: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const remove of removals.splice(0).reverse()) await remove()
})

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-copy-'))
  removals.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function newDatabase(): string {
  const url = newDatabaseUrl()
  removals.push(() => dropDatabase(url))
  return url
}

async function startServer(dataDir: string, env: Record<string, string> = {}) {
  const variables = { PORT: '0', CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'error', ...env }
  const server = await startProgram(serverProgram, ['start', '--dev'], variables)
  removals.push(async () => void (await server.kill('SIGKILL')))
  return server
}

/** Requests of one tenant. */
function client(url: string, token: string) {
  return async (method: string, route: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await call(url, { method, path: route, token, body, headers })
    expect({ route, ...response.body }).toMatchObject({ success: true })
    return response
  }
}
type Client = ReturnType<typeof client>

/** Everything that a key can list, page by page. */
async function listsOf(api: Client) {
  const routes = [
    '/api/v1/customers?limit=3&sort=createdAt',
    '/api/v1/customers?limit=100&sort=lastName',
    '/api/v1/customers?limit=100&tags=vip',
    '/api/v1/customers?limit=100&search=love%20ada',
    '/api/v1/conversations?limit=100&sort=priority',
    '/api/v1/conversations?limit=100&search=needle',
    '/api/v1/inboxes',
    '/api/v1/webhooks',
  ]
  return Promise.all(
    routes.map(async (route) => {
      const { body } = await api('GET', route)
      const { nextCursor: _own, ...pagination } = body.pagination ?? {}
      // A webhook's health moves with every delivery.
      const data = JSON.parse(
        JSON.stringify(body.data, (name, value) => (name === 'health' ? undefined : value)),
      )
      return { route, data, pagination }
    }),
  )
}

async function fillByApi(api: Client, inboxId: string) {
  for (let i = 0; i < 12; i++) {
    const [firstName, lastName] = [i % 2 ? 'Ada' : 'Grace', i % 3 ? 'Lovelace' : 'Hopper']
    const customFields = { 'plan.name': `p${i}`, $set: { 'a.b': [i, null] } }
    const tags = i % 4 ? [] : ['VIP']
    const customer = await api('POST', '/api/v1/customers', { firstName, lastName, tags, customFields })
    if (i > 3) continue
    const customerId = customer.body.data._id
    const conversation = { subject: `Question ${i}`, inboxId, customerId, priority: i % 2 ? 'urgent' : 'low' }
    const { _id } = (await api('POST', '/api/v1/conversations', conversation)).body.data
    await api('POST', `/api/v1/conversations/${_id}/messages`, { content: `a needle, number ${i}` })
  }
}

async function prepare(url: string, receiverUrl: string) {
  const owner = await registerTenant(url)
  const key = await createKey(url, owner.token, permissions)
  const api = client(url, key)
  const events = ['customer.created', 'customer.deleted']
  const webhook = (await api('POST', '/api/v1/webhooks', { name: 'Journey', url: receiverUrl, events })).body
    .data
  const [inbox] = (await api('GET', '/api/v1/inboxes')).body.data
  await fillByApi(api, inbox._id)
  const file = await upload(url, { token: key, file: new File([`a photo of ${owner.email}`], 'photo.txt') })
  const message = { content: 'See this', attachments: [file._id] }
  await api('POST', '/api/v1/conversations', { subject: 'Photo', inboxId: inbox._id, message })
  const erased = (await api('POST', '/api/v1/customers', { firstName: 'Gone' })).body.data
  await api('DELETE', `/api/v1/customers/${erased._id}`)
  const once = { body: { firstName: 'Once' }, headers: { 'Idempotency-Key': 'copy once' } }
  const made = await api('POST', '/api/v1/customers', once.body, once.headers)
  const replay = () => (to: Client) => to('POST', '/api/v1/customers', once.body, once.headers)
  return { owner, key, api, webhook, erased, file, made: made.body.data, replay: replay() }
}

function eventIdsOf(requests: readonly ReceivedRequest[]): Set<string> {
  return new Set(requests.map(({ body }) => (JSON.parse(body) as { id: string }).id))
}

test('a server on MongoDB continues where the killed server on SQLite stopped', async () => {
  const dataDir = newFolder()
  const certificate = await makeCertificate()
  removals.push(certificate.remove)
  copyFileSync(certificate.caFile, path.join(dataDir, 'webhook-ca.pem'))
  let status = 503
  const receiver = await startReceiver(certificate, (_req, res) => res.writeHead(status).end())
  removals.push(() => receiver.close())

  const before = await startServer(dataDir)
  const tenants = [await prepare(before.url, receiver.url), await prepare(before.url, receiver.url)]
  await receiver.waitFor(10)
  const lists = await Promise.all(tenants.map(({ api }) => listsOf(api)))
  // Attempts that are leased at this moment and have no result yet.
  await before.kill('SIGKILL')

  const to = newDatabase()
  const addressFile = path.join(dataDir, 'target-address')
  writeFileSync(addressFile, `${to}\n`)
  const env = { CRM_COPY_FROM: `sqlite:${dataDir}/crm.sqlite`, CRM_COPY_TO_FILE: addressFile }
  const copied = await runProgram(serverProgram, ['copy'], { env })
  expect({ code: copied.code, stderr: copied.stderr }).toMatchObject({ code: 0 })
  expect(copied.stdout).toMatch(/^tenants +2 +2 +equal$/m)
  expect(copied.stdout).toMatch(/^attachmentBytes +2 +2 +equal$/m)
  expect(copied.stdout).toMatch(/^customers +26 +26 +equal$/m)

  // The new server starts with the settings that the closing lines name.
  const said = [...copied.stdout.matchAll(/^ {2}(CRM_\w+)=(.*)$/gm)].map(([, name = '', file = '']) => [
    name,
    file,
  ])
  expect(said.map(([name]) => name)).toEqual(['CRM_JWT_SECRET_FILE', 'CRM_SECRETS_KEY_FILE'])
  const newDir = newFolder()
  copyFileSync(certificate.caFile, path.join(newDir, 'webhook-ca.pem'))
  status = 200
  const deliveredBefore = receiver.requests.length
  const after = await startServer(newDir, { CRM_DATABASE_URL: to, ...Object.fromEntries(said) })

  for (const [index, { owner, key, webhook, erased, file, made, replay }] of tenants.entries()) {
    const api = client(after.url, key)
    expect(await listsOf(api)).toEqual(lists[index])
    // The copy includes the session, its refresh token, the idempotent reply and the erasure.
    await client(after.url, owner.token)('GET', '/api/auth/me')
    const refreshed = await call(after.url, {
      method: 'POST',
      path: '/api/auth/refresh',
      body: { refreshToken: owner.refreshToken },
    })
    expect(refreshed.status).toBe(200)
    expect((await replay(api)).body.data).toEqual(made)
    const photo = await call(after.url, { path: file.url, token: key })
    expect(photo.body).toBe(`a photo of ${owner.email}`)
    const gone = await call(after.url, { path: `/api/v1/customers/${erased._id}`, token: key })
    expect(gone.status).toBe(404)
    // Every event that the receiver refused arrives again, signed by the copied secret.
    const { rows } = await logsUntilDone(api, webhook._id)
    expect(rows.length).toBeGreaterThanOrEqual(10)
    const late = receiver.requests.slice(deliveredBefore)
    expect([...eventIdsOf(late)]).toEqual(expect.arrayContaining(rows))
    for (const { body, headers } of late.filter((request) => rows.includes(JSON.parse(request.body).id)))
      await unwrapWebhook({ body, headers }, { secrets: webhook.secret })
  }
  expect(await after.kill('SIGTERM')).toBe(0)
})

interface Log {
  eventId: string
  status: string
  errorCode: string | null
}

/** Ids of the events whose last attempt succeeded, once nothing is pending any more. */
async function logsUntilDone(api: Client, webhookId: string): Promise<{ rows: string[] }> {
  for (;;) {
    const { body } = await api('GET', `/api/v1/webhooks/${webhookId}/logs?limit=100`)
    const logs: Log[] = body.data.logs
    if (logs.some(({ status }) => status === 'pending')) continue
    return { rows: logs.filter(({ status }) => status === 'success').map(({ eventId }) => eventId) }
  }
}

test('a restored backup is copied while the server serves, and the second copy after its end brings the rest', async () => {
  const dataDir = newFolder()
  const before = await startServer(dataDir)
  const owner = await registerTenant(before.url)
  const key = await createKey(before.url, owner.token, permissions)
  const api = client(before.url, key)
  const [inbox] = (await api('GET', '/api/v1/inboxes')).body.data
  await fillByApi(api, inbox._id)
  const run = (args: string[], folder = dataDir) =>
    runProgram(serverProgram, args, { env: { CRM_DATA_DIR: folder } })
  const file = path.join(newFolder(), 'backup.tar')
  expect((await run(['backup', file])).code).toBe(0)
  const restored = newFolder()
  for (const name of ['jwt-secret', 'secrets-key'])
    copyFileSync(path.join(dataDir, name), path.join(restored, name))
  expect((await run(['restore', file], restored)).code).toBe(0)
  const to = newDatabase()
  const copy = (folder: string) => run(['copy', '--from', `sqlite:${folder}/crm.sqlite`, '--to', to])
  const first = await copy(restored)
  expect(first.code, first.stderr).toBe(0)

  // Meanwhile the server has served.
  const { body } = await api('GET', '/api/v1/customers?limit=100&sort=createdAt')
  const [changed, deleted] = body.data as { _id: string }[]
  await api('PUT', `/api/v1/customers/${changed?._id}`, { jobTitle: 'Since the backup' })
  await api('DELETE', `/api/v1/customers/${deleted?._id}`)
  await api('POST', '/api/v1/customers', { firstName: 'Late' })
  const photo = await upload(before.url, { token: key, file: new File(['a late photo'], 'photo.txt') })
  expect((await copy(dataDir)).stderr).toContain('stop it first')
  const lists = await listsOf(api)
  expect(await before.kill('SIGTERM')).toBe(0)

  const second = await copy(dataDir)
  expect(second.code, second.stderr).toBe(0)
  expect(second.stderr).toContain('Brings the copy up to date')
  const secrets = {
    CRM_JWT_SECRET_FILE: `${dataDir}/jwt-secret`,
    CRM_SECRETS_KEY_FILE: `${dataDir}/secrets-key`,
  }
  const after = await startServer(newFolder(), { CRM_DATABASE_URL: to, ...secrets })
  expect(await listsOf(client(after.url, key))).toEqual(lists)
  expect((await call(after.url, { path: photo.url, token: key })).body).toBe('a late photo')
  expect(await after.kill('SIGTERM')).toBe(0)
  const third = await copy(dataDir)
  expect(third.code).toBe(1)
  expect(third.stderr).toContain('that a server has used since: copy into an empty database')
})

const tenantIds = ['ten_1', 'ten_2'] as TenantId[]

/** Two tenants with the same ids. Together they are many times as large as the memory of the copy. */
async function fillMany(file: string, { rows, bytes }: { rows: number; bytes: number }): Promise<void> {
  const storage = await openSqliteStorage({ path: file })
  const text = 'x'.repeat(bytes)
  const customer = (tenantId: TenantId, index: number): Records['customers'] =>
    sample.customers(tenantId, { _id: `cus_${index}`, customFields: { text, index } })
  for (const tenantId of tenantIds) {
    const tenant = insertOf('tenants', sample.tenants(tenantId))
    await storage.system.commit(tenantId, { writes: [tenant], events: [] })
    for (let start = 0; start < rows / 2; start += 500) {
      const writes = Array.from({ length: 500 }, (_, i) =>
        insertOf('customers', customer(tenantId, start + i)),
      )
      await storage.forTenant(tenantId).commit({ writes, events: [] })
    }
  }
  await storage.close()
}

test('a copy that is killed repeatedly continues, in little memory, and ends with everything', async () => {
  const file = path.join(newFolder(), 'crm.sqlite')
  await fillMany(file, { rows: 10_000, bytes: 12_000 })
  const to = newDatabase()
  // The process needs 42 MB before the first row and less than 80 MB while it copies; the rows have 120 MB.
  const env = { NODE_OPTIONS: '--max-old-space-size=128' }
  const copy = (onStart?: Parameters<typeof runProgram>[2]) =>
    runProgram(serverProgram, ['copy', '--from', `sqlite:${file}`, '--to', to], { env, ...onStart })
  await withDatabase(to, async (connection) => {
    const count = () => connection.collection('customers').estimatedDocumentCount()
    for (const killedAt of [1, 4_000]) {
      const finished = await copy({
        onStart: async (child) => {
          while ((await count()) < killedAt && child.exitCode === null);
          child.kill('SIGKILL')
        },
      })
      expect(finished.code).toBeNull()
    }
    const last = await copy()
    expect(last.code, last.stderr).toBe(0)
    expect(last.stderr).toMatch(/Goes on with the copy that was begun/)
    expect(last.stdout).toMatch(/^customers +10,000 +10,000 +equal$/m)
    expect(await connection.collection('customers').countDocuments()).toBe(10_000)
  })
})

test('the copy command reports invalid arguments, and never a password', async () => {
  const folder = newFolder()
  const refusal = async (args: string[], env: Record<string, string> = {}) => {
    const { code, stderr, stdout } = await runProgram(serverProgram, ['copy', ...args], { env })
    expect(code).toBe(1)
    expect(stdout + stderr).not.toContain('hunter2')
    return stderr
  }
  expect(await refusal([])).toMatch(
    /--from is missing: give it, or CRM_COPY_FROM, or CRM_COPY_FROM_FILE\n.*--to is/,
  )
  expect(await refusal(['--form', 'sqlite:x'])).toContain("Unknown option '--form'")
  const toFile = ['--to', `sqlite:${folder}/to.sqlite`]
  expect(await refusal(['--from', 'mysql://me:hunter2@db', ...toFile])).toContain(
    '--from must be sqlite: and a path, or a mongodb:// address',
  )
  expect(await refusal(toFile, { CRM_COPY_FROM_FILE: `${folder}/none` })).toContain(
    'CRM_COPY_FROM_FILE names a file that cannot be read',
  )
  expect(await refusal(['--from', 'sqlite:a', ...toFile], { CRM_COPY_FROM: 'sqlite:b' })).toContain(
    '--from and CRM_COPY_FROM are both given',
  )
  expect(await refusal(['--from', 'sqlite:a', '--to', 'sqlite:./a'])).toContain('name the same file')
  expect(await refusal(['--from', `sqlite:${folder}/none.sqlite`, ...toFile])).toContain('there is no file')
  const hidden = { CRM_COPY_FROM: 'mongodb://me:hunter2@127.0.0.1:1/db?directConnection=true' }
  expect(await refusal(toFile, hidden)).toContain('MongoDB cannot be reached')
  expect(await refusal(toFile, { CRM_COPY_FROM: 'mongodb://me:hunter2/@@bad host' })).toContain(
    'crm-server: ',
  )
})
