import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, registerTenant } from '../../packages/server/test/support/call.ts'
import { type Program, serverProgram, startProgram } from '../../packages/server/test/support/programs.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-receiver-'))
let server: Program
let receiver: Program | undefined

beforeAll(async () => {
  server = await startProgram(serverProgram, ['start', '--dev'], { PORT: '0', CRM_DATA_DIR: dataDir })
})
afterAll(async () => {
  await receiver?.kill('SIGTERM')
  await server.kill('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
})

it('verifies and prints an event of a server in development, and refuses one that nobody signed', async () => {
  const { token } = await registerTenant(server.url)
  const post = (route: string, body: unknown) =>
    call(server.url, { method: 'POST', path: `/api/v1/${route}`, token, body })
  // The receiver needs the secret, and the webhook needs the receiver's port: the URL is set afterwards.
  const webhook = (
    await post('webhooks', {
      name: 'Example',
      url: 'https://localhost:8443/hook',
      events: ['customer.created'],
    })
  ).body.data
  const env = { PORT: '0', CRM_DATA_DIR: dataDir, CRM_WEBHOOK_SECRET: webhook.secret }
  receiver = await startProgram('examples/express-receiver/receiver.ts', [], env)
  const moved = await call(server.url, {
    method: 'PUT',
    path: `/api/v1/webhooks/${webhook._id}`,
    token,
    body: { url: receiver.url },
  })
  expect(moved.status).toBe(200)

  const tested = await post(`webhooks/${webhook._id}/test`, undefined)
  expect(tested.body.data).toMatchObject({ status: 'success', statusCode: 200 })
  expect(await receiver.waitForLine(/webhook\.test/)).toMatch(/^verified webhook\.test evt_/)
  const customer = (await post('customers', { firstName: 'Ada' })).body.data
  expect(await receiver.waitForLine(/customer\.created/)).toContain(customer._id)
})
