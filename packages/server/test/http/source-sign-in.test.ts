import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Emulator as Hubspot,
  startEmulator as startHubspot,
} from '../../../../examples/hubspot-emulator/src/start-emulator.ts'
import {
  startEmulator as startZoho,
  type Emulator as Zoho,
} from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

const integrations = '/api/extcrm/integrations'

let running: RunningService
let zoho: Zoho
let hubspot: Hubspot
beforeAll(async () => {
  zoho = await startZoho()
  hubspot = await startHubspot()
  running = await startService({
    CRM_CONNECTOR_HOSTS: `${zoho.host},${hubspot.host}`,
    CRM_ZOHO_ACCOUNTS_SERVER: zoho.url,
    CRM_ZOHO_CLIENT_ID: zoho.clientId,
    CRM_ZOHO_CLIENT_SECRET: zoho.clientSecret,
    CRM_HUBSPOT_API_DOMAIN: hubspot.url,
    CRM_HUBSPOT_ACCOUNTS_SERVER: hubspot.url,
    CRM_HUBSPOT_CLIENT_ID: hubspot.clientId,
    CRM_HUBSPOT_CLIENT_SECRET: hubspot.clientSecret,
  })
})
afterAll(async () => {
  await running.stop()
  await zoho.close()
  await hubspot.close()
})

async function openTenant() {
  const { token, tenant, user, email } = await registerTenant(running.url)
  const post = (path: string, body: unknown, by: string = token) =>
    call(running.url, { method: 'POST', path, token: by, body })
  const connect = (provider = 'zoho', body: object = {}) =>
    post(`/api/extcrm/integrations/connect/${provider}`, body)
  const confirm = (state: string, { provider = 'zoho', by = token } = {}) =>
    post(`/api/extcrm/oauth/${provider}/confirm`, { state }, by)
  /** Signs in as far as the page of the callback. */
  const grant = async (provider = 'zoho', body: object = {}) => {
    const { authorizationUrl, state } = (await connect(provider, body)).body.data
    const page = await fetch(authorizationUrl)
    return { state, page, text: await page.text() }
  }
  return { token, tenant, user, email, connect, confirm, grant }
}

async function callback(query: Record<string, string>, provider = 'zoho') {
  const response = await fetch(
    `${running.url}/api/extcrm/oauth/${provider}/callback?${new URLSearchParams(query)}`,
  )
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe.each(['zoho', 'hubspot'] as const)('a sign-in at %s', (provider) => {
  it('connects the account once the person who started it has confirmed, and its grant ends with the integration', async () => {
    const owner = await openTenant()
    const settings = { name: 'Old CRM', importSettings: { importDeals: false } }
    const { state, page } = await owner.grant(provider, settings)
    expect(page.status).toBe(200)
    const made = await owner.confirm(state, { provider })
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { provider, name: 'Old CRM', importSettings: { importDeals: false, importNotes: true } },
    ])
    const one = `${integrations}/${made.body.data._id}`
    const tested = await call(running.url, { method: 'POST', path: `${one}/test`, token: owner.token })
    expect(tested.body.data.ok).toBe(true)
    const revoked = provider === 'zoho' ? '/oauth/v2/token/revoke' : '/oauth/2026-03/token/revoke'
    const log = provider === 'zoho' ? zoho.log : hubspot.log
    expect(log.filter(({ path }) => path === revoked)).toEqual([])
    await call(running.url, { method: 'DELETE', path: one, token: owner.token })
    expect(log.filter(({ path }) => path === revoked)).toHaveLength(1)
    log.splice(0)
  })

  it('asks for reading alone, and returns to the callback of this service', async () => {
    const owner = await openTenant()
    const { authorizationUrl, state, expiresAt } = (await owner.connect(provider)).body.data
    const asked = new URL(authorizationUrl).searchParams
    expect(asked.get('redirect_uri')).toBe(`${running.url}/api/extcrm/oauth/${provider}/callback`)
    expect(asked.get('state')).toBe(state)
    expect(asked.get('scope')).not.toMatch(/\.(write|all|create|update|delete)\b/i)
    expect(Buffer.from(state, 'base64url')).toHaveLength(32)
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9)
    expect(minutes).toBeLessThanOrEqual(10)
  })

  it('of the same account again gives the same integration new credentials', async () => {
    const owner = await openTenant()
    const first = await owner.confirm((await owner.grant(provider)).state, { provider })
    const second = await owner.confirm((await owner.grant(provider)).state, { provider })
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.data._id).toBe(first.body.data._id)
  })

  it('with a code that the source refuses is 422, and its state is used up', async () => {
    const owner = await openTenant()
    const { state } = (await owner.connect(provider)).body.data
    expect((await callback({ state, code: 'made-up' }, provider)).status).toBe(200)
    const refused = await owner.confirm(state, { provider })
    expect([refused.status, refused.body.details]).toMatchObject([
      422,
      [{ field: 'state', rule: 'credentials', in: 'body' }],
    ])
    expect((await owner.confirm(state, { provider })).status).toBe(404)
  })
})

describe('the page of a callback', () => {
  it('shows the tenant and the person, escaped, without a script, a cookie or the account, and calls nobody', async () => {
    const owner = await openTenant()
    await call(running.url, {
      method: 'PUT',
      path: '/api/v1/users/me',
      token: owner.token,
      body: { firstName: '<b>Mallory</b>' },
    })
    const { state } = (await owner.connect()).body.data
    const requests = zoho.log.length
    const { status, text, headers } = await callback({ state, code: 'any', 'accounts-server': zoho.url })
    expect(status).toBe(200)
    expect(text).toContain('&lt;b&gt;Mallory')
    expect(text).toContain(zoho.host)
    expect(text).not.toMatch(/<b>|<script|Zylker/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('set-cookie')).toBeNull()
    expect(zoho.log).toHaveLength(requests)
  })

  it('takes each state once, and a check of the address by HEAD does not use it up', async () => {
    const owner = await openTenant()
    const { state } = (await owner.connect()).body.data
    const query = new URLSearchParams({ state, code: 'any' })
    const url = `${running.url}/api/extcrm/oauth/zoho/callback?${query}`
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(url)).status).toBe(400)
  })

  it.each([
    ['an unknown state', () => ({ state: 'x', code: 'any' })],
    ['no state', () => ({ code: 'any' })],
    ['no code', (state: string) => ({ state })],
    [
      'an accounts server that is none of the vendor',
      (state: string) => ({
        state,
        code: 'any',
        'accounts-server': 'https://accounts.zoho.com.evil.example',
      }),
    ],
  ])('refuses %s with 400, and nothing can be confirmed', async (_, query) => {
    const owner = await openTenant()
    const { state } = (await owner.connect()).body.data
    expect((await callback(query(state) as Record<string, string>)).status).toBe(400)
    expect((await owner.confirm(state)).status).toBe(404)
  })

  it('of another provider refuses the state', async () => {
    const owner = await openTenant()
    const { state } = (await owner.connect('zoho')).body.data
    expect((await callback({ state, code: 'any' }, 'hubspot')).status).toBe(400)
  })

  it('says so when the person has not granted access, and the state is used up', async () => {
    const owner = await openTenant()
    const { state } = (await owner.connect()).body.data
    const denied = await callback({ state, error: 'access_denied' })
    expect([denied.status, denied.text]).toEqual([200, expect.stringContaining('Access was not granted')])
    expect((await callback({ state, code: 'any' })).status).toBe(400)
    const { status, body } = await owner.confirm(state)
    expect([status, body.details]).toMatchObject([422, [{ field: 'state', rule: 'denied' }]])
  })
})

describe('a confirmation', () => {
  it('is 404 before the grant, for every other person of the tenant, for another tenant, and after its use', async () => {
    const owner = await openTenant()
    const stranger = await openTenant()
    const admin = await addColleague(running, { tenantId: owner.tenant._id, role: 'admin' })
    const waiting = (await owner.connect()).body.data
    expect((await owner.confirm(waiting.state)).status).toBe(404)
    const { state } = await owner.grant()
    expect((await owner.confirm(state, { by: admin.token })).status).toBe(404)
    expect((await stranger.confirm(state)).status).toBe(404)
    expect((await owner.confirm(state, { provider: 'hubspot' })).status).toBe(404)
    expect((await owner.confirm(state)).status).toBe(201)
    expect((await owner.confirm(state)).status).toBe(404)
  })

  it('that is sent twice at once connects one account with one exchange of the code', async () => {
    const owner = await openTenant()
    const { state } = await owner.grant()
    const before = zoho.log.filter(({ path }) => path === '/oauth/v2/token').length
    const statuses = await Promise.all([owner.confirm(state), owner.confirm(state)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([201, 404])
    expect(zoho.log.filter(({ path }) => path === '/oauth/v2/token')).toHaveLength(before + 1)
    const { body } = await call(running.url, { path: integrations, token: owner.token })
    expect(body.data).toHaveLength(1)
  })

  it('keeps the state when the source cannot be reached, so that it can be sent again', async () => {
    const owner = await openTenant()
    const { state } = await owner.grant()
    zoho.faults.add({ match: '/oauth/v2/token', action: { status: 503 } })
    const failed = await owner.confirm(state)
    expect([failed.status, failed.body.details]).toMatchObject([
      422,
      [{ field: 'state', rule: 'unreachable' }],
    ])
    expect((await owner.confirm(state)).status).toBe(201)
  })
})

describe('the start of a sign-in', () => {
  it('takes an admin with a session: keys and lesser roles are refused', async () => {
    const owner = await openTenant()
    const agent = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
    const key = await createKey(running.url, owner.token, ['write:customers', 'write:conversations'])
    for (const token of [agent.token, key]) {
      const asked = { method: 'POST', path: `${integrations}/connect/zoho`, token, body: {} }
      expect((await call(running.url, asked)).status).toBe(403)
    }
  })

  it.each(['file', 'salesforce'])('refuses the provider %s', async (provider) => {
    const owner = await openTenant()
    const { status, body } = await owner.connect(provider)
    expect([status, body.details]).toMatchObject([422, [{ field: 'provider', in: 'path' }]])
  })
})

it('without a client id in the settings of the server a sign-in is 422 with the rule not_configured', async () => {
  const bare = await startService()
  try {
    const { token } = await registerTenant(bare.url)
    const path = `${integrations}/connect/zoho`
    const { status, body } = await call(bare.url, { method: 'POST', path, token, body: {} })
    expect([status, body.details]).toMatchObject([422, [{ field: 'provider', rule: 'not_configured' }]])
  } finally {
    await bare.stop()
  }
})
