import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unwrapWebhook } from '@crmkit/sdk/webhooks'
import { expect, it } from 'vitest'
import { startReceiver } from './support/local-receiver.ts'
import { makeMachine } from './support/run-crm.ts'

const trigger = (receiver: string, ...args: string[]) => [
  'webhooks',
  'trigger',
  ...args,
  '--forward',
  receiver,
]

it('sends a signed sample of a real type with a new id each time, and shows its body, without any server', async () => {
  const receiver = await startReceiver()
  const machine = makeMachine()
  const run = await machine.run(trigger(receiver.url, 'customer.created', '--json'))
  expect(run.code).toBe(0)
  const { body, headers, status } = JSON.parse(run.stdout)
  const secret = (await machine.run(['webhooks', 'listen', '--print-secret'])).stdout.trim()
  const event = await unwrapWebhook({ body, headers }, { secrets: secret })
  expect(event).toMatchObject({ event: 'customer.created', data: { profile: { firstName: 'Ada' } } })
  expect([status, receiver.requests[0]?.body]).toEqual([200, body])
  const text = await machine.run(trigger(receiver.url, 'customer.created'))
  expect(text.stdout).toContain('"event": "customer.created"')
  expect(text.stdout).toContain('success: status 200')
  const ids = receiver.requests.map((request) => request.headers['webhook-id'])
  expect(new Set(ids).size).toBe(2)
})

it('signs with the secret of a file, and ends with 1 when the receiver refuses or does not respond', async () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  const machine = makeMachine()
  writeFileSync(join(machine.directory, 'shop.secret'), `${secret}\n`)
  const receiver = await startReceiver({ status: 400 })
  const args = trigger(`${receiver.port}`, 'message.received', '--secret-file', 'shop.secret')
  const refused = await machine.run(args)
  expect(refused.code).toBe(1)
  expect(refused.stdout).toContain('failed: status 400')
  const [request] = receiver.requests
  const { body = '', headers = {} } = request ?? {}
  expect(await unwrapWebhook({ body, headers }, { secrets: secret })).toMatchObject({
    event: 'message.received',
  })
  await receiver.stop()
  const closed = await machine.run(args)
  expect(closed.code).toBe(1)
  expect(closed.stdout).toContain('failed: ECONNREFUSED')
})

it('names the nearest type for a misspelt one', async () => {
  const run = await makeMachine().run(trigger('4242', 'customer.crated'))
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('Did you mean customer.created?')
  const environment = { CRM_BASE_URL: 'http://127.0.0.1:9', CRM_API_KEY: 'sk_test_x' }
  const create = ['webhooks', 'create', '--name', 'A', '--url', 'https://a.example', '--events', 'custmer.*']
  const created = await makeMachine().run(create, { env: environment })
  expect(created.code).toBe(2)
  expect(created.stderr).toContain('Did you mean customer.*?')
})

it('prints the secret of listen alone, the same each time, in a file that only its owner reads', async () => {
  const machine = makeMachine()
  const first = await machine.run(['webhooks', 'listen', '--print-secret'])
  const second = await machine.run(['webhooks', 'listen', '--print-secret'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toMatch(/^whsec_[\w+/]+=*\n$/)
  expect(second.stdout).toBe(first.stdout)
  const file = readFileSync(join(machine.configHome, 'crmkit/listen-default.json'), 'utf8')
  expect(file).toContain(first.stdout.trim())
})
