// Runs on both databases by day: of two first registrations at once one wins.
import { afterEach, expect, test } from 'vitest'
import { call, password } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

const started: RunningService[] = []
afterEach(async () => {
  for (const service of started.splice(0)) await service.stop()
})

/** A fresh server without a tenant. */
async function fresh(variables: Record<string, string>): Promise<RunningService> {
  const service = await startService(variables)
  started.push(service)
  return service
}

const stateOf = async ({ url }: RunningService) =>
  (await call(url, { path: '/api/auth/registration' })).body.data

let people = 0
const register = ({ url }: RunningService, more: object = {}) => {
  people += 1
  const body = { tenantName: 'Engines', email: `founder-${people}@example.com`, password, ...more }
  return call(url, { method: 'POST', path: '/api/auth/register', body })
}

test('GET /api/auth/registration says whether a tenant can be registered, and whether it is the first one', async () => {
  const open = await fresh({ CRM_REGISTRATION: 'open' })
  expect(await stateOf(open)).toEqual({ open: true, first: true, setupToken: false })
  expect((await register(open)).status).toBe(201)
  expect(await stateOf(open)).toEqual({ open: true, first: false, setupToken: false })

  const first = await fresh({ CRM_REGISTRATION: 'first' })
  expect(await stateOf(first)).toEqual({ open: true, first: true, setupToken: false })
  expect((await register(first)).status).toBe(201)
  expect(await stateOf(first)).toEqual({ open: false, first: false, setupToken: false })

  const off = await fresh({ CRM_REGISTRATION: 'off' })
  expect(await stateOf(off)).toEqual({ open: false, first: true, setupToken: false })
  expect((await register(off)).status).toBe(403)
})

test('where others reach the server, the first tenant needs the setup token, and the token makes one tenant alone', async () => {
  const service = await fresh({ CRM_REGISTRATION: 'first', CRM_TRUST_PROXY: '1' })
  expect(await stateOf(service)).toEqual({ open: true, first: true, setupToken: true })
  const setupToken = service.service.tokens.setupToken()
  const invite = service.service.tokens.newInvite({ tenantId: 'ten_1', userId: 'usr_1' }).token
  for (const wrong of [undefined, null, '', 'set_first', `${setupToken}x`, invite]) {
    const { status, body } = await register(service, { setupToken: wrong })
    expect([status, body.code]).toEqual([403, 'PERMISSION_DENIED'])
    expect(body.error).toContain('setup token')
  }
  const both = await Promise.all([register(service, { setupToken }), register(service, { setupToken })])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 403])
  expect(await stateOf(service)).toEqual({ open: false, first: false, setupToken: false })
  expect((await register(service, { setupToken })).status).toBe(403)
})

test('the question has a limit for each address', async () => {
  const service = await fresh({ CRM_RATE_LIMITS: 'on' })
  const ask = () => call(service.url, { path: '/api/auth/registration' })
  const answers = await Promise.all(Array.from({ length: 61 }, ask))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
})
