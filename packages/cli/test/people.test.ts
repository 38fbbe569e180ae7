import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Crm } from '@crmkit/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { readProfiles, writeProfiles } from './support/profiles.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()

// Users and inboxes of a tenant, with real processes and a real server.

const password = 'correct horse battery'
const newPassword = 'another horse battery'
let baseUrl: string
let crm: Crm
let session: object
let ownerId: string

beforeAll(async () => {
  baseUrl = await startServer(atEnd)
  const body = { tenantName: 'Acme', email: 'ada@acme.test', password }
  const { accessToken, refreshToken, user } = await new Crm({ baseUrl }).auth.register(body)
  crm = new Crm({ baseUrl, accessToken })
  ownerId = user._id
  session = { accessToken, refreshToken, expiresAt: new Date(Date.now() + 800_000).toISOString() }
})

function ownersMachine(): Machine {
  const machine = makeMachine()
  writeProfiles(machine, { default: { baseUrl, session } })
  return machine
}

const inDirectory = (machine: Machine, name: string) => join(machine.directory, name)
const invite = (email: string) => ['users', 'create', '--email', email, '--role', 'agent']

describe('an invitation', () => {
  it('adds a person, with the token from a file, the password on stdin and the session in the profile', async () => {
    const owner = ownersMachine()
    const run = await owner.run([...invite('grace@acme.test'), '--token-file', 'grace.token', '--json'])
    expect(run.code).toBe(0)
    const token = readFileSync(inDirectory(owner, 'grace.token'), 'utf8')
    expect(statSync(inDirectory(owner, 'grace.token')).mode & 0o777).toBe(0o600)
    expect(run.stdout + run.stderr).not.toContain(token.trim())
    expect(JSON.parse(run.stdout)).not.toHaveProperty('inviteToken')

    const grace = makeMachine()
    writeFileSync(inDirectory(grace, 'token'), token)
    const accept = ['accept-invite', '--base-url', baseUrl, '--token-file', 'token', '--password-stdin']
    const accepted = await grace.run(accept, { stdin: `${newPassword}\n` })
    expect(accepted).toMatchObject({ code: 0, stdout: '' })
    expect(accepted.stderr).toContain('You have joined Acme as grace@acme.test (agent).')
    expect(accepted.stderr).not.toContain(newPassword)
    expect(readProfiles(grace).profiles['default']).toMatchObject({ baseUrl, email: 'grace@acme.test' })
    expect((await grace.run(['whoami', '--quiet'])).stdout).toBe('grace@acme.test\n')
    expect(await grace.run(accept, { stdin: newPassword })).toMatchObject({ code: 4, stdout: '' })
  }, 60_000)

  it('prints only its token with --quiet, and a new token ends the previous one', async () => {
    const owner = ownersMachine()
    const first = await owner.run([...invite('joan@acme.test'), '--quiet'])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const { data } = await crm.users.list()
    const id = data.find(({ email }) => email === 'joan@acme.test')?._id ?? 'none'
    const second = await owner.run(['users', 'invite', id, '--quiet'])
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(second.stdout).not.toBe(first.stdout)
    const accept = ['accept-invite', '--base-url', baseUrl, '--token-stdin']
    const env = { CRM_PASSWORD: newPassword }
    expect((await makeMachine().run(accept, { env, stdin: first.stdout })).code).toBe(4)
    expect((await makeMachine().run(accept, { env, stdin: second.stdout })).code).toBe(0)
    expect((await owner.run(['users', 'invite', id])).code).toBe(5)
  }, 60_000)

  it('leaves no file when the server refuses it', async () => {
    const owner = ownersMachine()
    const run = await owner.run([...invite('ada@acme.test'), '--token-file', 'token'])
    expect(run).toMatchObject({ code: 5, stdout: '' })
    expect(() => statSync(inDirectory(owner, 'token'))).toThrow('ENOENT')
  })

  it.each([
    [['accept-invite', '--token-stdin', '--password-stdin']],
    [['accept-invite', '--token-stdin', '--token-file', 'token']],
    [['accept-invite', '--password-stdin']],
    [['accept-invite', '--token', 'inv_secret']],
    [['users', 'create', '--email', 'x@acme.test']],
    [['users', 'create', '--email', 'x@acme.test', '--role', 'king']],
    [['users', 'delete', 'usr_1']],
    [['inboxes', 'delete', 'inb_1']],
    [['inboxes', 'create']],
    [['inboxes', 'create', '--name', 'x', '--widget', 'perhaps']],
    [['inboxes', 'update', 'inb_1']],
    [['inboxes', 'widget-secret', 'inb_1', '--overlap', '0s']],
    [['messages', 'update', 'msg_1']],
    [['messages', 'update', 'msg_1', '--status', 'sent']],
    [['customers', 'merge', 'cus_1', '--source', 'cus_2']],
    [['customers', 'merge', 'cus_1', '--yes']],
  ])('refuses %j before anything is sent', async (args) => {
    const env = { CRM_BASE_URL: 'http://127.0.0.1:1', CRM_API_KEY: 'sk_test_x' }
    const run = await makeMachine().run(args, { env, stdin: 'inv_secret' })
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).not.toContain('inv_secret')
  })
})

describe('a user', () => {
  it('is removed with --yes, unless it is the only owner', async () => {
    const owner = ownersMachine()
    const { _id } = await crm.users.create({ email: 'gone@acme.test', role: 'viewer' })
    expect(await owner.run(['users', 'delete', _id, '--yes'])).toMatchObject({ code: 0, stdout: `${_id}\n` })
    expect((await owner.run(['users', 'get', _id])).code).toBe(3)
    expect((await owner.run(['users', 'delete', ownerId, '--yes'])).code).toBe(5)
  })
})

describe('an inbox', () => {
  it('preserves the settings that an update does not name, including those of auto-assign and widget', async () => {
    const owner = ownersMachine()
    const widget = [
      '--widget',
      'on',
      '--widget-origins',
      'https://www.acme.test',
      '--widget-greeting',
      'Hello',
    ]
    const flags = [
      '--channel',
      'chat',
      '--members',
      'ada@acme.test',
      '--auto-assign',
      'on',
      '--max-open',
      '5',
      '--only-online',
      'off',
    ]
    const created = await owner.run(['inboxes', 'create', '--name', 'Web', ...flags, ...widget, '--quiet'])
    expect(created.code).toBe(0)
    const id = created.stdout.trim()
    const made = await crm.inboxes.get(id)
    expect(made).toMatchObject({ channel: 'chat', members: [ownerId], isDefault: false })
    expect(made.autoAssign).toMatchObject({ enabled: true, maxOpen: 5 })

    const changes = ['--auto-assign', 'off', '--widget-color', '#3457d5', '--clear', 'widget-greeting']
    const updated = await owner.run(['inboxes', 'update', id, ...changes, '--remove-members', 'me', '--json'])
    expect(updated.code).toBe(0)
    const after = await crm.inboxes.get(id)
    expect(JSON.parse(updated.stdout)).toEqual(after)
    expect(after).toMatchObject({ name: 'Web', channel: 'chat', members: [] })
    expect(after.autoAssign).toMatchObject({ enabled: false, onlyOnline: false, maxOpen: 5 })
    expect(after.widget).toEqual({ ...made.widget, greeting: null, color: '#3457d5' })

    expect((await owner.run(['inboxes', 'update', id, '--add-members', 'me', '--default'])).code).toBe(0)
    expect(await crm.inboxes.get(id)).toMatchObject({ isDefault: true, members: [ownerId] })
    expect((await owner.run(['inboxes', 'delete', id, '--yes'])).code).toBe(5)
  }, 60_000)
})

describe('the secret of a widget', () => {
  it('is written to a file or printed alone once; a second rotation within the overlap is refused', async () => {
    const owner = ownersMachine()
    const { _id } = await crm.inboxes.create({ name: 'Web', channel: 'chat' })
    const first = await owner.run(['inboxes', 'widget-secret', _id, '--secret-file', 'widget', '--json'])
    expect(first.code).toBe(0)
    const secret = readFileSync(inDirectory(owner, 'widget'), 'utf8').trim()
    expect(secret).toMatch(/^wis_/)
    expect(statSync(inDirectory(owner, 'widget')).mode & 0o777).toBe(0o600)
    expect(first.stdout + first.stderr).not.toContain(secret)
    expect(JSON.parse(first.stdout).widget.identitySecretPrefix).toBe(secret.slice(0, 8))
    const second = await owner.run(['inboxes', 'widget-secret', _id, '--overlap', '1h', '--quiet'])
    expect(second).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^wis_\S+\n$/) })
    const third = await owner.run(['inboxes', 'widget-secret', _id, '--secret-file', 'third'])
    expect(third).toMatchObject({ code: 5, stdout: '' })
    expect(() => statSync(inDirectory(owner, 'third'))).toThrow('ENOENT')
    const ended = await owner.run(['inboxes', 'widget-secret', _id, '--overlap', '0s', '--yes', '--quiet'])
    expect(ended.code).toBe(0)
    expect((await crm.inboxes.get(_id)).widget.identitySecretPrefix).toBe(ended.stdout.slice(0, 8))
  }, 60_000)
})

describe('a merge', () => {
  it('moves one customer into the other without a question with --yes', async () => {
    const target = await crm.customers.create({ firstName: 'Ada', tags: ['a'] })
    const source = await crm.customers.create({ firstName: 'A.', email: 'a@b.test', tags: ['b'] })
    const args = ['customers', 'merge', target._id, '--source', source._id, '--yes', '--json']
    const run = await ownersMachine().run(args)
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ _id: target._id, tags: ['a', 'b'] })
    await expect(crm.customers.get(source._id)).rejects.toMatchObject({ status: 404 })
  })
})

describe('a block', () => {
  it('is set and lifted, and the customer shows its time', async () => {
    const { _id } = await crm.customers.create({ firstName: 'Ada' })
    const machine = ownersMachine()
    const blocked = await machine.run(['customers', 'block', _id, '--json'])
    expect(JSON.parse(blocked.stdout).blockedAt).toEqual(expect.any(String))
    const unblocked = await machine.run(['customers', 'unblock', _id])
    expect(unblocked).toMatchObject({ code: 0, stderr: expect.stringContaining('Unblocked the customer.') })
    expect(await crm.customers.get(_id)).toMatchObject({ blockedAt: null })
  })
})

describe('the audit log', () => {
  it('lists actor, action and target as tab-separated rows in a pipe', async () => {
    const { _id } = await crm.users.create({ email: 'audited@acme.test', role: 'viewer' })
    const run = await ownersMachine().run(['tenant', 'audit-log', '--limit', '5'])
    expect(run.code).toBe(0)
    const row = run.stdout.split('\n').find((line) => line.includes(_id)) ?? ''
    expect(row.split('\t').slice(1, 4)).toEqual([ownerId, 'user.invited', _id])
    expect(run.stderr).toMatch(/of \d+ audit entries/)
  })
})

it.skipIf(!hasPseudoTerminal)(
  'asks for missing values, and shows neither token nor password',
  async () => {
    const inviting = await ownersMachine().runInTerminal(['users', 'create'], {
      responses: [
        ['Their e-mail', 'mary@acme.test\r'],
        ['What may they do?', '\u001b[B\r'],
      ],
      columns: 200,
      env: { NO_COLOR: '1' },
    })
    expect(inviting.code).toBe(0)
    const [, token = ''] = /Token +(\S+)/.exec(inviting.screen) ?? []
    expect(token).not.toBe('')
    const { code, screen } = await makeMachine().runInTerminal(['accept-invite', '--base-url', baseUrl], {
      responses: [
        ['Your invite token', `${token}\r`],
        ['A password', `${newPassword}\r`],
        ['Repeat the password', `${newPassword}\r`],
      ],
    })
    expect(code).toBe(0)
    expect(screen).toContain('mary@acme.test (agent)')
    expect(screen).not.toContain(token)
    expect(screen).not.toContain(newPassword)
  },
  60_000,
)

describe('a person of several tenants', () => {
  const email = 'both@acme.test'
  const tenantIds: string[] = []
  beforeAll(async () => {
    const anonymous = new Crm({ baseUrl })
    for (const tenantName of ['Engines', 'Looms']) {
      const body = { tenantName, email, password }
      tenantIds.push((await anonymous.auth.register(body)).tenant._id)
    }
  })
  const login = () => ['login', '--base-url', baseUrl, '--email', email]

  it('signs in with --tenant-id, which a login without a terminal names with the values', async () => {
    const env = { CRM_PASSWORD: password }
    const run = await makeMachine().run(login(), { env })
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain('--tenant-id')
    expect(run.stderr).toContain(`${tenantIds[0]} (Engines), ${tenantIds[1]} (Looms)`)
    const chosen = await makeMachine().run([...login(), '--tenant-id', tenantIds[1] ?? ''], { env })
    expect(chosen.code).toBe(0)
    expect(chosen.stderr).toContain('Signed in to Looms')
    const wrong = await makeMachine().run(login(), { env: { CRM_PASSWORD: 'a wrong password' } })
    expect(wrong.code).toBe(4)
    expect(wrong.stderr).not.toContain('Engines')
  }, 60_000)

  it.skipIf(!hasPseudoTerminal)(
    'chooses the tenant from a list on a terminal',
    async () => {
      const env = { CRM_PASSWORD: password }
      const responses = [['Which tenant?', '\u001b[B\r']] as const
      const { code, screen } = await makeMachine().runInTerminal(login(), { env, responses })
      expect(screen).toContain(`Engines (${tenantIds[0]})`)
      expect(screen).toContain('Signed in to Looms')
      expect(code).toBe(0)
    },
    60_000,
  )

  it('accepts with --separate when a stranger has used the e-mail', async () => {
    const owner = ownersMachine()
    const invited = await owner.run([...invite(email), '--quiet'])
    const accept = ['accept-invite', '--base-url', baseUrl, '--token-stdin']
    const run = (args: readonly string[]) =>
      makeMachine().run([...accept, ...args], { env: { CRM_PASSWORD: newPassword }, stdin: invited.stdout })
    const refused = await run([])
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('--separate')
    expect((await run(['--separate'])).code).toBe(0)
  }, 60_000)
})

it('init asks for the setup token of a server that others reach, and registers with it alone', async () => {
  const lines: string[] = []
  const variables = { CRM_REGISTRATION: 'first', CRM_TRUST_PROXY: '1' }
  const url = await startServer(undefined, variables, (text) => lines.push(text))
  const args = ['init', '--base-url', url, '--tenant', 'Acme', '--email', 'ada@acme.test', '--no-key']
  const machine = makeMachine()
  const refused = await machine.run(args, { env: { CRM_PASSWORD: password } })
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(refused.stderr).toContain('--setup-token')
  await expect.poll(() => lines.join('')).toContain(`in a browser: ${url}/#setup=`)
  const [, token = ''] = /#setup=(\S+)/.exec(lines.join('')) ?? []
  const run = await machine.run([...args, '--setup-token', token], { env: { CRM_PASSWORD: password } })
  expect(run.code).toBe(0)
}, 60_000)

it('init names the operator’s command where registration is switched off', async () => {
  const url = await startServer(undefined, { CRM_REGISTRATION: 'off' })
  const args = ['init', '--base-url', url, '--tenant', 'Acme', '--email', 'ada@acme.test']
  const run = await makeMachine().run(args, { env: { CRM_PASSWORD: password } })
  expect(run).toMatchObject({ code: 4, stdout: '' })
  expect(run.stderr).toMatch(/crm-server tenants create.*CRM_REGISTRATION=first/)
}, 60_000)
