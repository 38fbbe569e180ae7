import { expect, it } from 'vitest'
import { readProfiles, writeProfiles } from './support/profiles.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'

const password = { CRM_PASSWORD: 'correct horse battery' }

async function initialise(): Promise<{ machine: Machine; baseUrl: string; key: string }> {
  const baseUrl = await startServer()
  const machine = makeMachine()
  const flags = ['--base-url', baseUrl, '--tenant', 'Acme', '--email', 'ada@acme.test', '--quiet']
  const run = await machine.run(['init', ...flags], { env: password })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toMatch(/^sk_live_[0-9A-Za-z]{38}\n$/)
  return { machine, baseUrl, key: run.stdout.trim() }
}

it('creates customers on an empty server with a session and with the first key', async () => {
  const { machine, baseUrl, key } = await initialise()
  const who = await machine.run(['whoami', '--json', 'email,role,tenant,credential'])
  expect(JSON.parse(who.stdout)).toEqual({
    email: 'ada@acme.test',
    role: 'owner',
    tenant: 'Acme',
    credential: 'session',
  })
  const withKey = { CRM_API_KEY: key, CRM_BASE_URL: baseUrl }
  const elsewhere = makeMachine()
  const fields = [
    '--first-name',
    'Ada',
    '--last-name',
    'Lovelace',
    '--email',
    'ada@example.com',
    '--tags',
    'vip,beta',
  ]
  const created = await elsewhere.run(['customers', 'create', ...fields, '--tier', 'gold', '-q'], {
    env: withKey,
  })
  expect(created.stdout).toMatch(/^cus_\w+\n$/)
  await machine.run(['customers', 'create', '--first-name', 'Grace', '--custom-field', 'plan=pro'])
  const all = await machine.run(['customers', 'list'])
  expect(all.stdout.split('\n').map((line) => line.split('\t')[1])).toEqual([
    'Grace',
    'Ada Lovelace',
    undefined,
  ])
  const found = await elsewhere.run(['customers', 'list', '--search', 'lovelace', '--tags', 'vip', '-q'], {
    env: withKey,
  })
  expect(found.stdout).toBe(created.stdout)
  const refused = await machine.run(['customers', 'create', '--email', 'no e-mail'])
  expect(refused.code).toBe(5)
  expect(refused.stderr).toMatch(/\n {2}email: .*\ncode: VALIDATION_ERROR, request: [\w-]+\n/)
  const keyOfKey = await elsewhere.run(['whoami', '--json', 'credential,source'], { env: withKey })
  expect(JSON.parse(keyOfKey.stdout)).toEqual({ credential: 'apiKey', source: 'CRM_API_KEY' })
})

it('creates, lists and revokes API keys, and a revoked key is refused', async () => {
  const { machine, baseUrl } = await initialise()
  const flags = [
    '--name',
    'ci',
    '--permissions',
    'read:customers',
    '--expires-in',
    '90d',
    '--rate-limit',
    '100/minute',
  ]
  const created = await machine.run(['keys', 'create', ...flags, '--json'])
  const { _id, key } = JSON.parse(created.stdout)
  const env = { CRM_API_KEY: key, CRM_BASE_URL: baseUrl }
  expect(await machine.run(['customers', 'list'], { env })).toMatchObject({ code: 0 })
  const denied = await machine.run(['customers', 'create', '--email', 'a@b.test'], { env })
  expect(denied.code).toBe(4)
  expect(denied.stderr).toContain('required: write:customers')
  const list = await machine.run(['keys', 'list', '--active'])
  expect(list.stdout.split('\n')[0]).toContain(`${_id}\tci\tsk_live_…${key.slice(-10, -6)}\tactive`)
  expect(await machine.run(['keys', 'revoke', _id, '--yes', '-q'])).toMatchObject({
    code: 0,
    stdout: `${_id}\n`,
  })
  expect((await machine.run(['customers', 'list'], { env })).code).toBe(4)
  expect((await machine.run(['keys', 'revoke', 'key_unknown', '--yes'])).code).toBe(3)
  expect((await machine.run(['keys', 'list', '--inactive', '-q'])).stdout).toBe(`${_id}\n`)
})

async function newReply(machine: Machine, content: string): Promise<string> {
  const conversation = await machine.run(['conversations', 'create', '--subject', 'Help', '-q'])
  const reply = ['conversations', 'reply', conversation.stdout.trim(), '--content', content, '-q']
  return (await machine.run(reply)).stdout.trim()
}

it('reports the delivery status of a message and shows it', async () => {
  const { machine } = await initialise()
  const id = await newReply(machine, 'On its\nway')
  expect((await machine.run(['messages', 'update', id, '--status', 'failed', '-q'])).stdout).toBe(`${id}\n`)
  const shown = await machine.run(['messages', 'get', id, '--json', 'status,content'])
  expect(JSON.parse(shown.stdout)).toEqual({ status: 'failed', content: 'On its\nway' })
  const back = await machine.run(['messages', 'update', id, '--status', 'delivered'])
  expect(back).toMatchObject({ code: 5, stdout: '' })
  expect(back.stderr).toContain('A message that is failed cannot become delivered')
  expect((await machine.run(['messages', 'get', 'msg_unknown'])).code).toBe(3)
})

it.skipIf(!hasPseudoTerminal)(
  'shows one message on a terminal with its line breaks and its delivery status',
  async () => {
    const { machine } = await initialise()
    const id = await newReply(machine, 'On its\nway')
    await machine.run(['messages', 'update', id, '--status', 'failed'])
    const { screen } = await machine.runInTerminal(['messages', 'get', id], { env: { NO_COLOR: '1' } })
    expect(screen).toMatch(/outbound, failed, now .*\n {2}On its\n {2}way\n/)
  },
  40_000,
)

it('shows the failed test of a webhook and lists it in the log', async () => {
  const { machine } = await initialise()
  // Nothing listens there.
  const flags = [
    '--name',
    'Shop',
    '--url',
    'https://127.0.0.1:1234/hook',
    '--events',
    'customer.*',
    '--max-retries',
    '1',
  ]
  const created = await machine.run(['webhooks', 'create', ...flags, '--json'])
  expect(created.code).toBe(0)
  const { _id, secret } = JSON.parse(created.stdout)
  expect(secret).toMatch(/^whsec_/)
  expect((await machine.run(['webhooks', 'list'])).stdout).toContain(
    `${_id}\tShop\thttps://127.0.0.1:1234/hook\ttrue`,
  )
  const test = await machine.run(['webhooks', 'test', _id])
  expect(test.code).toBe(1)
  expect(test.stdout).toMatch(/^POST \/hook HTTP\/1\.1\nHost: 127\.0\.0\.1:1234\n/)
  expect(test.stdout).toContain('(CONNECT)')
  const logs = await machine.run([
    'webhooks',
    'logs',
    _id,
    '--status',
    'failed',
    '--json',
    'event,status,errorCode',
  ])
  expect(JSON.parse(logs.stdout)).toEqual([{ event: 'webhook.test', status: 'failed', errorCode: 'CONNECT' }])
  expect((await machine.run(['webhooks', 'test', 'whk_unknown'])).code).toBe(3)
})

it('shares one session between processes that renew it at the same time, and ends it at logout', async () => {
  const { machine, baseUrl } = await initialise()
  const before = readProfiles(machine).profiles['default'] as { session: { refreshToken: string } }
  const expired = { ...before.session, expiresAt: '2026-01-01T00:00:00.000Z' }
  writeProfiles(machine, { default: { ...before, session: expired } })
  const runs = await Promise.all([1, 2, 3].map(() => machine.run(['whoami', '-q'])))
  expect(runs).toEqual(runs.map(() => ({ code: 0, stdout: 'ada@acme.test\n', stderr: '' })))
  const after = readProfiles(machine).profiles['default'] as typeof before
  expect(after.session.refreshToken).not.toBe(before.session.refreshToken)
  expect((await machine.run(['logout', '-q'])).code).toBe(0)
  expect((await machine.run(['whoami'])).code).toBe(4)
  // The server ended the session too, so it refuses the tokens.
  writeProfiles(machine, { default: { ...after } })
  expect((await machine.run(['whoami'])).code).toBe(4)
  const login = ['login', '--base-url', baseUrl, '--email', 'ada@acme.test', '--password-stdin']
  expect((await machine.run(login, { stdin: 'wrong wrong wrong\n' })).code).toBe(4)
  expect((await machine.run(login, { stdin: `${password.CRM_PASSWORD}\n` })).code).toBe(0)
  expect((await machine.run(['whoami', '-q'])).stdout).toBe('ada@acme.test\n')
})
