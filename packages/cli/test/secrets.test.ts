import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readProfiles, storedSession, writeProfiles } from './support/profiles.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'
import { failure, session, startStub, success } from './support/stub-server.ts'

const secretKey = 'sk_test_0123456789abcdefghijklmnopqrstuv012345'
const at = '2026-01-02T03:04:05.678Z'
const keyRecord = {
  _id: 'key_1',
  tenantId: 'ten_1',
  name: 'ci',
  displayName: null,
  environment: 'staging',
  permissions: ['read:customers'],
  keyPrefix: 'sk_test_',
  keyHint: 'stuv',
  isActive: true,
  expiresAt: null,
  rotationPolicy: null,
  rateLimit: null,
  ipWhitelist: [],
  createdBy: 'usr_1',
  lastUsedAt: null,
  revokedAt: null,
  createdAt: at,
  updatedAt: at,
}
const webhookRecord = {
  _id: 'whk_1',
  tenantId: 'ten_1',
  name: 'Shop',
  url: 'https://shop.test/hook',
  events: ['customer.created'],
  isActive: true,
  headers: {},
  retryPolicy: { maxRetries: 3, backoffStrategy: 'exponential' },
  health: {
    state: 'healthy',
    consecutiveFailures: 0,
    lastSuccessAt: null,
    lastFailureAt: null,
    disabledReason: null,
  },
  previousSecretExpiresAt: null,
  createdAt: at,
  updatedAt: at,
}

async function setUp() {
  const stub = await startStub({
    'POST /api/tenant/api-keys': () => ({ status: 201, ...success({ ...keyRecord, key: secretKey }) }),
    'POST /api/tenant/api-keys/key_1/revoke': () => success({ ...keyRecord, isActive: false }),
    'POST /api/v1/webhooks': () => ({ status: 201, ...success({ ...webhookRecord, secret: 'whsec_abc=' }) }),
    'POST /api/auth/register': () => ({
      status: 201,
      ...success(session({ accessToken: 'access-1', refreshToken: 'refresh-1' })),
    }),
  })
  const machine = makeMachine()
  writeProfiles(machine, { default: { baseUrl: stub.baseUrl, session: storedSession('0', 600) } })
  return { stub, machine }
}
const inDirectory = (machine: Machine, name: string) => join(machine.directory, name)

const createKey = ['keys', 'create', '--name', 'ci', '--permissions', 'read:customers']
const createKeyLine = createKey.join(' ')
const createWebhook = [
  'webhooks',
  'create',
  '--name',
  'Shop',
  '--url',
  'https://shop.test/hook',
  '--events',
  'customer.*',
]

describe('a new API key', () => {
  it('is the only text on stdout with --quiet', async () => {
    const { machine } = await setUp()
    expect(await machine.run([...createKey, '--quiet'])).toEqual({
      code: 0,
      stdout: `${secretKey}\n`,
      stderr: '',
    })
  })

  it('is printed once, in its row', async () => {
    const { machine } = await setUp()
    const { stdout, stderr } = await machine.run(createKey)
    expect(stdout.trimEnd().split('\t').at(-1)).toBe(secretKey)
    expect(stdout.split(secretKey)).toHaveLength(2)
    expect(stderr).not.toContain(secretKey)
  })

  it('is written only to a new file of mode 0600', async () => {
    const { machine } = await setUp()
    const run = await machine.run([...createKey, '--key-file', 'key.txt', '--json'])
    expect(run.code).toBe(0)
    expect(run.stdout + run.stderr).not.toContain(secretKey)
    expect(readFileSync(inDirectory(machine, 'key.txt'), 'utf8')).toBe(`${secretKey}\n`)
    expect(statSync(inDirectory(machine, 'key.txt')).mode & 0o777).toBe(0o600)
  })

  it('is not created when its file exists', async () => {
    const { machine, stub } = await setUp()
    writeFileSync(inDirectory(machine, 'key.txt'), 'precious')
    expect((await machine.run([...createKey, '--key-file', 'key.txt'])).code).toBe(2)
    expect(readFileSync(inDirectory(machine, 'key.txt'), 'utf8')).toBe('precious')
    expect(stub.requests).toHaveLength(0)
  })

  it('leaves no file when the server refuses it', async () => {
    const stub = await startStub({
      'POST /api/tenant/api-keys': () => failure(403, 'PERMISSION_DENIED', 'No'),
    })
    const machine = makeMachine()
    writeProfiles(machine, { default: { baseUrl: stub.baseUrl, session: storedSession('0', 600) } })
    expect((await machine.run([...createKey, '--key-file', 'key.txt'])).code).toBe(4)
    expect(existsSync(inDirectory(machine, 'key.txt'))).toBe(false)
  })

  it('is not requested when the disk has no space for it', async () => {
    const { machine, stub } = await setUp()
    // No file of this process may grow: what a full disk does, without a full disk.
    const run = await machine.runInShell(`(ulimit -f 0; crm ${createKeyLine} --key-file key.txt)`)
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('is the disk full?')
    expect(existsSync(inDirectory(machine, 'key.txt'))).toBe(false)
    expect(stub.requests).toHaveLength(0)
  })

  it('is shown with exit code 1 when its file is deleted meanwhile', async () => {
    const machine = makeMachine()
    const stub = await startStub({
      'POST /api/tenant/api-keys': () => {
        rmSync(inDirectory(machine, 'key.txt'))
        return { status: 201, ...success({ ...keyRecord, key: secretKey }) }
      },
    })
    writeProfiles(machine, { default: { baseUrl: stub.baseUrl, session: storedSession('0', 600) } })
    const run = await machine.run([...createKey, '--key-file', 'key.txt', '-q'])
    expect(run).toMatchObject({ code: 1, stdout: `${secretKey}\n` })
    expect(run.stderr).toContain('could not be written')
  })

  it('gets the settings of its flags', async () => {
    const { machine, stub } = await setUp()
    const flags = ['--rate-limit', '100/minute', '--allow-ip', '10.0.0.0/8,::1', '--expires-at', '2030-01-31']
    await machine.run([
      'keys',
      'create',
      '--name',
      'x',
      '--permissions',
      'all',
      '--environment',
      'staging',
      ...flags,
    ])
    expect(stub.requests[0]?.body).toMatchObject({
      name: 'x',
      environment: 'staging',
      expiresAt: '2030-01-31T00:00:00.000Z',
      rateLimit: { requests: 100, window: 'minute' },
      ipWhitelist: ['10.0.0.0/8', '::1'],
    })
    expect(stub.requests[0]?.body['permissions']).toHaveLength(6)
  })
})

describe('a new webhook', () => {
  it('prints only its secret with --quiet', async () => {
    const { machine, stub } = await setUp()
    expect(await machine.run([...createWebhook, '-q'])).toEqual({
      code: 0,
      stdout: 'whsec_abc=\n',
      stderr: '',
    })
    expect(stub.requests[0]?.body['events']).toEqual([
      'customer.created',
      'customer.updated',
      'customer.deleted',
    ])
  })

  it('writes its secret to a file of mode 0600, and reads headers from a file', async () => {
    const { machine, stub } = await setUp()
    writeFileSync(inDirectory(machine, 'headers'), 'Authorization: Bearer abc\nX-Shop: 1\n')
    const files = ['--secret-file', 'hook.secret', '--headers-file', 'headers']
    const run = await machine.run([...createWebhook, ...files])
    expect(run.stdout).toMatch(/^whk_1\tShop\t/)
    expect(run.stdout + run.stderr).not.toContain('whsec_abc=')
    expect(statSync(inDirectory(machine, 'hook.secret')).mode & 0o777).toBe(0o600)
    expect(stub.requests[0]?.body['headers']).toEqual({ Authorization: 'Bearer abc', 'X-Shop': '1' })
  })
})

describe('a password', () => {
  const init = ['init', '--tenant', 'Acme', '--email', 'ada@acme.test', '--profile', 'new', '--no-key']

  it.each([
    ['stdin', ['--password-stdin'], { stdin: ' two words \n' }],
    ['the environment', [], { env: { CRM_PASSWORD: ' two words ' } }],
    ['a file', ['--password-file', 'password'], {}],
  ])('is read unchanged from %s', async (_, flags, options) => {
    const { machine, stub } = await setUp()
    writeFileSync(inDirectory(machine, 'password'), ' two words \n')
    chmodSync(inDirectory(machine, 'password'), 0o600)
    const run = await machine.run([...init, '--base-url', stub.baseUrl, ...flags], options)
    expect(run.code).toBe(0)
    expect(stub.requests[0]?.body).toMatchObject({ tenantName: 'Acme', password: ' two words ' })
    expect(readProfiles(machine).current).toBe('new')
  })

  it('is refused as the value of a flag', async () => {
    const run = await makeMachine().run([...init, '--password', 'hunter2-hunter2'])
    expect(run.code).toBe(2)
    expect(run.stderr).not.toContain('hunter2')
  })
})

it('does not overwrite the credentials of a profile at init', async () => {
  const { machine, stub } = await setUp()
  const run = await machine.run(['init', '--tenant', 'Acme', '--email', 'a@b.test', '--password-stdin'], {
    stdin: 'x',
  })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('--force')
  expect(stub.requests).toHaveLength(0)
})

describe.skipIf(!hasPseudoTerminal)('at a terminal', () => {
  it('init asks for all values and never shows the password', async () => {
    const { machine, stub } = await setUp()
    const { code, screen } = await machine.runInTerminal(['init', '--profile', 'asked'], {
      responses: [
        ['The server', `${stub.baseUrl}\r`],
        ['Name of the tenant', 'Acme\r'],
        ['Your e-mail', 'ada@acme.test\r'],
        ['A password', 'correct horse battery\r'],
        ['Repeat the password', 'correct horse battery\r'],
      ],
    })
    expect(code).toBe(0)
    expect(screen).not.toContain('correct horse')
    expect(screen).toContain(secretKey)
    expect(stub.requests.map(({ path }) => path)).toEqual(['/api/auth/register', '/api/tenant/api-keys'])
    expect(stub.requests[0]?.body).toMatchObject({
      email: 'ada@acme.test',
      password: 'correct horse battery',
    })
  })

  it('init asks again for a password that is too short, and for a repetition that differs', async () => {
    const { machine, stub } = await setUp()
    const { code } = await machine.runInTerminal(['init', '--profile', 'asked'], {
      responses: [
        ['The server', `${stub.baseUrl}\r`],
        ['Name of the tenant', 'Acme\r'],
        ['Your e-mail', 'ada@acme.test\r'],
        ['A password', 'short\r'],
        ['Type at least 10 characters', ' but longer now\r'],
        ['Repeat the password', 'another\r'],
        ['The two passwords differ', '\u0015short but longer now\r'],
      ],
    })
    expect(code).toBe(0)
    expect(stub.requests[0]?.body).toMatchObject({ password: 'short but longer now' })
  })

  it('revoke asks first, and a no leaves the key unchanged', async () => {
    const { machine, stub } = await setUp()
    const no = await machine.runInTerminal(['keys', 'revoke', 'key_1'], {
      responses: [['Revoke key_1?', 'n\r']],
    })
    expect(no.code).toBe(1)
    expect(stub.requests).toHaveLength(0)
    const yes = await machine.runInTerminal(['keys', 'revoke', 'key_1'], {
      responses: [['Revoke key_1?', 'y\r']],
    })
    expect(yes.code).toBe(0)
    expect(stub.requests).toHaveLength(1)
  })

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s at a question ends with 130', async (_key, pressed) => {
    const { machine } = await setUp()
    const { code, screen } = await machine.runInTerminal(['keys', 'revoke', 'key_1'], {
      responses: [['Revoke key_1?', pressed]],
    })
    expect(code).toBe(130)
    expect(screen).not.toContain('Warning')
  })
})
