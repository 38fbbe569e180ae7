import http from 'node:http'
import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { startService } from '../support/start-service.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

/** A reply through the relay of a developer's machine. */
async function sendReply(): Promise<void> {
  const { token } = await registerTenant(service.url)
  const post = async (path: string, body: object) =>
    (await call(service.url, { method: 'POST', path, token, body })).body.data
  const email = { address: 'help@example.com', transport: 'relay' }
  const { _id: inboxId } = await post('/api/v1/inboxes', { name: 'Mail', email })
  const { _id: customerId } = await post('/api/v1/customers', { firstName: 'Ada', email: 'ada@example.com' })
  const { _id } = await post('/api/v1/conversations', { subject: 'Help', inboxId, customerId })
  await post(`/api/v1/conversations/${_id}/messages`, { content: '<b>Größe</b>' })
}

function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const url = new URL('/dev/mail', service.url)
    const request = http.get(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('error', reject)
  })
}

const keptMail = async () => {
  const response = await fetch(`${service.url}/dev/mail.json`)
  return ((await response.json()) as { data: unknown }).data
}

test('a developer sees every mail without an account, as its receiver reads it and as JSON', async () => {
  await sendReply()
  await expect.poll(keptMail).toMatchObject([{ number: 1, envelope: { to: ['ada@example.com'] } }])
  const page = await (await fetch(`${service.url}/dev/mail`)).text()
  expect(page).toContain('ada@example.com: Help</summary>')
  // Within an attribute: a mark-up character of the mail is escaped by the mail, and again by the page.
  expect(page).toMatch(/<iframe sandbox [^>]*srcdoc="[^"]*&amp;lt;b&amp;gt;Größe/)
  expect(page).not.toContain('<b>')
})

test('a name of another site that leads to this machine does not open the page', async () => {
  expect(await statusFor('localhost:3000')).toBe(200)
  expect(await statusFor('evil.example.com')).toBe(403)
})

test('a server in production has no such page', async () => {
  const production = await startService({
    CRM_ENVIRONMENT: 'production',
    CRM_REGISTRATION: 'open',
    CRM_JWT_SECRET: 'a'.repeat(32),
    CRM_SECRETS_KEY: 'b'.repeat(32),
  })
  expect((await fetch(`${production.url}/dev/mail`)).status).toBe(404)
  await production.stop()
})
