import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Crm } from '@crmkit/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { startEmulator as startHubspot } from '../../../examples/hubspot-emulator/src/start-emulator.ts'
import { startEmulator as startZoho } from '../../../examples/zoho-emulator/src/start-emulator.ts'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { storedSession, writeProfiles } from './support/profiles.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()
let zoho: Awaited<ReturnType<typeof startZoho>>
let hubspot: Awaited<ReturnType<typeof startHubspot>>
let baseUrl: string
beforeAll(async () => {
  zoho = await startZoho({ counts: { Deals: 1 } })
  hubspot = await startHubspot()
  atEnd(() => zoho.close())
  atEnd(() => hubspot.close())
  baseUrl = await startServer(atEnd, {
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

async function signedIn() {
  const registered = await new Crm({ baseUrl }).auth.register({
    tenantName: 'Acme',
    email: `${crypto.randomUUID()}@acme.test`,
    password: 'correct horse battery',
  })
  const machine = makeMachine()
  const { accessToken, refreshToken } = registered
  writeProfiles(machine, {
    default: { baseUrl, session: { ...storedSession('0', 800), accessToken, refreshToken } },
  })
  return machine
}

describe('crm integrations connect', () => {
  it('connects Zoho CRM with a token from stdin, and the account can be tested and its fields listed', async () => {
    const machine = await signedIn()
    const token = zoho.oauth.newRefreshToken()
    const args = ['integrations', 'connect', '--provider', 'zoho', '--api-domain', zoho.url, '--token-stdin']
    const connected = await machine.run([...args, '--json', '_id,accountName'], { stdin: `${token}\n` })
    expect([connected.code, connected.stderr]).toEqual([0, expect.stringContaining('Connected Zylker')])
    const { _id, accountName } = JSON.parse(connected.stdout)
    expect(accountName).toBe('Zylker')
    expect(connected.stdout + connected.stderr).not.toContain(token)
    const tested = await machine.run(['integrations', 'test', _id])
    expect([tested.code, tested.stderr]).toEqual([0, expect.stringContaining('Connected to Zylker.')])
    const fields = await machine.run(['integrations', 'fields', _id, '--module', 'Deals'])
    expect(fields.stdout).toContain('customFields.zoho.Stage')
  })

  it('connects HubSpot with a service key from a file', async () => {
    const machine = await signedIn()
    writeFileSync(join(machine.directory, 'key.txt'), hubspot.newServiceKey())
    const args = ['integrations', 'connect', '--provider', 'hubspot', '--token-file', 'key.txt']
    const connected = await machine.run([...args, '--json', 'accountId,apiDomain'])
    expect(JSON.parse(connected.stdout)).toEqual({ accountId: '4711', apiDomain: hubspot.url })
  })

  it.runIf(hasPseudoTerminal)('asks for the token without showing it', async () => {
    const machine = await signedIn()
    const token = zoho.oauth.newRefreshToken()
    const args = ['integrations', 'connect', '--provider', 'zoho', '--api-domain', zoho.url]
    const run = await machine.runInTerminal(args, { responses: [['Refresh token', `${token}\n`]] })
    expect(run.screen).toContain('Connected Zylker')
    expect(run.screen).not.toContain(token)
  })

  it.each(['zoho', 'hubspot'])(
    'prints an address for a sign-in at %s, waits for the grant, and connects',
    async (provider) => {
      const machine = await signedIn()
      let page: Promise<Response> | undefined
      const args = ['integrations', 'connect', '--provider', provider, '--sign-in', '--name', 'Old CRM']
      const connected = await machine.run([...args, '--json', 'name,provider'], {
        // The person opens the address; the emulator grants access immediately.
        onStderr: (text) => {
          const [url] = /^http\S+(?=\n)/m.exec(text) ?? []
          if (url !== undefined) page ??= fetch(url)
        },
      })
      expect([connected.code, connected.stderr]).toEqual([0, expect.stringContaining('Connected')])
      expect(JSON.parse(connected.stdout)).toEqual({ name: 'Old CRM', provider })
      expect((await page)?.status).toBe(200)
    },
  )

  it('refuses a sign-in together with a token, before it sends anything', async () => {
    const machine = await signedIn()
    const args = ['integrations', 'connect', '--provider', 'zoho', '--sign-in', '--token-stdin']
    const refused = await machine.run(args, { stdin: 'x\n' })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--sign-in')])
  })

  it('names the problem of a refused token', async () => {
    const machine = await signedIn()
    const args = ['integrations', 'connect', '--provider', 'zoho', '--api-domain', zoho.url, '--token-stdin']
    const refused = await machine.run(args, { stdin: '1000.wrong\n' })
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('credentials')])
    expect(refused.stderr).not.toContain('1000.wrong')
  })
})
