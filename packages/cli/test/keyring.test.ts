import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { profilesPath, readProfiles, writeProfiles } from './support/profiles.ts'
import { type Machine, makeMachine } from './support/run-crm.ts'
import { customerList, session, startStub, success } from './support/stub-server.ts'

const isThere = (program: string) =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
const hasKeyring = isThere('dbus-run-session') && isThere('gnome-keyring-daemon')
if (!hasKeyring) {
  process.stderr.write(
    'skipping keyring tests: no gnome-keyring-daemon and dbus-run-session on this machine\n',
  )
}

const on = { CRM_KEYRING: '' }

async function setUp() {
  let count = 0
  const issue = () => {
    count += 1
    return success(session({ accessToken: `access-${count}`, refreshToken: `refresh-${count}` }))
  }
  const stub = await startStub({
    'POST /api/auth/login': issue,
    'POST /api/auth/refresh': issue,
    'POST /api/auth/logout': () => ({ body: { success: true, message: 'Bye' } }),
    'GET /api/v1/customers': ({ headers }) =>
      headers['authorization'] === `Bearer access-${count}`
        ? customerList([])
        : { status: 401, body: { success: false, error: 'No', code: 'AUTH_REQUIRED', requestId: 'r' } },
  })
  const login = `crm login --base-url ${stub.baseUrl} --email ada@acme.test --password-stdin <<< secret`
  return { stub, machine: makeMachine(), login }
}

describe('without a system keyring', () => {
  it('stores the credential in the private file and prints the reason', async () => {
    const { machine, login } = await setUp()
    const run = await machine.runInShell(login, { env: on })
    expect(run.code).toBe(0)
    expect(run.stderr).toContain('in a file that only you can read')
    expect(run.stderr).toContain('The system keyring is not used: there is no session bus.')
    expect(readProfiles(machine).profiles['default']).toMatchObject({ session: { accessToken: 'access-1' } })
  })

  it('reports a credential in an unreadable keyring and suggests a login', async () => {
    const { machine, stub, login } = await setUp()
    await machine.runInShell(login, { env: on })
    const { session: _, ...profile } = readProfiles(machine).profiles['default'] ?? {}
    writeProfiles(machine, { default: { ...profile, keyring: 'session' } })
    const refused = await machine.run(['customers', 'list'], { env: on })
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('KEYRING_UNAVAILABLE')
    const byKey = { CRM_API_KEY: 'access-1', CRM_BASE_URL: stub.baseUrl, ...on }
    expect((await machine.run(['customers', 'list'], { env: byKey })).code).toBe(0)
    expect((await machine.runInShell(`${login}; crm customers list`, { env: on })).code).toBe(0)
  })
})

describe.skipIf(!hasKeyring)('with a system keyring', () => {
  /** Runs the commands inside a session bus with an unlocked keyring of their own. */
  function inSession(machine: Machine, commands: string) {
    const runtime = join(machine.directory, 'runtime')
    mkdirSync(runtime, { recursive: true, mode: 0o700 })
    const start = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null'
    const inner = `${start}; ${commands}`
    const line = `export -f crm; exec dbus-run-session -- bash -c '${inner.replaceAll("'", `'\\''`)}'`
    return machine.runInShell(line, { env: { ...on, XDG_RUNTIME_DIR: runtime } })
  }

  it('stores the credential only in the keyring, through renewal and logout', async () => {
    const { machine, login } = await setUp()
    const copy = (name: string) => `cp "$XDG_CONFIG_HOME/crmkit/profiles.json" ${name}`
    const steps = [
      login,
      copy('after-login'),
      'crm customers list',
      // The server refuses the stored token from here on, so it is renewed.
      `${login} --profile other`,
      'crm customers list --profile default',
      copy('after-renewal'),
      'crm profiles list --json name,keptIn',
      'crm logout --profile default',
      'crm logout --profile other',
    ]
    const run = await inSession(machine, steps.join(' && '))
    expect(run).toMatchObject({ code: 0 })
    expect(run.stderr).toContain('its session in the system keyring')
    for (const name of ['after-login', 'after-renewal']) {
      const text = readFileSync(join(machine.directory, name), 'utf8')
      expect(text).toContain('"keyring": "session"')
      expect(text).not.toMatch(/access-|refresh-/)
    }
    expect(JSON.parse(run.stdout)).toContainEqual({ name: 'default', keptIn: 'keyring' })
    expect(existsSync(profilesPath(machine))).toBe(true)
    expect(Object.values(readProfiles(machine).profiles).map((profile) => profile['keyring'])).toEqual([
      undefined,
      undefined,
    ])
  }, 60_000)
})
