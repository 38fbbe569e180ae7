import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unwrapWebhook } from '@crmkit/sdk/webhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, password } from '../support/call.ts'
import {
  makeCertificate,
  type ReceivedRequest,
  startReceiver,
  type TestReceiver,
} from '../support/https-receiver.ts'
import { cliProgram, type Program, runProgram, serverProgram, startProgram } from '../support/programs.ts'
import { newTestWorld } from '../support/test-world.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-journey-'))
const configDir = mkdtempSync(path.join(tmpdir(), 'crmkit-journey-config-'))
let server: Program
let receiver: TestReceiver
/** The receiver's response to each request; the test replaces it as the journey continues. */
let responseStatus: (request: number) => number | 'hang' = () => 200
const removals: (() => void)[] = []
const world = newTestWorld()

const startServer = () =>
  startProgram(serverProgram, ['start', '--dev'], {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
    CRM_LOG_LEVEL: 'error',
    ...world.variables,
  })

beforeAll(async () => {
  const certificate = await makeCertificate()
  removals.push(certificate.remove)
  copyFileSync(certificate.caFile, path.join(dataDir, 'webhook-ca.pem'))
  receiver = await startReceiver(certificate, (_req, res) => {
    const status = responseStatus(receiver.requests.length)
    if (status !== 'hang') res.writeHead(status).end()
  })
  server = await startServer()
})
afterAll(async () => {
  await server.kill('SIGTERM')
  await receiver.close()
  for (const remove of removals) remove()
  await world.remove()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(configDir, { recursive: true, force: true })
})

async function crm(args: string[], input = '') {
  const env = { XDG_CONFIG_HOME: configDir, CRM_BASE_URL: server.url }
  const finished = await runProgram(cliProgram, args, { env, input })
  expect({ args, code: finished.code, stderr: finished.stderr }).toMatchObject({ code: 0 })
  return finished.stdout
}

it('a change travels from the first command to a verified event, through failures and a killed server', async () => {
  // A tenant and a key, by the command line.
  const register = ['init', '--tenant', 'Engines', '--email', 'ada@example.com', '--password-stdin']
  await crm(register, password)
  const permissions = [
    'read:customers',
    'write:customers',
    'read:conversations',
    'write:conversations',
    'webhook:manage',
  ]
  const keyArgs = ['--name', 'Journey', '--permissions', permissions.join(','), '--quiet']
  const key = (await crm(['keys', 'create', ...keyArgs])).trim()
  expect(key).toMatch(/^sk_live_[0-9A-Za-z]{38}$/)

  const api = async (method: string, route: string, body?: unknown) => {
    const response = await call(server.url, { method, path: route, token: key, body })
    expect(response.body).toMatchObject({ success: true })
    return response.body.data
  }
  const webhook = await api('POST', '/api/v1/webhooks', {
    name: 'Journey',
    url: receiver.url,
    events: ['customer.created', 'conversation.created', 'message.sent'],
  })
  const verified = async ({ body, headers }: ReceivedRequest) =>
    unwrapWebhook({ body, headers }, { secrets: webhook.secret })

  // Customer, conversation, reply: the receiver verifies each, in this order.
  const customer = await api('POST', '/api/v1/customers', { firstName: 'Grace', email: 'grace@example.com' })
  await receiver.waitFor(1)
  const [inbox] = await api('GET', '/api/v1/inboxes')
  const conversation = await api('POST', '/api/v1/conversations', {
    subject: 'Bug',
    inboxId: inbox._id,
    customerId: customer._id,
  })
  await receiver.waitFor(2)
  const message = await api('POST', `/api/v1/conversations/${conversation._id}/messages`, {
    content: 'A moth.',
  })
  const events = await Promise.all((await receiver.waitFor(3)).map(verified))
  expect(events.map((event) => [event.event, (event.data as { _id: string })._id])).toEqual([
    ['customer.created', customer._id],
    ['conversation.created', conversation._id],
    ['message.sent', message._id],
  ])

  // The receiver fails twice: the same bytes arrive again after 2 and after 4 seconds.
  responseStatus = (request) => (request <= 5 ? 500 : 200)
  await api('POST', '/api/v1/customers', { firstName: 'Jean' })
  const [first, second, third] = (await receiver.waitFor(6)).slice(3)
  if (!first || !second || !third) throw new Error('Three attempts were received')
  expect(new Set([first.body, second.body, third.body]).size).toBe(1)
  expect([first, second, third].map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3'])
  expect(second.atMs - first.atMs).toBeGreaterThanOrEqual(2000)
  expect(third.atMs - second.atMs).toBeGreaterThanOrEqual(4000)
  expect((await verified(third)).event).toBe('customer.created')
  await logsUntil(api, webhook._id, (logs) => logs.filter((log) => log.status === 'success').length === 4)
  const logs = await logsUntil(api, webhook._id, () => true)
  const { eventId } = logs[0] ?? {}
  const attempts = logs.filter((log) => log.eventId === eventId).sort((a, b) => a.attempt - b.attempt)
  expect(
    attempts.map(({ attempt, status, statusCode, errorCode }) => [attempt, status, statusCode, errorCode]),
  ).toEqual([
    [1, 'failed', 500, 'STATUS'],
    [2, 'failed', 500, 'STATUS'],
    [3, 'success', 200, null],
  ])

  // Killed after the commit, before the delivery has ended: a new server delivers it.
  responseStatus = () => 'hang'
  await api('POST', '/api/v1/customers', { firstName: 'Katherine' })
  await receiver.waitFor(7)
  await server.kill('SIGKILL')
  responseStatus = () => 200
  server = await startServer()
  const again = (await receiver.waitFor(8)).slice(6)
  expect(again.map(({ headers }) => headers['x-webhook-id'])).toEqual([
    again[0]?.headers['x-webhook-id'],
    again[0]?.headers['x-webhook-id'],
  ])
  expect((await verified(again[1] as ReceivedRequest)).data).toMatchObject({
    profile: { firstName: 'Katherine' },
  })
})

interface Log {
  eventId: string
  attempt: number
  status: string
  statusCode: number | null
  errorCode: string | null
}

/** Results are written in groups a moment after the receiver's response. */
async function logsUntil(
  api: (method: string, route: string) => Promise<{ logs: Log[] }>,
  webhookId: string,
  isDone: (logs: Log[]) => boolean,
): Promise<Log[]> {
  for (;;) {
    const { logs } = await api('GET', `/api/v1/webhooks/${webhookId}/logs?limit=100`)
    if (isDone(logs)) return logs
  }
}
