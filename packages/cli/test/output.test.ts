import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasPseudoTerminal, makeMachine } from './support/run-crm.ts'
import { customer, customerList, startStub } from './support/stub-server.ts'

const key = { CRM_API_KEY: 'sk_test_x' }
const hostile = '\u001b[31mRed\u001b[0m\u001b]0;title\u0007 \u009b2Jx\ty\u202egnp.exe\r\nEnd'

async function serveCustomers(customers: readonly object[], total = customers.length) {
  const stub = await startStub({ 'GET /api/v1/customers': () => customerList(customers, total) })
  return { ...key, CRM_BASE_URL: stub.baseUrl }
}

describe('in a pipe', () => {
  it('prints tab-separated rows with ISO times and no header', async () => {
    const env = await serveCustomers([customer(1), customer(2, { email: null })])
    const run = await makeMachine().run(['customers', 'list'], { env })
    const [first, second, end] = run.stdout.split('\n')
    expect(first?.split('\t')).toEqual([
      'cus_01J8ZQ4W7N3M5K6P8R9S0T1V01',
      'Ada Nr 1',
      'ada1@example.com',
      '',
      'gold',
      'active',
      '2026-01-02T03:04:05.678Z',
    ])
    expect(second?.split('\t')[2]).toBe('')
    expect(end).toBe('')
    expect(run).toMatchObject({ code: 0, stderr: '' })
  })

  it('strips escape sequences, control and bidi characters from external text', async () => {
    const env = await serveCustomers([customer(1, { firstName: hostile, lastName: null })])
    const { stdout } = await makeMachine().run(['customers', 'list'], { env })
    expect(stdout.split('\t')[1]).toBe('Red x ygnp.exe End')
    expect(stdout).toMatch(/^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]*$/)
  })

  it('strips them from ids with --quiet, because a server can be malicious', async () => {
    const env = await serveCustomers([{ ...customer(1), _id: hostile }])
    expect((await makeMachine().run(['customers', 'list', '-q'], { env })).stdout).toBe(
      'Red x ygnp.exe End\n',
    )
  })

  it('reports missing rows on stderr, unless --quiet is given', async () => {
    const env = await serveCustomers([customer(1)], 1_240)
    const machine = makeMachine()
    const run = await machine.run(['customers', 'list', '--limit', '1'], { env })
    expect(run.stderr).toMatch(/^1 of 1,240 customers\. .*--cursor cursor-2\n$/)
    const quiet = await machine.run(['customers', 'list', '--limit', '1', '-q'], { env })
    expect(quiet).toEqual({ code: 0, stdout: 'cus_01J8ZQ4W7N3M5K6P8R9S0T1V01\n', stderr: '' })
  })

  it('reads all pages in the order of the list', async () => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => customer(from + index))
    const stub = await startStub({
      'GET /api/v1/customers': ({ query }) =>
        query.has('cursor') ? customerList(page(100, 50)) : customerList(page(0, 100), 150),
    })
    const env = { ...key, CRM_BASE_URL: stub.baseUrl }
    const run = await makeMachine().run(['customers', 'list', '--all', '-q'], { env })
    expect(run.stdout.trim().split('\n')).toHaveLength(150)
    expect(stub.requests.map(({ query }) => query.get('limit'))).toEqual(['100', '100'])
    expect(stub.requests.map(({ query }) => query.get('cursor'))).toEqual([null, 'cursor-2'])
  })

  it('ends without an error when the reader closes the pipe', async () => {
    const page = Array.from({ length: 100 }, (_, index) => customer(index, { company: 'x'.repeat(3_000) }))
    const env = await serveCustomers(page)
    const run = await makeMachine().runInShell('{ crm customers list; echo "code $?" >&2; } | head -c 10', {
      env,
    })
    expect(run).toMatchObject({ stdout: 'cus_01J8ZQ', stderr: 'code 0\n' })
  })
})

it.skipIf(!existsSync('/dev/full'))('reports lost data on a full disk with exit code 1', async () => {
  const env = await serveCustomers([customer(1)])
  const run = await makeMachine().runInShell('crm customers list > /dev/full', { env })
  expect(run.code).toBe(1)
  expect(run.stderr).toContain('could not be written (ENOSPC)')
})

describe('with --json', () => {
  it('prints the rows unchanged, with C1 and bidi characters escaped', async () => {
    const rows = [customer(1, { firstName: hostile })]
    const env = await serveCustomers(rows)
    const { stdout } = await makeMachine().run(['customers', 'list', '--json'], { env })
    expect(JSON.parse(stdout)).toEqual(rows)
    expect(stdout).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]*$/)
  })

  it('prints only the named fields, and warns of a member below a field that no row has', async () => {
    const env = await serveCustomers([customer(1)])
    const list = (fields: string) => makeMachine().run(['customers', 'list', '--json', fields], { env })
    expect(JSON.parse((await list('_id,profile.email')).stdout)).toEqual([
      { _id: 'cus_01J8ZQ4W7N3M5K6P8R9S0T1V01', 'profile.email': 'ada1@example.com' },
    ])
    const absent = await list('_id,customFields.plan')
    expect(JSON.parse(absent.stdout)).toMatchObject([{ 'customFields.plan': null }])
    expect([absent.code, absent.stderr]).toEqual([0, expect.stringContaining('customFields.plan')])
  })

  it('refuses an unknown field before anything is sent', async () => {
    const stub = await startStub({})
    const env = { ...key, CRM_BASE_URL: stub.baseUrl }
    for (const command of [
      ['customers', 'list'],
      ['customers', 'get', 'cus_1'],
      ['customers', 'create', '--first-name', 'Ada'],
      ['customers', 'update', 'cus_1', '--first-name', 'Ada'],
      ['conversations', 'close', 'cnv_1'],
      ['webhooks', 'rotate-secret', 'whk_1'],
    ]) {
      const run = await makeMachine().run([...command, '--json=_id,nonsense'], { env })
      expect([run.code, run.stdout], command.join(' ')).toEqual([2, ''])
      expect(run.stderr).toMatch(/There is no field nonsense\..*Fields: _id, /s)
    }
    expect(stub.requests).toEqual([])
  })

  it('fails when no reply of a command has the field', async () => {
    const env = await serveCustomers([customer(1)])
    const run = await makeMachine().run(['doctor', '--json', 'check,nonsense'], { env })
    expect(run.stderr).toContain('There is no field nonsense.')
    expect(run.code).toBe(1)
  })
})

describe.skipIf(!hasPseudoTerminal)('on a terminal', () => {
  it('prints a table with relative times and the count', async () => {
    const env = await serveCustomers([customer(1)], 1_240)
    const { code, screen } = await makeMachine().runInTerminal(['customers', 'list', '--limit', '1'], {
      env,
      columns: 120,
    })
    expect(code).toBe(0)
    expect(screen).toContain('\u001b[1mId')
    expect(screen).toMatch(
      /Ada Nr 1 {2}ada1@example\.com {2}– .* gold .* ago {2,}cus_01J8ZQ4W7N3M5K6P8R9S0T1V01/,
    )
    expect(screen).toContain('1 of 1,240 customers.')
  })

  it('writes no escape sequence with NO_COLOR or --no-color', async () => {
    const env = await serveCustomers([customer(1)])
    const machine = makeMachine()
    const byVariable = await machine.runInTerminal(['customers', 'list'], { env: { ...env, NO_COLOR: '1' } })
    const byFlag = await machine.runInTerminal(['customers', 'list', '--no-color'], { env })
    for (const { screen } of [byVariable, byFlag]) {
      expect(screen).toContain('Ada Nr 1')
      expect(screen).not.toContain('\u001b')
    }
  })

  it('truncates the flexible columns of a wide table, so that no line is longer than the terminal', async () => {
    const env = await serveCustomers([customer(1, { company: '長い会社名'.repeat(8) })])
    const { screen } = await makeMachine().runInTerminal(['customers', 'list', '--no-color'], {
      env,
      columns: 100,
    })
    expect(screen).toMatch(/…/)
    expect(screen.split('\n').filter(({ length }) => length > 100)).toEqual([])
  })

  it('hides optional columns of a table that is still too wide, and names them', async () => {
    const env = await serveCustomers([customer(1)])
    const { screen } = await makeMachine().runInTerminal(['customers', 'list', '--no-color'], {
      env,
      columns: 76,
    })
    expect(screen).toMatch(/^Name .* Created +Id$/m)
    expect(screen).toContain('The terminal is too narrow for: Tier, Status.')
  })

  it('prints cards when a table does not fit', async () => {
    const env = await serveCustomers([customer(1), customer(2)])
    const { screen } = await makeMachine().runInTerminal(['customers', 'list', '--no-color'], {
      env,
      columns: 50,
    })
    expect(screen).toMatch(/^Name {5}Ada Nr 1\n/)
    expect(screen).toContain('Id       cus_01J8ZQ4W7N3M5K6P8R9S0T1V01\n\nName     Ada Nr 2\n')
  })

  it('prints external text without control sequences', async () => {
    const env = await serveCustomers([customer(1, { firstName: hostile, lastName: null })])
    const { screen } = await makeMachine().runInTerminal(['customers', 'list', '--no-color'], {
      env,
      columns: 150,
    })
    expect(screen).toContain('Red x ygnp.exe End')
    expect(screen).not.toMatch(/[\u0007\u001b\u0080-\u009f\u202e]/)
  })
})
