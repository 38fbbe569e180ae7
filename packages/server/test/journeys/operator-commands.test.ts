import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, createKey, password, registerTenant } from '../support/call.ts'
import { type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { migratedTestWorld, type TestWorld } from '../support/test-world.ts'

// The operator's commands as processes of their own, beside a running server.

let dataDir: string
let world: TestWorld
let server: Program
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-operator-'))
  world = migratedTestWorld()
  server = await startProgram(serverProgram, ['start', '--dev'], environment())
})
afterAll(async () => {
  await server.kill('SIGTERM')
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

const environment = () => ({ PORT: '0', CRM_DATA_DIR: dataDir, CRM_LOG_LEVEL: 'fatal', ...world.variables })
const run = (args: string[], { input, env }: { input?: string; env?: Record<string, string> } = {}) =>
  runProgram(serverProgram, args, {
    env: { ...environment(), ...env },
    ...(input !== undefined && { input }),
  })
const send = (method: string, at: string, { body, token }: { body?: unknown; token?: string } = {}) =>
  call(server.url, { method, path: at, body, token })
const login = (email: string, secret: string) =>
  send('POST', '/api/auth/login', { body: { email, password: secret } })
const columns = (stdout: string) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))

/** Polls for a result within the ten seconds for which a credential is cached. */
async function soon(ask: () => Promise<{ status: number; body: { code?: string } }>, status: number) {
  const endMs = Date.now() + 15_000
  for (;;) {
    const response = await ask()
    if (response.status === status || Date.now() > endMs) return [response.status, response.body.code]
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const auditOf = async (token: string) =>
  (await send('GET', '/api/tenant/audit-log', { token })).body.data.map(
    ({ action, actor }: { action: string; actor: { type: string } }) => `${action} by ${actor.type}`,
  )

describe('crm-server tenants', () => {
  test('crm-server tenants list ends in order when its reader has enough', async () => {
    await registerTenant(server.url)
    const finished = await runProgram(serverProgram, ['tenants', 'list'], {
      env: environment(),
      onStart: (child) => child.stdout?.destroy(),
    })
    expect(finished).toMatchObject({ code: 0, stderr: '' })
  })

  test('crm-server tenants delete prints what it would delete, and with --yes leaves nothing of the tenant', async () => {
    const gone = await registerTenant(server.url)
    const stays = await registerTenant(server.url)
    const { _id: id } = gone.tenant
    for (const { token } of [gone, stays])
      await send('POST', '/api/v1/customers', { token, body: { firstName: 'Ada' } })
    const asked = await run(['tenants', 'delete', id])
    expect([asked.code, columns(asked.stdout)]).toEqual([1, expect.arrayContaining([['customers', '1']])])
    expect(asked.stderr).toContain('Nothing was deleted')
    expect((await send('GET', '/api/v1/customers', { token: gone.token })).body.data).toHaveLength(1)
    const deleted = await run(['tenants', 'delete', id, '--yes'])
    expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringContaining('Deleted Tenant')])
    const asOwner = () => send('GET', '/api/v1/customers', { token: gone.token })
    expect(await soon(asOwner, 401)).toEqual([401, 'AUTH_REQUIRED'])
    expect((await login(gone.email, password)).status).toBe(401)
    expect(columns((await run(['tenants', 'list'])).stdout).map(([one]) => one)).not.toContain(id)
    expect((await send('GET', '/api/v1/customers', { token: stays.token })).body.data).toHaveLength(1)
  })

  test('crm-server tenants create makes a tenant whose owner is invited, or signs in with the password of a file', async () => {
    const invited = await run(['tenants', 'create', 'Invited', '--email', 'Grace@example.com'])
    expect(invited.code).toBe(0)
    const [[id = '', name, inviteToken] = []] = columns(invited.stdout)
    expect(name).toBe('Invited')
    const body = { token: inviteToken, password }
    const accepted = await send('POST', '/api/auth/accept-invite', { body })
    expect([accepted.status, accepted.body.data.user.role]).toEqual([200, 'owner'])
    const token = accepted.body.data.accessToken
    expect((await send('GET', '/api/v1/inboxes', { token })).body.data).toHaveLength(1)
    expect(await auditOf(token)).toContain('tenant.created by system')

    writeFileSync(path.join(dataDir, 'password'), `${password}\n`)
    const file = path.join(dataDir, 'password')
    const args = ['tenants', 'create', 'Own', '--email', 'own@example.com', '--password-file', file]
    const own = await run(args)
    expect(own).toMatchObject({ code: 0 })
    expect((await login('own@example.com', password)).body.data.tenant.name).toBe('Own')
    const again = await run(args)
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/^crm-server: This e-mail has a password/)

    const listed = columns((await run(['tenants', 'list'])).stdout)
    expect(listed).toContainEqual([id, 'Invited', 'active', expect.any(String)])
    expect(listed.map((row) => row[1])).toContain('Own')
  })

  test('crm-server tenants suspend refuses keys and sessions of the tenant within ten seconds, and resume accepts them again', async () => {
    const { token, tenant, email } = await registerTenant(server.url)
    const other = await registerTenant(server.url)
    const key = await createKey(server.url, token, ['read:customers'])
    const withKey = () => send('GET', '/api/v1/customers', { token: key })
    const withSession = () => send('GET', '/api/auth/me', { token })
    expect([(await withKey()).status, (await withSession()).status]).toEqual([200, 200])

    expect(await run(['tenants', 'suspend', tenant._id])).toMatchObject({ code: 0, stdout: '' })
    expect(await soon(withKey, 401)).toEqual([401, 'TENANT_SUSPENDED'])
    expect(await soon(withSession, 401)).toEqual([401, 'TENANT_SUSPENDED'])
    expect((await login(email, password)).body.code).toBe('TENANT_SUSPENDED')
    expect((await send('GET', '/api/auth/me', { token: other.token })).status).toBe(200)
    expect((await run(['tenants', 'suspend', tenant._id])).stderr).toMatch(/suspended already/)

    expect(await run(['tenants', 'resume', tenant._id])).toMatchObject({ code: 0, stdout: '' })
    expect((await soon(withKey, 200))[0]).toBe(200)
    expect((await soon(withSession, 200))[0]).toBe(200)
    expect(await auditOf(token)).toEqual(
      expect.arrayContaining(['tenant.resumed by system', 'tenant.suspended by system']),
    )
  })
})

test('crm-server tenants set-limit sets a limit that running servers apply within ten seconds, and prints limits and use', async () => {
  const { token, tenant } = await registerTenant(server.url)
  const create = () => send('POST', '/api/v1/customers', { token, body: { firstName: 'Ada' } })
  expect((await create()).status).toBe(201)
  const set = (...args: string[]) => run(['tenants', 'set-limit', tenant._id, ...args])
  expect(await set('customers', '1')).toMatchObject({ code: 0, stdout: '' })
  expect(await soon(create, 403)).toEqual([403, 'QUOTA_EXCEEDED'])
  const { used } = (await create()).body.details
  expect(columns((await set('customers')).stdout)).toEqual([['customers', '1', `${used}`]])
  expect(await set('apiCalls', '1000')).toMatchObject({ code: 0 })
  const listed = columns((await set()).stdout)
  expect(listed).toContainEqual(['customers', '1', `${used}`])
  expect(listed).toContainEqual(['apiCalls', '1000', ''])
  expect(listed).toContainEqual(['visitorTextBytesPerDay', '209715200', ''])
  expect(listed).toContainEqual(['attachmentBytes', '10737418240', '0'])
  expect(await set('customers', 'unlimited')).toMatchObject({ code: 0 })
  expect((await soon(create, 201))[0]).toBe(201)
  expect(await set('customers', 'default')).toMatchObject({ code: 0 })
  expect(columns((await set('customers')).stdout)).toEqual([['customers', '5000000', `${used + 1}`]])
  expect(await auditOf(token)).toContain('tenant.limitSet by system')
})

test('crm-server users reset-password changes the password of one identity and ends its sessions', async () => {
  const { token, email, tenant } = await registerTenant(server.url)
  const other = await registerTenant(server.url)
  const body = { email, role: 'agent' }
  const { inviteToken } = (await send('POST', '/api/v1/users', { token: other.token, body })).body.data
  const separate = { token: inviteToken, password: 'another password of mine', separate: true }
  expect((await send('POST', '/api/auth/accept-invite', { body: separate })).status).toBe(200)

  const reset = (...args: string[]) =>
    run(['users', 'reset-password', '--email', email, '--password-file', '-', ...args], {
      input: 'a password that was reset\n',
    })
  const ambiguous = await reset()
  expect([ambiguous.code, ambiguous.stderr]).toEqual([1, expect.stringContaining('--tenant-id')])
  expect(await reset('--tenant-id', tenant._id)).toMatchObject({ code: 0, stdout: '' })
  expect((await login(email, password)).status).toBe(401)
  const signedIn = await login(email, 'a password that was reset')
  expect(signedIn.body.data.user.tenantId).toBe(tenant._id)
  expect((await login(email, separate.password)).body.data.user.tenantId).toBe(other.tenant._id)
  expect((await soon(() => send('GET', '/api/auth/me', { token }), 401))[0]).toBe(401)
  expect(await auditOf(signedIn.body.data.accessToken)).toContain('user.passwordReset by system')
})

test('crm-server keys find names the tenant of a key by its hint', async () => {
  const { token, tenant } = await registerTenant(server.url)
  await createKey(server.url, token, ['read:customers'])
  const [key] = (await send('GET', '/api/tenant/api-keys', { token })).body.data.keys
  const found = columns((await run(['keys', 'find', key.keyHint])).stdout)
  expect(found).toContainEqual([key._id, key.name, 'active', '', tenant._id, tenant.name])
  const none = await run(['keys', 'find', '____'])
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('4 letters or digits')])
})

test('crm-server prints the rows of each command with --json as one object a line, with the figures as numbers', async () => {
  const objects = async (...args: string[]) =>
    (await run([...args, '--json'])).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const [created] = await objects('tenants', 'create', 'Engines by line', '--email', 'ada@json.example')
  expect(created).toEqual({
    id: expect.any(String),
    name: 'Engines by line',
    inviteToken: expect.any(String),
  })
  const { id } = created
  expect(await objects('tenants', 'list')).toContainEqual({
    id,
    name: created.name,
    state: 'active',
    createdAt: expect.stringMatching(/Z$/),
  })
  expect(await objects('tenants', 'set-limit', id, 'customers')).toEqual([
    { name: 'customers', limit: 5_000_000, used: 0 },
  ])
  expect(await objects('tenants', 'set-limit', id)).toContainEqual({
    name: 'apiCalls',
    limit: 'unlimited',
    used: null,
  })
  const { token, tenant } = await registerTenant(server.url)
  await createKey(server.url, token, ['read:customers'])
  const [key] = (await send('GET', '/api/tenant/api-keys', { token })).body.data.keys
  expect(await objects('keys', 'find', key.keyHint)).toContainEqual({
    id: key._id,
    name: key.name,
    state: 'active',
    lastUsedAt: null,
    tenantId: tenant._id,
    tenantName: tenant.name,
  })
  const folder = path.join(dataDir, 'exported')
  expect(await objects('tenants', 'export', id, folder)).toContainEqual({ kind: 'inboxes', count: 1 })
  const imported = await objects(
    'tenants',
    'import',
    folder,
    '--name',
    'Again',
    '--email',
    'ada@json.example',
  )
  expect(imported).toContainEqual({ kind: 'inboxes', inPackage: 1, here: 1 })
  expect(await objects('tenants', 'delete', id)).toContainEqual({ kind: 'inboxes', count: 1 })
  expect(await objects('secrets', 'reseal')).toEqual([{ sealed: expect.any(Number) }])
})

test.each([
  ['no such tenant', ['tenants', 'suspend', 'ten_none'], {}, /There is no tenant ten_none/],
  ['no argument', ['tenants', 'resume'], {}, /Expected TENANT_ID/],
  [
    'an unknown limit',
    ['tenants', 'set-limit', 'ten_none', 'cats', '1'],
    {},
    /no limit cats.*customers.*apiCalls/,
  ],
  ['a limit without a tenant', ['tenants', 'set-limit'], {}, /Expected TENANT_ID/],
  ['no e-mail', ['tenants', 'create', 'Name'], {}, /Missing: --email/],
  ['a wrong e-mail', ['tenants', 'create', 'Name', '--email', 'nobody'], {}, /email/],
  ['an unknown person', ['users', 'reset-password', '--email', 'a@b.example'], {}, /Nobody signs in/],
  ['an unknown option', ['tenants', 'list', '--all'], {}, /--all/],
  ['an unknown verb', ['tenants', 'remove', 'x'], {}, /There is no command "tenants remove x"/],
  [
    'no database',
    ['tenants', 'list'],
    { CRM_DATABASE_URL: 'sqlite:/nowhere/at/all.sqlite' },
    /There is no database/,
  ],
])('crm-server reports %s in one sentence and ends with 1', async (_, args, env, sentence) => {
  const { code, stdout, stderr } = await run(args, { env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^crm-server: /)
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/^ +at /m)
})

test('crm-server --version prints the version and the schemas on one line, and --help every command', async () => {
  expect(await run(['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S* \(schema \d+ of SQLite, \d+ of MongoDB\)\n$/),
  })
  const { stdout } = await run(['tenants', '--help'])
  for (const command of ['tenants create', 'tenants suspend', 'users reset-password', 'keys find'])
    expect(stdout).toContain(`crm-server ${command}`)
})

test('every command of crm-server --help has a help of its own, with an example, and does nothing else', async () => {
  const { stdout } = await run(['--help'])
  const commands = [...stdout.matchAll(/^crm-server ((?!--)[a-z]+(?: [a-z]+(?:-[a-z]+)*)?)/gm)].map(
    ([, words = '']) => words,
  )
  expect(commands.length).toBeGreaterThan(12)
  for (const words of commands) {
    const help = await run([...words.split(' '), '--help'])
    expect(help, words).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(new RegExp(`^crm-server ${words}\\b`))
    expect(help.stdout).toMatch(new RegExp(`Example:\\n.*crm-server ${words}|crm-server ${words}.*$`, 's'))
  }
})
