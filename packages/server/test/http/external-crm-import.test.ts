import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmulator as startHubspot } from '../../../../examples/hubspot-emulator/src/start-emulator.ts'
import { startEmulator as startZoho } from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import { call, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

const integrations = '/api/extcrm/integrations'

let zoho: Awaited<ReturnType<typeof startZoho>>
let hubspot: Awaited<ReturnType<typeof startHubspot>>
let running: RunningService
beforeAll(async () => {
  zoho = await startZoho({
    counts: { Accounts: 5, Contacts: 410, Deals: 30, Cases: 20, Notes: 40, Calls: 10 },
  })
  hubspot = await startHubspot({ counts: { contacts: 230, deals: 20, tickets: 10, notes: 12, calls: 5 } })
  running = await startService({
    CRM_CONNECTOR_HOSTS: `${zoho.host},${hubspot.host}`,
    CRM_ZOHO_CLIENT_ID: zoho.clientId,
    CRM_ZOHO_CLIENT_SECRET: zoho.clientSecret,
    CRM_ZOHO_ACCOUNTS_SERVER: zoho.url,
    CRM_HUBSPOT_API_DOMAIN: hubspot.url,
  })
})
afterAll(async () => {
  await running.stop()
  await zoho.close()
  await hubspot.close()
})

async function newTenant() {
  const { token } = await registerTenant(running.url)
  return (method: string, path: string, body?: unknown) => call(running.url, { method, path, token, body })
}
type Send = Awaited<ReturnType<typeof newTenant>>

/** Runs an import to its end and returns its run. */
async function importAll(send: Send, id: string) {
  const started = await send('POST', `${integrations}/${id}/import`, {})
  expect(started.status).toBe(202)
  const { runId } = started.body.data
  let run: { status: string; errorCount: number; modules: Record<string, { read: number; created: number }> }
  await expect
    .poll(async () => {
      run = (await send('GET', `${integrations}/${id}/imports/${runId}`)).body.data
      return run.status
    })
    .toMatch(/completed|failed/)
  return run!
}
const totalOf = async (send: Send, path: string) =>
  (await send('GET', `${path}?limit=1`)).body.pagination.total

it('an import of Zoho CRM survives failures of the source, and a second one changes nothing [extcrm.import]', async () => {
  const send = await newTenant()
  const credentials = { refreshToken: zoho.oauth.newRefreshToken() }
  const made = await send('POST', integrations, { provider: 'zoho', apiDomain: zoho.url, credentials })
  const id = made.body.data._id
  zoho.faults.add({ match: '/crm/v8/Contacts', from: 2, action: { status: 500 } })
  zoho.faults.add({ match: '/crm/v8/Contacts', from: 4, action: 'expire-tokens' })
  zoho.faults.add({ match: '/crm/v8/Deals', from: 1, action: 'reset' })
  zoho.faults.add({ match: '/crm/v8/Notes', from: 1, action: 'html' })
  const run = await importAll(send, id)
  expect([run.status, run.errorCount]).toEqual(['completed', 0])
  expect(run.modules['Contacts']).toMatchObject({ read: 410 })
  expect(await totalOf(send, '/api/v1/customers')).toBe(410)
  const before = await totalOf(send, '/api/v1/conversations')
  expect(before).toBeGreaterThanOrEqual(50)
  const again = await importAll(send, id)
  expect(again.modules['Contacts']).toMatchObject({ read: 410, created: 0 })
  expect(await totalOf(send, '/api/v1/customers')).toBe(410)
  expect(await totalOf(send, '/api/v1/conversations')).toBe(before)
})

it('an import of HubSpot makes customers and conversations with the links of the source [extcrm.import]', async () => {
  const send = await newTenant()
  const credentials = { accessToken: hubspot.newServiceKey() }
  const made = await send('POST', integrations, { provider: 'hubspot', credentials })
  const run = await importAll(send, made.body.data._id)
  expect([run.status, run.errorCount]).toEqual(['completed', 0])
  expect(await totalOf(send, '/api/v1/customers')).toBe(230)
  const { body } = await send('GET', '/api/v1/conversations?search=Ticket&limit=100')
  expect(body.data.length).toBe(10)
  for (const { customerId } of body.data) expect(customerId).toEqual(expect.any(String))
})

it('automatic sync imports everything when it is switched on first, and plans the next sync until it is switched off [extcrm.autoSync]', async () => {
  const send = await newTenant()
  const credentials = { accessToken: hubspot.newServiceKey() }
  const made = await send('POST', integrations, { provider: 'hubspot', credentials })
  const path = `${integrations}/${made.body.data._id}`
  const on = await send('PUT', `${path}/auto-sync`, { enabled: true, intervalMinutes: 60 })
  expect(on.body.data.autoSync).toMatchObject({ enabled: true, intervalMinutes: 60 })
  const runOf = async () => (await send('GET', `${path}/import/status`)).body.data.run
  await expect.poll(async () => (await runOf())?.status).toBe('completed')
  expect(await runOf()).toMatchObject({ trigger: 'auto', modules: { Contacts: { created: 230 } } })
  const { finishedAt } = await runOf()
  const { nextRunAt } = (await send('GET', path)).body.data.autoSync
  const minutes = (Date.parse(nextRunAt) - Date.parse(finishedAt)) / 60_000
  expect(minutes).toBeGreaterThanOrEqual(53.9)
  expect(minutes).toBeLessThanOrEqual(66.1)
  const off = await send('PUT', `${path}/auto-sync`, { enabled: false })
  expect(off.body.data.autoSync).toMatchObject({ enabled: false, nextRunAt: null })
})
