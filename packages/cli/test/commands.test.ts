import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readProfiles, storedSession, writeProfiles } from './support/profiles.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'
import { customer, customerList, failure, startStub, success } from './support/stub-server.ts'

// By a name: dead-code analysis takes a literal for a program of the workspace.
const fish = 'fish'
const hasShell = (shell: string) => spawnSync(shell, ['--version'], { stdio: 'ignore' }).status === 0
const key = { CRM_API_KEY: 'sk_test_x' }
const hostile = '\u001b[31mRed\u001b]0;title\u0007'

describe('crm api', () => {
  it('adds fields to the query of a GET beside the query in the path', async () => {
    const stub = await startStub({ 'GET /api/v1/customers': () => customerList([]) })
    const env = { ...key, CRM_BASE_URL: stub.baseUrl }
    const args = ['api', 'get', '/api/v1/customers?tags=a&tags=b', '-f', 'search=x=y', '-F', 'limit=5']
    expect(await makeMachine().run(args, { env })).toMatchObject({ code: 0, stderr: '' })
    const [request] = stub.requests
    expect(request?.query.getAll('tags')).toEqual(['a', 'b'])
    expect(request?.query.get('search')).toBe('x=y')
    expect(request?.query.get('limit')).toBe('5')
  })

  it('sends a GET for a path without a method, and names what a method without a path lacks', async () => {
    const stub = await startStub({ 'GET /api/v1/customers': () => customerList([customer(1)]) })
    const env = { ...key, CRM_BASE_URL: stub.baseUrl }
    const run = await makeMachine().run(['api', '/api/v1/customers?limit=5'], { env })
    expect(run.code).toBe(0)
    expect(stub.requests.map(({ method, query }) => [method, query.get('limit')])).toEqual([['GET', '5']])
    const lacking = await makeMachine().run(['api', 'POST'], { env })
    expect(lacking).toMatchObject({ code: 2, stdout: '' })
    expect(lacking.stderr).toContain('The path is missing')
    expect((await makeMachine().run(['api', 'FETCH', '/api/v1/x'], { env })).code).toBe(2)
  })

  it('makes the nested body of a POST from fields, and reads a whole body from stdin', async () => {
    const stub = await startStub({ 'POST /api/v1/x': () => success({ done: true }) })
    const machine = makeMachine()
    const env = { ...key, CRM_BASE_URL: stub.baseUrl }
    const fields = ['-f', 'a.b=1', '-F', 'a.c=[1]', '-F', '__proto__.x=true', '-H', 'X-Test: 1']
    await machine.run(['api', 'POST', '/api/v1/x', ...fields], { env })
    expect(stub.requests[0]?.body).toMatchObject({ a: { b: '1', c: [1] } })
    expect(Object.hasOwn(stub.requests[0]?.body ?? {}, '__proto__')).toBe(true)
    expect(stub.requests[0]?.headers['x-test']).toBe('1')
    const run = await machine.run(['api', 'POST', '/api/v1/x', '--input', '-'], { env, stdin: '{"whole":1}' })
    expect(stub.requests[1]?.body).toEqual({ whole: 1 })
    expect(JSON.parse(run.stdout)).toEqual({ success: true, data: { done: true } })
  })

  it('follows cursors to the end and prints one row a line', async () => {
    const stub = await startStub({
      'GET /api/v1/customers': ({ query }) =>
        query.has('cursor') ? customerList([customer(2)]) : customerList([customer(1)], 2),
    })
    const env = { ...key, CRM_BASE_URL: stub.baseUrl }
    const args = ['api', 'GET', '/api/v1/customers', '--paginate', '--json', 'profile.lastName']
    const run = await makeMachine().run(args, { env })
    expect(run.stdout).toBe('{"profile.lastName":"Nr 1"}\n{"profile.lastName":"Nr 2"}\n')
    expect(stub.requests.map(({ query }) => query.get('cursor'))).toEqual([null, 'cursor-2'])
  })

  it('prints status and headers first with --include', async () => {
    const stub = await startStub({
      'GET /api/v1/x': () => ({ ...success({ text: hostile }), headers: { 'x-own': 'yes' } }),
    })
    const run = await makeMachine().run(['api', 'GET', '/api/v1/x', '-i'], {
      env: { ...key, CRM_BASE_URL: stub.baseUrl },
    })
    expect(run.stdout).toMatch(/^HTTP 200 OK\n[\s\S]*x-own: yes\n[\s\S]*\n\n\{/)
    expect(run.stdout).not.toContain('\u001b')
  })

  it.each([
    [['api', 'GET', 'https://evil.example/']],
    [['api', 'GET', '//evil.example/']],
    [['api', 'FETCH', '/api/v1/x']],
    [['api', 'POST', '/api/v1/x', '--paginate']],
    [['api', 'POST', '/api/v1/x', '-F', 'a=not json']],
    [['api', 'GET', '/api/v1/x', '-H', 'Authorization: Bearer sk_live_1']],
  ])('refuses %j before anything is sent', async (args) => {
    const env = { ...key, CRM_BASE_URL: 'http://127.0.0.1:1' }
    expect(await makeMachine().run(args, { env })).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('crm profiles', () => {
  function withProfiles(): Machine {
    const machine = makeMachine()
    const own = { baseUrl: 'http://127.0.0.1:1', email: 'ada@acme.test' }
    writeProfiles(machine, {
      default: { ...own, session: storedSession('secret', 600) },
      ci: { ...own, apiKey: 'sk_test_s' },
    })
    return machine
  }

  it('lists the profiles without their credentials', async () => {
    const machine = withProfiles()
    for (const flags of [[], ['--json'], ['-q']]) {
      const run = await machine.run(['profiles', 'list', ...flags])
      expect(run.code).toBe(0)
      expect(run.stdout).toContain('ci')
      expect(run.stdout).not.toMatch(/sk_test_s|access-|refresh-/)
    }
  })

  it('switches to another profile, and refuses an unknown one with exit code 3', async () => {
    const machine = withProfiles()
    expect((await machine.run(['profiles', 'use', 'ci'])).code).toBe(0)
    expect(readProfiles(machine).current).toBe('ci')
    expect((await machine.run(['profiles', 'use', 'nope'])).code).toBe(3)
    expect((await machine.run(['profiles', 'use', '__proto__'])).code).toBe(3)
  })

  it('deletes a profile with its credentials only with --yes', async () => {
    const machine = withProfiles()
    await machine.run(['profiles', 'use', 'ci'])
    expect((await machine.run(['profiles', 'delete', 'ci'])).code).toBe(2)
    expect((await machine.run(['profiles', 'delete', 'ci', '--yes'])).code).toBe(0)
    expect(readProfiles(machine)).toMatchObject({ current: 'default' })
    expect(Object.keys(readProfiles(machine).profiles)).toEqual(['default'])
  })
})

describe('crm doctor', () => {
  const health = {
    status: 'ok',
    version: '0.3.0',
    schema: 130,
    commit: null,
    uptimeSeconds: 5,
    checks: { storage: 'ok', jobs: 'ok' },
  }
  const hook = { _id: 'whk_1', name: `Shop${hostile}`, url: 'https://x.test', isActive: true, events: [] }
  const attempt = {
    _id: 'log_1',
    status: 'failed',
    statusCode: 500,
    error: 'Status 500',
    errorCode: 'STATUS',
    deliveredAt: '2026-01-02T03:04:05.678Z',
    nextAttemptAt: null,
  }
  const page = { total: 1, page: 1, limit: 20, totalPages: 1, totalIsEstimate: false, nextCursor: null }

  it('reports a wrong clock, the missing permissions of a key and a failing webhook', async () => {
    const me = {
      user: null,
      memberships: [],
      tenant: { _id: 'ten_1', name: 'Engines' },
      apiKey: { _id: 'key_1', name: 'Sync', environment: 'production', permissions: ['read:customers'] },
    }
    const stub = await startStub({
      'GET /api/v1/health': () => ({
        ...success(health),
        headers: { date: new Date(Date.now() + 400_000).toUTCString() },
      }),
      'GET /api/auth/me': () => success(me),
      'GET /api/v1/webhooks': () => success({ webhooks: [hook], ...page }),
      'GET /api/v1/webhooks/whk_1/logs': () => success({ logs: [attempt], ...page }),
      'POST /api/v1/webhooks/whk_1/recover': () => success({ matched: 3, created: 0, nextCursor: null }),
    })
    const run = await makeMachine().run(['doctor'], { env: { ...key, CRM_BASE_URL: stub.baseUrl } })
    expect(run.code).toBe(1)
    expect(run.stdout).toMatch(/^failed\tclock\tthis machine is (399|400|401) s behind/m)
    expect(run.stdout).toMatch(/^ok\tcredential\tAPI key Sync of Engines \(CRM_API_KEY\)$/m)
    expect(run.stdout).toMatch(/^ok\tpermissions\tread:customers; not /m)
    expect(run.stdout).toMatch(/^failed\twebhook ShopRed\tStatus 500 \(STATUS\)/m)
    expect(run.stdout).toMatch(
      /^warning\twebhook ShopRed\t3 deliveries failed permanently; to replay: crm webhooks recover whk_1 --since 30d$/m,
    )
    expect(stub.requests.at(-1)?.body).toMatchObject({ dryRun: true })
    expect(run.stdout).not.toContain('\u001b')
  })

  it('reports a server that does not respond, and sends nothing further', async () => {
    const run = await makeMachine().run(['doctor', '--json'], {
      env: { ...key, CRM_BASE_URL: 'http://127.0.0.1:1' },
    })
    expect(run.code).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject([{ check: 'server', status: 'failed' }])
  })
})

describe('crm webhooks logs --follow', () => {
  it('prints earlier attempts and then each change as NDJSON until it is interrupted', async () => {
    const log = (id: number, status: string) => ({ _id: `log_${id}`, status, event: 'customer.created' })
    const responses = [
      [log(2, 'pending'), log(1, 'success')],
      [log(2, 'pending'), log(1, 'success')],
      [log(3, 'failed'), log(2, 'success'), log(1, 'success')],
    ]
    const isDone = Promise.withResolvers<void>()
    let asked = 0
    const stub = await startStub({
      'GET /api/v1/webhooks/whk_1/logs': () => {
        const logs = responses[Math.min(asked++, responses.length - 1)] ?? []
        if (asked > responses.length) isDone.resolve()
        return success({
          logs,
          total: logs.length,
          page: 1,
          limit: 100,
          totalPages: 1,
          totalIsEstimate: false,
          nextCursor: null,
        })
      },
    })
    const run = await makeMachine().run(['webhooks', 'logs', 'whk_1', '--follow', '--json', '_id,status'], {
      env: { ...key, CRM_BASE_URL: stub.baseUrl },
      interrupt: isDone.promise,
    })
    expect(run.code).toBe(130)
    expect(
      run.stdout
        .trim()
        .split('\n')
        .map((line) => Object.values(JSON.parse(line)).join(' ')),
    ).toEqual(['log_1 success', 'log_2 pending', 'log_2 success', 'log_3 failed'])
  })
})

describe('completion', () => {
  it('completes commands, options and values in bash', async () => {
    const machine = makeMachine()
    const { stdout: script } = await machine.run(['completion', 'bash'])
    writeFileSync(join(machine.directory, 'crm.bash'), script)
    const complete = (...words: string[]) => {
      const line = words.join(' ')
      const crm = `crm() { [[ $* == 'profiles list --quiet' ]] && printf '%s\\n' ci home; }`
      const program = `source ./crm.bash; ${crm}; COMP_LINE='${line}'; COMP_POINT=${line.length}; _crm; echo "\${COMPREPLY[*]}"`
      const { stdout, stderr } = spawnSync('bash', ['-c', program], {
        cwd: machine.directory,
        encoding: 'utf8',
      })
      expect(stderr).toBe('')
      return stdout.trim()
    }
    expect(complete('crm', 'cust')).toBe('customers')
    expect(complete('crm', 'keys', '')).toBe('create list get update usage rotate revoke delete')
    expect(complete('crm', '--json', 'conversations', 'sn')).toBe('snooze')
    expect(complete('crm', 'keys', 'create', '--env')).toBe('--environment')
    expect(complete('crm', 'conversations', 'list', '--priority', '')).toBe('low medium high urgent')
    expect(complete('crm', 'webhooks', 'create', '--secret-file', '')).toBe('')
    expect(complete('crm', 'attachments', 'upload', '')).toBe('')
    expect(complete('crm', 'conversations', 'reply', 'con_1', '--attach', 'pho')).toBe('')
    expect(script).toContain(`'attachments upload') echo ':file'`)
    expect(script).toMatch(/\*' --attach'.*echo ':file'/)
    expect(complete('crm', 'profiles', 'use', '')).toBe('ci home')
    expect(complete('crm', 'health', '--profile', 'h')).toBe('home')
    expect(complete('crm', 'conversations', 'list', '--status', 'open,p')).toBe('open,pending')
    // Bash replaces only the part after the last colon.
    expect(complete('crm', 'keys', 'create', '--permissions', 'read:customers,read:co')).toBe('conversations')
    expect(complete('crm', 'webhooks', 'create', '--events', 'customer.created,customer.u')).toBe(
      'customer.created,customer.updated',
    )
  })

  it.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
    const run = await makeMachine().run(['completion', shell])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toContain('conversations')
    if (shell === 'zsh' && hasShell(shell)) {
      expect(spawnSync(shell, ['-n'], { input: run.stdout, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      })
    }
  })

  it.skipIf(!hasShell(fish))('completes commands, options and values in fish', async () => {
    const machine = makeMachine()
    const { stdout: script } = await machine.run(['completion', 'fish'])
    writeFileSync(join(machine.directory, 'crm.fish'), script)
    const complete = (line: string) => {
      const args = ['--no-config', '-c', `source ./crm.fish; complete -C '${line}'`]
      const { stdout, stderr } = spawnSync(fish, args, { cwd: machine.directory, encoding: 'utf8' })
      expect(stderr).toBe('')
      return stdout.split('\n').flatMap((one) => one.split('\t')[0] || [])
    }
    expect(complete('crm cust')).toEqual(['customers'])
    expect(complete('crm --json conversations sn')).toEqual(['snooze'])
    expect(complete('crm keys create --environment ')).toEqual(['production', 'staging'])
    expect(complete('crm conversations list --status open,p')).toEqual(['open,pending'])
    expect(complete('crm keys create --permissions read:cu')).toEqual(['read:customers'])
    expect(complete('crm attachments upload crm.fi')).toEqual(['crm.fish'])
  })
})

describe('crm webhooks recover', () => {
  it('follows the cursor to the end and adds up the counts', async () => {
    const stub = await startStub({
      'POST /api/v1/webhooks/whk_1/recover': ({ body }) =>
        success({ matched: 1_000, created: 7, nextCursor: body['cursor'] === 'c2' ? null : 'c2' }),
    })
    const env = { ...key, CRM_BASE_URL: stub.baseUrl }
    const machine = makeMachine()
    const run = await machine.run(['webhooks', 'recover', 'whk_1', '--since', '24h', '--dry-run', '--json'], {
      env,
    })
    expect(JSON.parse(run.stdout)).toEqual({ matched: 2_000, created: 14 })
    expect(run.stderr).toContain('2,000 events would be delivered')
    expect(stub.requests.map(({ body }) => [body['dryRun'], body['cursor']])).toEqual([
      [true, null],
      [true, 'c2'],
    ])
    const since = Date.parse(String(stub.requests[0]?.body['since']))
    expect(Math.abs(Date.now() - 86_400_000 - since)).toBeLessThan(120_000)
    expect((await machine.run(['webhooks', 'recover', 'whk_1'], { env })).code).toBe(2)
  })
})

describe('a rotation without an overlap', () => {
  it.each([
    ['keys', 'rotate', 'key_1'],
    ['webhooks', 'rotate-secret', 'whk_1'],
    ['inboxes', 'widget-secret', 'inb_1'],
  ])('needs --yes: crm %s %s', async (noun, verb, id) => {
    const env = { ...key, CRM_BASE_URL: 'http://127.0.0.1:1' }
    const run = await makeMachine().run([noun, verb, id, '--overlap', '0s'], { env })
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('--yes')
  })
})

describe('customers update', () => {
  it('preserves the tags and custom fields that no option names', async () => {
    const current = { ...customer(1), tags: ['Old', 'vip'], customFields: { plan: 'free', seats: 5 } }
    const stub = await startStub({
      'GET /api/v1/customers/cus_1': () => success(current),
      'PUT /api/v1/customers/cus_1': () => success(current),
    })
    const env = { ...key, CRM_BASE_URL: stub.baseUrl }
    const flags = [
      '--add-tags',
      'new',
      '--remove-tags',
      'old',
      '--custom-field',
      'plan=pro',
      '--clear',
      'phone',
    ]
    expect((await makeMachine().run(['customers', 'update', 'cus_1', ...flags], { env })).code).toBe(0)
    expect(stub.requests[1]?.body).toEqual({
      tags: ['vip', 'new'],
      customFields: { plan: 'pro', seats: 5 },
      phone: null,
    })
  })

  it.each([
    [['customers', 'update', 'cus_1']],
    [['conversations', 'update', 'con_1']],
    [['keys', 'update', 'key_1']],
    [['users', 'update', 'me']],
    [['users', 'update', 'me', '--role', 'owner']],
    [['webhooks', 'update', 'whk_1']],
    [['customers', 'update', 'cus_1', '--clear', 'tier']],
    [['conversations', 'assign', 'con_1', 'me']],
  ])('refuses %j, which changes nothing or is contradictory', async (args) => {
    const env = { ...key, CRM_BASE_URL: 'http://127.0.0.1:1' }
    expect(await makeMachine().run(args, { env })).toMatchObject({ code: 2, stdout: '' })
  })
})

describe.skipIf(!hasPseudoTerminal)('on a terminal', () => {
  it('shows a progress bar for a long list and erases it, and shows none in a pipe', async () => {
    const total = 1_200
    const stub = await startStub({
      'GET /api/v1/customers': ({ query }) => {
        const from = Number(query.get('cursor') ?? 0)
        const rows = Array.from({ length: 100 }, (_, index) => customer(from + index))
        const nextCursor = from + 100 < total ? String(from + 100) : null
        const pagination = { total, page: 1, limit: 100, totalPages: 12, totalIsEstimate: false, nextCursor }
        return { ...success(rows, { pagination }), delayMs: 100 }
      },
    })
    const machine = makeMachine()
    const env = { ...key, CRM_BASE_URL: stub.baseUrl, NO_COLOR: '1' }
    const { code, screen } = await machine.runInTerminal(['customers', 'list', '--all'], {
      env,
      columns: 200,
    })
    expect(code).toBe(0)
    expect(screen).toMatch(/\r\[#+-*\] [\d,]+ of 1,200 customers/)
    expect(screen).toMatch(/\r {30,}\r/)
    expect(screen).toContain('1,200 customers.')
    const pipe = await machine.run(['customers', 'list', '--all', '-q'], { env })
    expect(pipe.stderr).toBe('')
    expect(pipe.stdout.trim().split('\n')).toHaveLength(total)
  }, 60_000)

  it('shows messages as a thread without escape sequences from customers', async () => {
    const message = {
      _id: 'msg_1',
      type: 'reply',
      direction: 'inbound',
      sender: { type: 'customer', _id: 'cus_1', name: hostile },
      content: `One\n${hostile}Two`,
      attachments: [{ _id: 'att_1', filename: `bill${hostile}.pdf` }],
      createdAt: '2026-01-02T03:04:05.678Z',
    }
    const pagination = {
      total: 1,
      page: 1,
      limit: 20,
      totalPages: 1,
      totalIsEstimate: false,
      nextCursor: null,
    }
    const stub = await startStub({
      'GET /api/v1/conversations/con_1/messages': () => success([message], { pagination }),
    })
    const { screen } = await makeMachine().runInTerminal(['conversations', 'messages', 'con_1'], {
      env: { ...key, CRM_BASE_URL: stub.baseUrl, NO_COLOR: '1' },
    })
    expect(screen).toContain('  One\n  RedTwo\n  [billRed.pdf]  att_1\n')
    expect(screen).not.toMatch(/[\u0007\u001b]/)
  })

  it('asks for confirmation before it deletes, by the name of the resource', async () => {
    const stub = await startStub({
      'GET /api/v1/customers/cus_1': () => success(customer(1, { firstName: 'Grace', lastName: 'Hopper' })),
    })
    const { code, screen } = await makeMachine().runInTerminal(['customers', 'delete', 'cus_1'], {
      env: { ...key, CRM_BASE_URL: stub.baseUrl },
      responses: [['Erase Grace Hopper (cus_1) with', 'n\r']],
    })
    expect(code).toBe(1)
    expect(screen).toContain('Nothing was deleted.')
    expect(stub.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  it('asks by the id alone when the credential may not read the resource', async () => {
    const stub = await startStub({
      'GET /api/v1/customers/cus_1': () => failure(403, 'PERMISSION_DENIED', 'No'),
    })
    const { code } = await makeMachine().runInTerminal(['customers', 'delete', 'cus_1'], {
      env: { ...key, CRM_BASE_URL: stub.baseUrl },
      responses: [['Erase cus_1 with', 'n\r']],
    })
    expect(code).toBe(1)
  })
})
