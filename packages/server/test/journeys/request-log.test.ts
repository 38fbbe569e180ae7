import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, createKey, password, registerTenant, upload } from '../support/call.ts'
import { openStream } from '../support/open-stream.ts'
import { type Program, serverProgram, startProgram } from '../support/programs.ts'
import { migratedTestWorld, type TestWorld } from '../support/test-world.ts'

// The log of a real server, as an operator reads it with the request id of a customer's complaint in hand.

let dataDir: string
let world: TestWorld
let server: Program
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-request-log-'))
  world = migratedTestWorld()
})
afterEach(async () => {
  await server.kill('SIGKILL')
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}, args: string[] = []): Promise<void> {
  server = await startProgram(serverProgram, ['start', ...args], {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
    ...world.variables,
    ...env,
  })
}

interface Line {
  level: number
  msg: string
  requestId?: string
  method?: string
  path?: string
  status?: number
  ms?: number
  tenantId?: string
  credentialId?: string
}

/** Stops the server in order, and returns its log. */
async function logOf(): Promise<Line[]> {
  expect(await server.kill('SIGTERM')).toBe(0)
  return server
    .stderr()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

test('every request of a journey is found by its X-Request-Id, with its template and caller, and no secret or personal value', async () => {
  await start()
  const { token, refreshToken, email, tenant, user } = await registerTenant(server.url)
  const key = await createKey(server.url, token, ['read:customers', 'write:customers'])
  const asked: { requestId: string | null; expected: Partial<Line> }[] = []
  const send = async (request: Parameters<typeof call>[1], expected: Partial<Line>) => {
    const response = await call(server.url, request)
    asked.push({
      requestId: response.headers.get('x-request-id'),
      expected: { method: request.method ?? 'GET', status: response.status, ...expected },
    })
    return response
  }
  const caller = { tenantId: tenant._id, credentialId: user._id }
  const template = '/api/v1/customers/{id}'
  const body = { firstName: 'Grace', email: 'grace@navy.example', phone: '+15551234567' }
  const created = await send({ method: 'POST', path: '/api/v1/customers', token, body }, caller)
  const at = `/api/v1/customers/${created.body.data._id}`
  await send({ path: `${at}?search=secret-in-a-query`, token }, { path: template, status: 200, ...caller })
  await send({ path: at, token: key }, { path: template, tenantId: tenant._id })
  await send({ path: `/api/customers/${created.body.data._id}`, token }, { path: template })
  await send({ path: at }, { path: template, status: 401 })
  await send({ path: at, token: 'a.forged.token' }, { path: template, status: 401 })
  await send({ path: '/api/v1/somebody@private.example' }, { path: 'unknown', status: 404 })
  await send(
    { method: 'PATCH', path: '/api/v1/customers', token },
    { path: '/api/v1/customers', status: 405 },
  )
  await send(
    { method: 'POST', path: '/api/v1/customers', token, body: { nope: 1 } },
    { status: 422, ...caller },
  )
  await send({ method: 'HEAD', path: at, token }, { path: template, status: 200, ...caller })
  await send(
    { method: 'POST', path: '/api/auth/login', body: { email, password: 'a wrong password' } },
    { path: '/api/auth/login', status: 401 },
  )
  const file = new File(['the text of a private file'], 'private-name.txt', { type: 'text/plain' })
  const { _id: attachment } = await upload(server.url, { token, file })
  await send(
    { path: `/api/v1/attachments/${attachment}`, token },
    { path: '/api/v1/attachments/{id}', ...caller },
  )
  const stream = await openStream(server.url, { token })
  const health = await call(server.url, { path: '/api/v1/health' })

  const lines = await logOf()
  await stream.ended
  for (const { requestId, expected } of asked) {
    const found = lines.filter((line) => line.requestId === requestId)
    expect(found, JSON.stringify(expected)).toHaveLength(1)
    expect(found[0]).toMatchObject({ level: 30, msg: 'Request', ms: expect.any(Number), ...expected })
    if (expected.status === 401) expect(found[0]).not.toHaveProperty('tenantId')
  }
  expect(lines).toContainEqual(
    expect.objectContaining({ path: '/api/v1/events/stream', status: 200, ...caller }),
  )
  const healthId = health.headers.get('x-request-id')
  expect(lines.filter(({ requestId }) => requestId === healthId)).toEqual([])
  const text = server.stderr()
  const secrets = [token, refreshToken, key, password, 'a wrong password', 'a.forged.token']
  const personal = ['Grace', 'grace@navy.example', '15551234567', email, 'Olive', 'private', '127.0.0.1']
  for (const value of [...secrets, ...personal, 'secret-in-a-query']) expect(text).not.toContain(value)
})

test('a request for the health is in the log at the level debug', async () => {
  await start({ CRM_LOG_LEVEL: 'debug' })
  const health = await call(server.url, { path: '/api/v1/health' })
  const requestId = health.headers.get('x-request-id')
  const lines = await logOf()
  expect(lines.filter((line) => line.requestId === requestId)).toMatchObject([
    { level: 20, path: '/api/v1/health', status: 200 },
  ])
})

test('input that is no request is found by the id of its refusal', async () => {
  await start()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let read = ''
  socket.setEncoding('utf8').on('data', (text: string) => (read += text))
  socket.write('NO REQUEST\r\n\r\n')
  await once(socket, 'close')
  const requestId = /^X-Request-Id: (\S+)/im.exec(read)?.[1]
  const lines = await logOf()
  expect(lines.filter((line) => line.requestId === requestId)).toMatchObject([
    { path: 'unknown', status: 400 },
  ])
})

test('an upload and a body whose client hangs up are in the log at the level info, without a stack', async () => {
  await start()
  const { token, tenant } = await registerTenant(server.url)
  const begin = (type: string, at: string, { part, length }: { part: string; length: number }) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const head = [`POST ${at} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, `Content-Type: ${type}`]
    socket.write(`${head.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n${part}`)
    return socket
  }
  const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="half.bin"\r\n\r\n'
  const upload = { part: `${form}${'x'.repeat(200_000)}`, length: 4_000_000 }
  const sockets = [
    begin('multipart/form-data; boundary=x', '/api/v1/attachments', upload),
    begin('application/json', '/api/v1/customers', { part: '{"firstName":"', length: 100 }),
  ]
  // Once a later request is served, these are being served too.
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await call(server.url, { path: '/api/v1/customers', token })
  for (const socket of sockets) socket.destroy()
  const aborted = () =>
    server
      .stderr()
      .split('\n')
      .filter((line) => line.includes('closed its connection'))
  await expect.poll(() => aborted().length).toBe(2)
  const lines = await logOf()
  for (const at of ['/api/v1/attachments', '/api/v1/customers']) {
    const found = lines.filter(({ path: template, msg }) => template === at && msg.includes('closed its'))
    expect(found).toMatchObject([{ level: 30, method: 'POST', tenantId: tenant._id }])
    expect(found[0]).not.toHaveProperty('err')
  }
  expect(lines.filter(({ path: template }) => template === 'unknown')).toEqual([])
  expect(lines.filter(({ level }) => level > 40)).toEqual([])
})

test('under --dev each request is one short line for people', async () => {
  await start({}, ['--dev'])
  const { token, tenant, user } = await registerTenant(server.url)
  const response = await call(server.url, { path: '/api/v1/customers', token })
  expect(await server.kill('SIGTERM')).toBe(0)
  const lines = server.stderr().split('\n')
  const line = lines.find((text) => text.includes(response.headers.get('x-request-id') ?? 'none'))
  expect(line).toMatch(/^\d\d:\d\d:\d\d GET \/api\/v1\/customers 200 [\d.]+ ms ten_\w+ usr_\w+ [\w-]+$/)
  expect(line).toContain(`${tenant._id} ${user._id}`)
})
