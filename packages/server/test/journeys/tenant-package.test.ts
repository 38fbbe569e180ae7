import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type PackageKind, packageKinds } from '@crmkit/core/package'
import { openPackage } from '@crmkit/core/package-folder'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { filesOfHistory, historyOf } from '../support/history.ts'
import { newPackageTenant, packageOf } from '../support/package-of.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { migratedTestWorld, type TestWorld } from '../support/test-world.ts'

// A tenant moves by the operator's commands, as processes of their own, beside a running server.

let dataDir: string
let world: TestWorld
let server: Program
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-move-'))
  world = migratedTestWorld()
  server = await startProgram(serverProgram, ['start', '--dev'], environment())
})
afterAll(async () => {
  await server.kill('SIGTERM')
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

const ledger = () => path.join(dataDir, 'erasures.ndjson')
const environment = () => ({
  PORT: '0',
  CRM_DATA_DIR: dataDir,
  CRM_LOG_LEVEL: 'fatal',
  CRM_ERASURE_LEDGER: ledger(),
  ...world.variables,
})
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runProgram(serverProgram, args, { env: environment() })
  expect([code, stderr]).toEqual([0, stderr])
  return stdout
}

/** The records of a package, with the number of its line in place of each id. */
async function recordsOf(folder: string): Promise<Partial<Record<PackageKind, unknown[]>>> {
  const opened = await openPackage(folder)
  await opened.verify()
  const numbers = new Map<string, string>()
  const records: Partial<Record<PackageKind, object[]>> = {}
  for (const kind of packageKinds) {
    for await (const line of opened.lines(kind)) {
      if (!('record' in line)) throw new Error(`${kind}: ${line.problem}`)
      records[kind] = [...(records[kind] ?? []), line.record]
      if ('id' in line.record) numbers.set(line.record.id, `${kind} ${line.line}`)
    }
  }
  const id = /(?:usr|inb|cus|con|msg|cal|att)_[0-9A-Za-z]{26}/g
  const text = JSON.stringify(records).replaceAll(id, (found) => numbers.get(found) ?? 'no record')
  return JSON.parse(text)
}

/** Replies that a message offered, and the one that the visitor clicked. */
const offerOfHistory = [
  {
    id: 'm4',
    conversationId: 'c1',
    direction: 'outbound' as const,
    author: { type: 'agent' as const, id: 'a2' },
    content: 'Does it smoke still?',
    contentType: 'text' as const,
    createdAt: '2025-02-02T11:00:00.000Z',
    choices: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No' },
    ],
  },
  {
    id: 'm5',
    conversationId: 'c1',
    direction: 'inbound' as const,
    author: { type: 'person' as const, id: 'p1' },
    content: 'No',
    contentType: 'text' as const,
    createdAt: '2025-02-02T12:00:00.000Z',
    choice: { messageId: 'm4', choiceId: 'no' },
  },
]

test('a tenant that is exported, imported as another one and exported again is equal but for ids and agents', async () => {
  const tenant = await newPackageTenant(server.url)
  const history = historyOf(tenant.email)
  const records = { ...history, messages: [...history.messages, ...offerOfHistory] }
  await tenant.putAll(await packageOf({ records, files: filesOfHistory }))
  await tenant.send('POST', `${tenant.path}/import`, {})
  await tenant.finished()
  const [first, second] = [path.join(dataDir, 'first'), path.join(dataDir, 'second')]
  await run('tenants', 'export', tenant.tenant._id, first)
  const archive = path.join(dataDir, 'first.crmkit.zip')
  await run('tenants', 'export', tenant.tenant._id, archive)
  const file = path.join(dataDir, 'password')
  writeFileSync(file, password)
  const args = [
    '--name',
    'Moved',
    '--email',
    'mover@example.com',
    '--users',
    'inactive',
    '--password-file',
    file,
  ]
  // The archive instead of the folder.
  const figures = (await run('tenants', 'import', archive, ...args)).split('\n')
  const [[movedId = ''] = []] = figures.map((line) => line.split('\t'))
  const counts = figures
    .slice(1)
    .filter(Boolean)
    .map((line) => line.split('\t'))
  expect(counts.length).toBeGreaterThan(7)
  expect(counts.filter(([, inPackage, here]) => inPackage !== here)).toEqual([])
  await run('tenants', 'export', movedId, second)

  const { agents, ...before } = await recordsOf(first)
  const { agents: _, ...after } = await recordsOf(second)
  expect(agents).toHaveLength(1)
  expect(before.messages).toHaveLength(5)
  expect(before.messages).toContainEqual(
    expect.objectContaining({ choice: { messageId: 'messages 3', choiceId: 'no' } }),
  )
  expect(before.attachments).toHaveLength(3)
  const withoutAgents = (records: object) =>
    JSON.parse(JSON.stringify(records).replaceAll(/agents \d+/g, 'an agent'))
  expect(withoutAgents(after)).toEqual(withoutAgents(before))
  const bytesOf = (folder: string) =>
    readdirSync(path.join(folder, 'bytes'), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => [one.name, readFileSync(path.join(one.parentPath, one.name)).length])
      .sort()
  expect(bytesOf(second)).toEqual(bytesOf(first))
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.crmkit-package'))).toEqual([])
  const manifest = (await openPackage(first)).manifest
  expect(manifest.leftOut).toContainEqual({
    kind: 'sessions',
    count: expect.any(Number),
    reason: 'sign-ins end with the installation',
  })

  const login = { email: 'mover@example.com', password }
  const signedIn = await call(server.url, { method: 'POST', path: '/api/auth/login', body: login })
  const { accessToken: token } = signedIn.body.data
  const users = (await call(server.url, { path: '/api/v1/users', token })).body.data
  expect(
    users.map(({ email, isActive }: { email: string; isActive: boolean }) => [email, isActive]),
  ).toContainEqual([tenant.email, false])
})

test('a person who was erased after a package was made is not in the tenant that is made of it', async () => {
  const { token, tenant } = await registerTenant(server.url)
  const send = (method: string, at: string, body?: unknown) =>
    call(server.url, { method, path: at, token, ...(body !== undefined && { body }) })
  const inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
  const make = async (firstName: string) => {
    const { _id: customerId } = (await send('POST', '/api/v1/customers', { firstName })).body.data
    const body = { subject: `About ${firstName}`, inboxId, customerId, message: { content: 'Hello' } }
    const conversation = (await send('POST', '/api/v1/conversations', body)).body.data
    return { customerId, conversationId: conversation._id }
  }
  const [gone, stays] = [await make('Gone'), await make('Stays')]
  const other = await send('POST', '/api/v1/conversations', {
    subject: 'About nobody',
    inboxId,
    customerId: stays.customerId,
    message: { content: 'Hello' },
  })
  const folder = path.join(dataDir, 'before')
  await run('tenants', 'export', tenant._id, folder)
  await send('DELETE', `/api/v1/customers/${gone.customerId}`)
  await send('DELETE', `/api/v1/conversations/${other.body.data._id}`)
  const text = () => (existsSync(ledger()) ? readFileSync(ledger(), 'utf8') : '')
  await expect
    .poll(text)
    .toSatisfy((lines: string) => [gone.customerId, other.body.data._id].every((id) => lines.includes(id)))

  const file = path.join(dataDir, 'password')
  writeFileSync(file, password)
  const args = ['--name', 'Again', '--email', 'again@example.com', '--password-file', file]
  await run('tenants', 'import', folder, ...args)
  const login = { email: 'again@example.com', password }
  const signedIn = await call(server.url, { method: 'POST', path: '/api/auth/login', body: login })
  const read = async (at: string) =>
    (await call(server.url, { path: at, token: signedIn.body.data.accessToken })).body.data
  const names = (await read('/api/v1/customers')).map((one: { profile: object }) => one.profile)
  expect(names).toMatchObject([{ firstName: 'Stays' }])
  const subjects = (await read('/api/v1/conversations')).map(({ subject }: { subject: string }) => subject)
  expect(subjects).toEqual(['About Stays'])
})
