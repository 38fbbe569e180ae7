import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Crm } from '@crmkit/sdk'
import { verifyWebhook } from '@crmkit/sdk/webhooks'
import { beforeAll, expect, it } from 'vitest'
import { startProxy } from '../../server/test/support/cuttable-proxy.ts'
import { findLastingPort } from '../../server/test/support/free-port.ts'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { type LocalReceiver, startReceiver } from './support/local-receiver.ts'
import { startServer } from './support/real-server.ts'
import { type Machine, makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()

let baseUrl: string

beforeAll(async () => {
  baseUrl = await startServer(atEnd)
})

let tenants = 0

/** A tenant of its own, with a client of its owner and the environment of a program that acts for it. */
async function newTenant() {
  const email = `owner${++tenants}@listen.test`
  const { accessToken } = await new Crm({ baseUrl }).auth.register({
    tenantName: 'Acme',
    email,
    password: 'correct horse battery',
  })
  const crm = new Crm({ baseUrl, accessToken })
  const permissions = ['read:customers', 'read:conversations', 'webhook:manage'] as const
  const { key } = await crm.apiKeys.create({ name: 'listen', permissions: [...permissions] })
  return { crm, env: { CRM_BASE_URL: baseUrl, CRM_API_KEY: key } }
}

/** Starts a command that ends by Ctrl-C only; resolves once its stream stands. */
async function start(
  machine: Machine,
  args: readonly string[],
  { env, crm }: Awaited<ReturnType<typeof newTenant>>,
) {
  const stop = Promise.withResolvers<void>()
  let printed = ''
  const onStderr = (stderr: string) => {
    printed = stderr
  }
  const running = machine.run(args, { env, interrupt: stop.promise, onStderr })
  return {
    crm,
    untilSaid: (words: string) => expect.poll(() => printed).toContain(words),
    end: async () => {
      stop.resolve()
      return running
    },
    running,
  }
}

const createCustomers = async (crm: Crm, names: readonly string[]) => {
  for (const firstName of names) await crm.customers.create({ firstName })
}

const namesOf = (requests: readonly { body: string }[]) =>
  requests.map(({ body }) => JSON.parse(body).data.profile.firstName as string)

/**
 * Nobody can tell from outside when a stream has begun: events are made until the first one arrives. Returns how many
 * arrived, once the last one has.
 */
async function untilLive(crm: Crm, receiver: LocalReceiver): Promise<number> {
  let made = 0
  const last = () => namesOf(receiver.requests).at(-1)
  while (last() === undefined) {
    await crm.customers.create({ firstName: `warm-up ${++made}` })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  while (last() !== `warm-up ${made}`) await receiver.waitFor(receiver.requests.length + 1)
  return receiver.requests.length
}

it('forwards each of 5,000 events at least once and in order while its connection is cut 50 times', async () => {
  const tenant = await newTenant()
  const receiver = await startReceiver()
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })
  const env = { ...tenant.env, CRM_BASE_URL: `http://127.0.0.1:${proxy.port}` }
  const args = ['webhooks', 'listen', '--forward', receiver.url, '--events', 'customer.created', '--quiet']
  const listening = await start(makeMachine(), args, { ...tenant, env })
  const warmUps = await untilLive(tenant.crm, receiver)
  let cuts = 0
  receiver.onCount((count) => {
    if (cuts < 50 && count >= warmUps + (cuts + 1) * 95) {
      cuts += 1
      proxy.cut(cuts % 3)
    }
  })
  let next = 0
  const writers = Array.from({ length: 16 }, async () => {
    while (next < 5_000) await tenant.crm.customers.create({ firstName: `number ${next++}` })
  })
  await Promise.all(writers)
  const log: string[] = []
  for await (const event of tenant.crm.events.list({ types: ['customer.created'] })) log.push(event.id)
  const ids = () => [...new Set(receiver.requests.map(({ headers }) => String(headers['x-webhook-id'])))]
  // At least once: requests are no measure of events.
  while (ids().at(-1) !== log.at(-1)) await receiver.waitFor(receiver.requests.length + 1)
  const { code } = await listening.end()
  proxy.stop()
  expect({ code, cuts }).toEqual({ code: 130, cuts: 50 })
  expect(ids()).toEqual(log.slice(-(warmUps + 5_000)))
}, 240_000)

it('posts the bytes of the event with every header and a valid signature of a delivery', async () => {
  const tenant = await newTenant()
  const receiver = await startReceiver({ status: 418 })
  const machine = makeMachine()
  const args = ['webhooks', 'listen', '--forward', receiver.url, '--record', 'requests.ndjson', '--json']
  const listening = await start(machine, args, tenant)
  await untilLive(tenant.crm, receiver)
  const { stdout, stderr, code } = await listening.end()
  expect(code).toBe(130)
  const [request] = receiver.requests
  const { body = '', headers = {} } = request ?? {}
  const [secret = ''] = /whsec_\S+/.exec(stderr) ?? []
  expect(await verifyWebhook({ body, headers }, { secrets: [secret] })).toBeDefined()
  const { id, event } = JSON.parse(body)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^crmkit\/\d/),
    'x-webhook-id': id,
    'x-webhook-event': event,
    'x-webhook-delivery': expect.stringMatching(/^dlv_/),
    'x-webhook-attempt': '1',
    'x-webhook-timestamp': headers['webhook-timestamp'],
    'webhook-id': id,
  })
  const log = await tenant.crm.events.list({ after: 'earliest', limit: 100 })
  expect(JSON.stringify(log.data.find((logged) => logged.id === id))).toBe(body)
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ id, event, status: 418, attempt: 1 })
  const recorded = readFileSync(join(machine.directory, 'requests.ndjson'), 'utf8').trimEnd().split('\n')
  expect(JSON.parse(recorded[0] ?? '')).toMatchObject({ body, status: 418, headers: { 'webhook-id': id } })
})

it('retries a receiver that is down, reports it, and forwards in order; --resume continues after the last event', async () => {
  const tenant = await newTenant()
  const machine = makeMachine()
  // The receiver comes back under its address.
  const first = await startReceiver({ port: await findLastingPort() })
  const args = ['webhooks', 'listen', '--forward', first.url, '--events', 'customer.*', '--resume']
  const listening = await start(machine, args, tenant)
  await untilLive(tenant.crm, first)
  await first.stop()
  await createCustomers(tenant.crm, ['Down 1', 'Down 2', 'Down 3'])
  await listening.untilSaid('ECONNREFUSED')
  const second = await startReceiver({ port: first.port })
  await second.waitFor(3)
  const { stderr } = await listening.end()
  expect(namesOf(second.requests)).toEqual(['Down 1', 'Down 2', 'Down 3'])
  expect(stderr).toMatch(/does not respond \(ECONNREFUSED\).*is retried until it does/)
  expect(stderr).toContain('responds again')

  await createCustomers(tenant.crm, ['Away 1', 'Away 2'])
  const again = await start(machine, args, tenant)
  await second.waitFor(5)
  const secrets = [stderr, (await again.end()).stderr].map((text) => /whsec_\S+/.exec(text)?.[0])
  expect(namesOf(second.requests).slice(3)).toEqual(['Away 1', 'Away 2'])
  expect(secrets[0]).toBeDefined()
  expect(secrets[0]).toBe(secrets[1])
})

it('forwards one earlier event again with --replay, and reports an unknown one', async () => {
  const tenant = await newTenant()
  await createCustomers(tenant.crm, ['Ada', 'Grace', 'Hedy'])
  const log = await tenant.crm.events.list({ types: ['customer.created'] })
  const receiver = await startReceiver()
  const listen = ['webhooks', 'listen', '--forward', receiver.url]
  const run = await makeMachine().run([...listen, '--replay', log.data[1]?.id ?? ''], { env: tenant.env })
  expect(run.code).toBe(0)
  expect(namesOf(receiver.requests)).toEqual(['Grace'])
  const unknown = await makeMachine().run([...listen, '--replay', 'evt_unknown'], { env: tenant.env })
  expect(unknown).toMatchObject({ code: 3, stdout: '' })
  expect(unknown.stderr).toContain('There is no event evt_unknown')
})

it.each([
  [['--forward', 'ftp://localhost:3000'], 'Expected an address such as http://localhost:3000/hook.'],
  [['--forward', 'http://localhost:3000', '--events', 'nothing'], 'There is no event nothing.'],
  [[], "required option '--forward <url>'"],
])('refuses %j with an explanation', async (args, words) => {
  const run = await makeMachine().run(['webhooks', 'listen', ...args], {
    env: { CRM_API_KEY: 'sk_test_x', CRM_BASE_URL: baseUrl },
  })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain(words)
})

it('prints events as lines of JSON with their position, and starts after a given position', async () => {
  const tenant = await newTenant()
  await createCustomers(tenant.crm, ['Ada', 'Grace'])
  const machine = makeMachine()
  const args = ['events', 'tail', '--types', 'customer.*', '--after', 'earliest', '--json']
  const hasBoth = (stdout: string) => stdout.split('\n').length > 2
  const run = await machine.run(args, { env: tenant.env, interrupt: hasBoth })
  expect(run.code).toBe(130)
  const rows = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(namesOf(rows.map((row) => ({ body: JSON.stringify(row) })))).toEqual(['Ada', 'Grace'])
  const { data } = await tenant.crm.events.list({ after: rows[0].position, types: ['customer.created'] })
  expect(data.map(({ id }) => id)).toEqual([rows[1].id])
  const refused = await machine.run(['events', 'tail', '--after', 'garbage'], { env: tenant.env })
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain('after')
})
