import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import { createTokenKeepers } from '../../src/connectors/token-keeper.ts'
import type { SourceTokens } from '../../src/ports/connector.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { call, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

const integrations = '/api/extcrm/integrations'

let emulator: Emulator
let running: RunningService
beforeAll(async () => {
  emulator = await startEmulator({ counts: { Contacts: 3, Deals: 2 } })
  running = await startService({
    CRM_CONNECTOR_HOSTS: emulator.host,
    CRM_ZOHO_CLIENT_ID: emulator.clientId,
    CRM_ZOHO_CLIENT_SECRET: emulator.clientSecret,
    CRM_ZOHO_ACCOUNTS_SERVER: emulator.url,
  })
})
afterAll(async () => {
  await running.stop()
  await emulator.close()
})

async function newTenant() {
  const { token, tenant } = await registerTenant(running.url)
  const send = (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, body })
  return { send, tenantId: tenant._id }
}
type Tenant = Awaited<ReturnType<typeof newTenant>>

const zoho = (refreshToken: string, more: object = {}) => ({
  provider: 'zoho',
  apiDomain: emulator.url,
  credentials: { refreshToken },
  ...more,
})
async function connect({ send }: Tenant) {
  const refreshToken = emulator.oauth.newRefreshToken()
  const { status, body } = await send('POST', integrations, zoho(refreshToken))
  expect(status).toBe(201)
  return { refreshToken, integration: body.data }
}

describe('an account at Zoho CRM', () => {
  it('is connected with a refresh token, and takes its identity and its formats from the source', async () => {
    const { integration } = await connect(await newTenant())
    expect(integration).toMatchObject({
      provider: 'zoho',
      name: 'Zoho CRM',
      accountId: '10020301',
      accountName: 'Zylker',
      accountEmail: 'admin@zylker.example',
      apiDomain: emulator.url,
      timeZone: 'Europe/Berlin',
      defaultCountry: 'DE',
      reauthRequired: false,
    })
  })

  it('that is connected again is the same integration with new credentials, and keeps its name and settings', async () => {
    const tenant = await newTenant()
    const { integration, refreshToken } = await connect(tenant)
    await tenant.send('PUT', `${integrations}/${integration._id}`, { name: 'Sales', conflict: 'local_wins' })
    emulator.oauth.revoke(refreshToken)
    const test = await tenant.send('POST', `${integrations}/${integration._id}/test`)
    expect(test.body.data).toMatchObject({ ok: false, error: { code: 'REAUTH_REQUIRED' } })
    const again = await tenant.send('POST', integrations, zoho(emulator.oauth.newRefreshToken()))
    expect(again.status).toBe(200)
    expect(again.body.data).toMatchObject({
      _id: integration._id,
      name: 'Sales',
      conflict: 'local_wins',
      reauthRequired: false,
    })
    expect((await tenant.send('GET', integrations)).body.data).toHaveLength(1)
  })

  it('may be connected by two tenants, each with an integration of its own', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const ids = [(await connect(one)).integration._id, (await connect(other)).integration._id]
    expect(new Set(ids).size).toBe(2)
    const foreign = await one.send('GET', `/api/extcrm/fields/Contacts?integrationId=${ids[1]}`)
    expect(foreign.status).toBe(404)
  })

  it.each([
    ['a refused token', () => zoho('1000.wrong.token'), 'credentials', 'credentials'],
    ['no token', () => ({ ...zoho(''), credentials: {} }), 'credentials', 'required'],
    ['no address', () => ({ ...zoho('x'), apiDomain: undefined }), 'apiDomain', 'required'],
  ])('is not connected with %s, and nothing is stored', async (_, body, field, rule) => {
    const tenant = await newTenant()
    const refused = await tenant.send('POST', integrations, body())
    expect(refused.status).toBe(422)
    expect(refused.body.details).toEqual([expect.objectContaining({ field, rule })])
    expect((await tenant.send('GET', integrations)).body.data).toEqual([])
  })

  it('that cannot be reached is refused by its address', async () => {
    const tenant = await newTenant()
    emulator.faults.add({ match: '/crm/v8/org', to: 9, action: 'reset' })
    const refused = await tenant.send('POST', integrations, zoho(emulator.oauth.newRefreshToken()))
    emulator.faults.clear()
    expect(refused.body.details).toEqual([
      expect.objectContaining({ field: 'apiDomain', rule: 'unreachable' }),
    ])
  })
})

describe('the address of a source', () => {
  it.each([
    ['user information', 'http://user@HOST'],
    ['a path', 'http://HOST/crm'],
    ['a query', 'http://HOST?a=1'],
    ['a fragment', 'http://HOST#a'],
    ['a slash at its end', 'http://HOST/'],
    ['the name of the machine', 'http://localhost:PORT'],
    ['a decimal address', 'http://2130706433:PORT'],
    ['a short address', 'http://127.1:PORT'],
    ['a hexadecimal address', 'http://0x7f000001:PORT'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]:PORT'],
    ['another port', 'http://127.0.0.1:1'],
    ['no port', 'http://127.0.0.1'],
    ['a metadata address', 'http://169.254.169.254'],
    ['a vendor without TLS', 'http://www.zohoapis.com'],
    ['a vendor on a port', 'https://www.zohoapis.com:8443'],
    ['a vendor as a part of a name', 'https://www.zohoapis.com.example.com'],
    ['a host under a vendor', 'https://evil.zohoapis.com'],
    ['capitals', 'https://WWW.zohoapis.com'],
    ['a dot at the end', 'https://www.zohoapis.com.'],
    ['no scheme', '127.0.0.1:PORT'],
    ['another scheme', 'file:///etc/passwd'],
  ])('with %s is refused before a request is sent', async (_, text) => {
    const tenant = await newTenant()
    const { host } = emulator
    const address = text.replace('HOST', host).replace('PORT', host.split(':')[1]!)
    const sent = emulator.log.length
    for (const field of ['apiDomain', 'accountsServer']) {
      const refused = await tenant.send('POST', integrations, zoho('token', { [field]: address }))
      expect(refused.status, field).toBe(422)
      expect(refused.body.details, field).toEqual([expect.objectContaining({ field, rule: 'host' })])
    }
    expect(emulator.log.length).toBe(sent)
  })
})

describe('the test of a connection', () => {
  it('returns the account and which modules can be read, with two requests', async () => {
    const tenant = await newTenant()
    const { integration } = await connect(tenant)
    const sent = emulator.log.length
    const { status, body } = await tenant.send('POST', `${integrations}/${integration._id}/test`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      ok: true,
      account: { id: '10020301', name: 'Zylker', email: 'admin@zylker.example' },
      error: null,
    })
    expect(body.data.modules).toContainEqual({ module: 'Contacts', readable: true })
    expect(emulator.log.length - sent).toBe(2)
  })

  it('of a revoked grant marks the integration, with an audit entry', async () => {
    const tenant = await newTenant()
    const { integration, refreshToken } = await connect(tenant)
    emulator.oauth.revoke(refreshToken)
    const one = `${integrations}/${integration._id}`
    for (let n = 0; n < 2; n++) {
      const { body } = await tenant.send('POST', `${one}/test`)
      expect(body.data).toMatchObject({ ok: false, account: null, error: { code: 'REAUTH_REQUIRED' } })
    }
    expect((await tenant.send('GET', one)).body.data.reauthRequired).toBe(true)
    const audit = await tenant.send('GET', '/api/tenant/audit-log')
    const marks = audit.body.data.filter(
      ({ action }: { action: string }) => action === 'integration.reauth_required',
    )
    expect(marks).toHaveLength(1)
  })

  it('of a source that fails is not ok, and does not ask to connect again', async () => {
    const tenant = await newTenant()
    const { integration } = await connect(tenant)
    emulator.faults.add({ match: '/crm/v8/org', action: { status: 500 } })
    const { body } = await tenant.send('POST', `${integrations}/${integration._id}/test`)
    expect(body.data).toMatchObject({ ok: false, error: { code: 'SOURCE_ERROR' } })
  })
})

describe('the fields of a source', () => {
  it.each(['integrationId', 'integration_id', 'id'])('are listed with their targets by %s', async (name) => {
    const tenant = await newTenant()
    const { integration } = await connect(tenant)
    const fields = `/api/extcrm/fields/Contacts?${name}=${integration._id}`
    const { status, body } = await tenant.send('GET', fields)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ module: 'Contacts', label: 'Contacts' })
    expect(body.data.fields).toContainEqual(expect.objectContaining({ apiName: 'Email', mappedTo: 'email' }))
    const sent = emulator.log.length
    await tenant.send('GET', fields)
    expect(emulator.log.length, 'a second reading comes from the cache').toBe(sent)
  })

  it('need the id of an integration and a module of the list [extcrm.fields]', async () => {
    const tenant = await newTenant()
    const { integration } = await connect(tenant)
    const none = await tenant.send('GET', '/api/extcrm/fields/Contacts')
    expect(none.body.details).toEqual([
      { field: 'integrationId', message: 'is required', rule: 'required', in: 'query' },
    ])
    const notes = await tenant.send('GET', `/api/extcrm/fields/Notes?id=${integration._id}`)
    expect(notes.status).toBe(422)
    expect(notes.body.details).toEqual([expect.objectContaining({ field: 'module', in: 'path' })])
  })

  it('of a file are its headers [extcrm.fields]', async () => {
    const tenant = await newTenant()
    const { _id } = (await tenant.send('POST', integrations, { provider: 'file' })).body.data
    await tenant.send('PUT', `${integrations}/${_id}`, { mapping: { Contacts: { Nachname: 'lastName' } } })
    const { body } = await tenant.send('GET', `/api/extcrm/fields/Contacts?id=${_id}`)
    expect(body.data.fields).toEqual([expect.objectContaining({ apiName: 'Nachname', mappedTo: 'lastName' })])
  })
})

it('credentials of a source are in no response and not readable in the database', async () => {
  const lines: string[] = []
  const tenant = await newTenant()
  const { integration, refreshToken } = await connect(tenant)
  const one = `${integrations}/${integration._id}`
  for (const response of [
    await tenant.send('GET', one),
    await tenant.send('GET', integrations),
    await tenant.send('POST', `${one}/test`),
    await tenant.send('GET', '/api/tenant/audit-log'),
    await tenant.send('POST', integrations, zoho(`${refreshToken}x`)),
  ]) {
    lines.push(JSON.stringify(response.body))
  }
  const row = await running.service.storage.forTenant(tenant.tenantId).integrations.find(integration._id)
  lines.push(JSON.stringify(row))
  for (const line of lines) {
    expect(line).not.toContain(refreshToken)
    expect(line).not.toMatch(/1000\.[0-9a-f]{32}/)
    expect(line).not.toContain(emulator.clientSecret)
  }
})

describe('the stored tokens of an integration', () => {
  async function openKeepers() {
    const { storage } = running.service
    const tenant = await newTenant()
    const { integration } = await connect(tenant)
    const secrets = createSecretBox(['0123456789abcdef0123456789abcdef'])
    const of = { tenantId: tenant.tenantId, integrationId: integration._id as string }
    const store = storage.forTenant(of.tenantId)
    const first: SourceTokens = {
      clientId: null,
      clientSecret: null,
      refreshToken: 'grant',
      accessToken: 'first',
      accessTokenExpiresAt: null,
      lifetimeSeconds: null,
    }
    const change = async (set: { sealed?: string; syncStatus?: 'running' }) => {
      const { version: expectVersion } = (await store.integrations.find(of.integrationId))!
      const id = of.integrationId
      await store.commit({
        writes: [{ op: 'update', kind: 'integrations', id, expectVersion, set }],
        events: [],
      })
    }
    await change({
      sealed: secrets.seal(JSON.stringify(first), { tenantId: of.tenantId, id: of.integrationId }),
    })
    return { first, change, newProcess: () => createTokenKeepers({ storage, secrets })(of) }
  }

  it('are refreshed once by all callers of a process', async () => {
    const { first, newProcess } = await openKeepers()
    const keeper = newProcess()
    let refreshes = 0
    const refresh = async (current: SourceTokens) => {
      refreshes += 1
      return { ...current, accessToken: `second ${refreshes}` }
    }
    const all = await Promise.all([1, 2, 3].map(() => keeper.replace(first, refresh)))
    expect([refreshes, all.map(({ accessToken }) => accessToken)]).toEqual([1, Array(3).fill('second 1')])
    // A caller with the tokens from before gets the newer ones.
    expect((await keeper.replace(first, refresh)).accessToken).toBe('second 1')
    expect(refreshes).toBe(1)
  })

  it('end as the same ones in two processes that refresh at the same time', async () => {
    const { first, newProcess } = await openKeepers()
    const both = ['one', 'other'].map((name) => {
      return newProcess().replace(first, async (current) => ({ ...current, accessToken: name }))
    })
    const names = (await Promise.all(both)).map(({ accessToken }) => accessToken)
    expect(new Set(names).size).toBe(1)
    expect((await newProcess().read()).accessToken).toBe(names[0])
  })

  it('are stored although a run writes its progress into the same row meanwhile', async () => {
    const { first, change, newProcess } = await openKeepers()
    await newProcess().replace(first, async (current) => {
      await change({ syncStatus: 'running' })
      return { ...current, accessToken: 'second' }
    })
    expect((await newProcess().read()).accessToken).toBe('second')
  })
})
