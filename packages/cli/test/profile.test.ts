import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newKeyText } from '@crmkit/core'
import { describe, expect, it } from 'vitest'
import { profilesPath, readProfiles, storedSession, writeProfiles } from './support/profiles.ts'
import { makeMachine } from './support/run-crm.ts'
import { customerList, failure, session, startStub, success } from './support/stub-server.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777
const issued = { accessToken: 'access-1', refreshToken: 'refresh-1' }

describe('the profile file', () => {
  it('is readable only by its owner, and so is its directory', async () => {
    const stub = await startStub({ 'POST /api/auth/login': () => success(session(issued)) })
    const machine = makeMachine()
    const run = await machine.run(
      ['login', '--base-url', stub.baseUrl, '--email', 'ada@acme.test', '--password-stdin'],
      {
        stdin: 'correct horse\n',
      },
    )
    expect(run).toMatchObject({ code: 0, stdout: '' })
    expect(stub.requests[0]?.body).toEqual({ email: 'ada@acme.test', password: 'correct horse' })
    expect(modeOf(profilesPath(machine))).toBe(0o600)
    expect(modeOf(join(machine.configHome, 'crmkit'))).toBe(0o700)
    expect(readdirSync(join(machine.configHome, 'crmkit'))).toEqual(['profiles.json'])
    expect(readProfiles(machine)).toMatchObject({
      current: 'default',
      profiles: { default: { baseUrl: stub.baseUrl, email: 'ada@acme.test', session: issued } },
    })
  })

  it('loses the rights of group and others at the next read', async () => {
    const stub = await startStub({ 'GET /api/v1/customers': () => customerList([]) })
    const machine = makeMachine()
    writeProfiles(machine, { default: { baseUrl: stub.baseUrl, apiKey: 'sk_test_p' } })
    chmodSync(profilesPath(machine), 0o644)
    expect((await machine.run(['customers', 'list'])).code).toBe(0)
    expect(modeOf(profilesPath(machine))).toBe(0o600)
  })

  it('is reported without its content when it is damaged', async () => {
    const machine = makeMachine()
    writeProfiles(machine, {})
    writeFileSync(profilesPath(machine), '{"version":1,"secret-part')
    const run = await machine.run(['customers', 'list'])
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('PROFILE_FILE_INVALID')
    expect(run.stderr).not.toContain('secret-part')
  })

  it('stores an API key from stdin and refuses a key that the server refuses', async () => {
    const good = newKeyText('staging').key
    const unknown = newKeyText('staging').key
    const keyHolder = {
      user: null,
      memberships: [],
      tenant: { _id: 'ten_1', name: 'Engines' },
      apiKey: { _id: 'key_1', name: 'CI', environment: 'production', permissions: ['read:customers'] },
    }
    const stub = await startStub({
      'GET /api/auth/me': ({ headers }) =>
        headers['authorization'] === `Bearer ${good}`
          ? success(keyHolder)
          : failure(401, 'API_KEY_INVALID', 'Unknown key'),
    })
    const machine = makeMachine()
    const args = ['login', '--profile', 'ci', '--base-url', stub.baseUrl, '--api-key-stdin']
    expect((await machine.run(args, { stdin: `${unknown}\n` })).code).toBe(4)
    expect((await machine.run(args, { stdin: `${good}\n` })).code).toBe(0)
    expect(readProfiles(machine)).toMatchObject({
      current: 'ci',
      profiles: { ci: { apiKey: good } },
    })
    const who = await machine.run(['whoami', '--json'])
    expect(JSON.parse(who.stdout)).toMatchObject({
      credential: 'apiKey',
      source: 'profile ci',
      baseUrl: stub.baseUrl,
      name: 'CI',
      tenant: 'Engines',
    })
  })

  it('loses its credentials at logout, even when the session has ended before', async () => {
    const stub = await startStub({
      'POST /api/auth/logout': () => failure(401, 'AUTH_REQUIRED', 'Sign in'),
      'POST /api/auth/refresh': () => failure(401, 'AUTH_REQUIRED', 'Sign in'),
    })
    const machine = makeMachine()
    writeProfiles(machine, { default: { baseUrl: stub.baseUrl, session: storedSession('0', 600) } })
    expect((await machine.run(['logout'])).code).toBe(0)
    expect(readProfiles(machine).profiles['default']).toEqual({ baseUrl: stub.baseUrl })
  })
})

describe('precedence', () => {
  async function setUp() {
    const stubs = await Promise.all(
      [1, 2, 3].map(() => startStub({ 'GET /api/v1/customers': () => customerList([]) })),
    )
    const [flagged, environment, stored] = stubs as [(typeof stubs)[0], (typeof stubs)[0], (typeof stubs)[0]]
    const machine = makeMachine()
    writeProfiles(machine, {
      default: { baseUrl: stored.baseUrl, apiKey: 'sk_test_profile' },
      other: { baseUrl: flagged.baseUrl, apiKey: 'sk_test_other' },
    })
    return { machine, flagged, environment, stored }
  }
  const credentialOf = (stub: Awaited<ReturnType<typeof startStub>>) =>
    stub.requests[0]?.headers['authorization']

  it('uses the profile without flags and environment', async () => {
    const { machine, stored } = await setUp()
    await machine.run(['customers', 'list'])
    expect(credentialOf(stored)).toBe('Bearer sk_test_profile')
  })

  it('puts the environment before the profile', async () => {
    const { machine, environment } = await setUp()
    const env = { CRM_BASE_URL: environment.baseUrl, CRM_API_KEY: 'sk_test_env' }
    await machine.run(['customers', 'list'], { env })
    expect(credentialOf(environment)).toBe('Bearer sk_test_env')
  })

  it('puts flags before the environment', async () => {
    const { machine, flagged, environment } = await setUp()
    const env = { CRM_BASE_URL: environment.baseUrl, CRM_API_KEY: 'sk_test_env', CRM_PROFILE: 'default' }
    await machine.run(['customers', 'list', '--base-url', flagged.baseUrl], { env })
    expect(credentialOf(flagged)).toBe('Bearer sk_test_env')
    await machine.run(['--profile', 'other', 'customers', 'list'], { env })
    expect(flagged.requests[1]?.headers['authorization']).toBe('Bearer sk_test_other')
    expect(environment.requests).toHaveLength(0)
  })

  it("sends a profile's credential to no other server", async () => {
    const { machine, environment } = await setUp()
    const run = await machine.run(['customers', 'list'], { env: { CRM_BASE_URL: environment.baseUrl } })
    expect(run.code).toBe(4)
    expect(environment.requests).toHaveLength(0)
  })
})

describe('a session', () => {
  /** Like the server: a refresh token works once, and one that is used twice ends the whole session. */
  async function startSessionStub() {
    let current = { accessToken: 'access-0', refreshToken: 'refresh-0' }
    let hasEnded = false
    let refreshes = 0
    const stub = await startStub({
      'POST /api/auth/refresh': ({ body }) => {
        if (body['refreshToken'] !== current.refreshToken) hasEnded = true
        if (hasEnded) return failure(401, 'AUTH_REQUIRED', 'The session has ended')
        refreshes += 1
        current = { accessToken: `access-${refreshes}`, refreshToken: `refresh-${refreshes}` }
        return { ...success(session(current)), delayMs: 300 }
      },
      'GET /api/v1/customers': ({ headers }) =>
        !hasEnded && headers['authorization'] === `Bearer ${current.accessToken}`
          ? customerList([])
          : failure(401, 'AUTH_REQUIRED', 'The token has ended'),
    })
    return {
      stub,
      state: () => ({ hasEnded, refreshes, current }),
      expire: () => (current.accessToken = 'gone'),
    }
  }

  it('is renewed once by several processes that find it expired at the same time', async () => {
    const { stub, state } = await startSessionStub()
    const machine = makeMachine()
    writeProfiles(machine, { default: { baseUrl: stub.baseUrl, session: storedSession('0', -5) } })
    const runs = await Promise.all([1, 2, 3, 4].map(() => machine.run(['customers', 'list'])))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(state()).toMatchObject({ hasEnded: false, refreshes: 1 })
    expect(readProfiles(machine).profiles['default']).toMatchObject({ session: state().current })
    expect(modeOf(profilesPath(machine))).toBe(0o600)
    expect(readdirSync(join(machine.configHome, 'crmkit'))).toEqual(['profiles.json'])
  })

  it('is renewed when the server refuses a token that has not expired locally', async () => {
    const { stub, state, expire } = await startSessionStub()
    const machine = makeMachine()
    writeProfiles(machine, { default: { baseUrl: stub.baseUrl, session: storedSession('0', 600) } })
    expire()
    expect((await machine.run(['customers', 'list'])).code).toBe(0)
    expect(state().refreshes).toBe(1)
  })

  it('is stored even when Ctrl-C interrupts its renewal', async () => {
    const asked = Promise.withResolvers<void>()
    const stub = await startStub({
      'POST /api/auth/refresh': () => {
        asked.resolve()
        return { ...success(session(issued)), delayMs: 500 }
      },
    })
    const machine = makeMachine()
    writeProfiles(machine, { default: { baseUrl: stub.baseUrl, session: storedSession('0', -5) } })
    const run = await machine.run(['customers', 'list'], { interrupt: asked.promise })
    expect(run.code).toBe(130)
    expect(readProfiles(machine).profiles['default']).toMatchObject({ session: issued })
    expect(readdirSync(join(machine.configHome, 'crmkit'))).toEqual(['profiles.json'])
  })

  it('is deleted after its end, with exit code 4 and the hint to log in', async () => {
    const stub = await startStub({ 'POST /api/auth/refresh': () => failure(401, 'AUTH_REQUIRED', 'Ended') })
    const machine = makeMachine()
    writeProfiles(machine, { default: { baseUrl: stub.baseUrl, session: storedSession('0', -5) } })
    const run = await machine.run(['customers', 'list'])
    expect(run.code).toBe(4)
    expect(run.stderr).toContain('crm login')
    expect(readFileSync(profilesPath(machine), 'utf8')).not.toContain('refresh-0')
  })

  it('is renewed despite the lock of a dead process', async () => {
    const { stub } = await startSessionStub()
    const machine = makeMachine()
    writeProfiles(machine, { default: { baseUrl: stub.baseUrl, session: storedSession('0', -5) } })
    const lock = join(machine.configHome, 'crmkit', 'session-default.lock')
    mkdirSync(lock)
    const long = new Date(Date.now() - 60_000)
    utimesSync(lock, long, long)
    expect((await machine.run(['customers', 'list'])).code).toBe(0)
    expect(readdirSync(join(machine.configHome, 'crmkit'))).toEqual(['profiles.json'])
  })
})
