import { expect, it } from 'vitest'
import { makeMachine } from './support/run-crm.ts'
import { customerList, failure, startStub } from './support/stub-server.ts'

const env = (baseUrl: string) => ({ CRM_BASE_URL: baseUrl, CRM_API_KEY: 'sk_test_x' })

const responses = [
  [500, 'INTERNAL_ERROR', 1],
  [404, 'NOT_FOUND', 3],
  [401, 'API_KEY_INVALID', 4],
  [403, 'PERMISSION_DENIED', 4],
  [409, 'CONFLICT', 5],
  [422, 'VALIDATION_ERROR', 5],
] as const

it.each(responses)(
  'ends with the right exit code for the response %i %s: %i',
  async (status, code, exitCode) => {
    const stub = await startStub({ 'POST /api/v1/customers': () => failure(status, code, 'It did not work') })
    const run = await makeMachine().run(['customers', 'create', '--email', 'a@b.test'], {
      env: env(stub.baseUrl),
    })
    expect(run).toMatchObject({ code: exitCode, stdout: '' })
    // A missing resource is named: nothing else in the response says which one it is.
    const sentence = status === 404 ? 'It did not work: /api/v1/customers' : 'It did not work'
    expect(run.stderr).toContain(`error: ${sentence}\ncode: ${code}, request: req-stub-0001\n`)
  },
  30_000,
)

it('reports a long rate limit immediately, with exit code 6 and the wait', async () => {
  const limited = {
    ...failure(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests'),
    headers: { 'retry-after': '55' },
  }
  const stub = await startStub({ 'GET /api/v1/customers': () => limited })
  const run = await makeMachine().run(['customers', 'list'], { env: env(stub.baseUrl) })
  expect(run.code).toBe(6)
  expect(run.stderr).toContain('hint: Try again in 55 s.')
  expect(stub.requests).toHaveLength(1)
})

it('names every refused field on stderr, and prints the envelope with --json', async () => {
  const details = [
    { field: 'email', message: 'must be an e-mail address', rule: 'email', in: 'body' },
    { field: 'tier', message: 'is required', rule: 'required', in: 'body' },
  ]
  const refused = failure(422, 'VALIDATION_ERROR', 'The request is not valid', { details })
  const stub = await startStub({ 'POST /api/v1/customers': () => refused })
  const machine = makeMachine()
  const args = ['customers', 'create', '--email', 'x']
  const people = await machine.run(args, { env: env(stub.baseUrl) })
  expect(people.stderr).toContain('\n  email: must be an e-mail address\n  tier: is required\n')
  const programs = await machine.run([...args, '--json'], { env: env(stub.baseUrl) })
  expect(programs).toMatchObject({ code: 5, stdout: '' })
  expect(JSON.parse(programs.stderr)).toEqual(refused.body)
})

it('reports the missing permission of a key', async () => {
  const refused = failure(403, 'PERMISSION_DENIED', 'No', {
    required: 'write:customers',
    granted: ['read:customers'],
  })
  const stub = await startStub({ 'POST /api/v1/customers': () => refused })
  const run = await makeMachine().run(['customers', 'create', '--email', 'a@b.test'], {
    env: env(stub.baseUrl),
  })
  expect(run.stderr).toContain('  required: write:customers\n  granted: read:customers\n')
})

it('reports a server that does not respond without a stack trace', async () => {
  const run = await makeMachine().run(['customers', 'create', '--email', 'a@b.test'], {
    env: env('http://127.0.0.1:1'),
  })
  expect(run.code).toBe(1)
  expect(run.stderr).toContain('code: CONNECTION_FAILED')
  expect(run.stderr).not.toMatch(/ {4}at /)
})

it('names the missing flags without a terminal, with exit code 2', async () => {
  const machine = makeMachine()
  const run = await machine.run(['init'])
  expect(run.code).toBe(2)
  for (const flag of ['--base-url', '--tenant', '--email', '--password-stdin'])
    expect(run.stderr).toContain(flag)
  expect(await machine.run(['keys', 'revoke', 'key_1'])).toMatchObject({ code: 2, stdout: '' })
  expect((await machine.run(['keys', 'revoke', 'key_1'])).stderr).toContain('--yes')
  expect((await machine.run(['customers', 'create'])).stderr).toContain('--email')
})

it.each([
  [['nonsense']],
  [['keys']],
  [[]],
  [['customers', 'list', '--limit', '0']],
  [['customers', 'list', '--tier', 'tin']],
  [['login', '--password', 'secret']],
  [['webhooks', 'test', '--json', 'whk_1']],
  [['webhooks', 'create', '--name', 'x', '--url', 'https://x.test', '--events', 'nonsense']],
  [['customers', 'list', '--base-url', 'ftp://x']],
  [['customers', 'get', '']],
  [['customers', 'get', '..']],
])('refuses the wrong usage %j with exit code 2 and nothing on stdout', async (args) => {
  const credential = { CRM_API_KEY: 'sk_test_x', CRM_BASE_URL: 'http://127.0.0.1:1' }
  const own = args.includes('get') ? { env: credential } : {}
  expect(await makeMachine().run(args, own)).toMatchObject({ code: 2, stdout: '' })
})

it('refuses a call without a credential with exit code 4', async () => {
  const machine = makeMachine()
  const run = await machine.run(['customers', 'list'], { env: { CRM_BASE_URL: 'http://127.0.0.1:1' } })
  expect(run.code).toBe(4)
  const keys = await machine.run(['keys', 'list'], { env: env('http://127.0.0.1:1') })
  expect(keys.code).toBe(4)
})

it('ends with 130 when it is interrupted', async () => {
  const asked = Promise.withResolvers<void>()
  const stub = await startStub({
    'GET /api/v1/customers': () => {
      asked.resolve()
      return { ...customerList([]), delayMs: 5_000 }
    },
  })
  const run = await makeMachine().run(['customers', 'list'], {
    env: env(stub.baseUrl),
    interrupt: asked.promise,
  })
  expect(run).toEqual({ code: 130, stdout: '', stderr: '' })
})

it.each([[['--help']], [['keys', '--help']], [['help', 'keys', 'create']], [['webhooks', 'logs', '--help']]])(
  'shows help with an example for %j',
  async (args) => {
    const run = await makeMachine().run(args)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(/Examples:\n {2}\$ crm/)
  },
)
