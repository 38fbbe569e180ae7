import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { call, registerTenant } from '../support/call.ts'
import { startServiceWithZoho } from '../support/service-with-zoho.ts'

const integrations = '/api/extcrm/integrations'
const contacts = 410

let started: Awaited<ReturnType<typeof startServiceWithZoho>>
let zoho: typeof started.zoho
let running: typeof started.running
beforeAll(async () => {
  started = await startServiceWithZoho({ contacts })
  ;({ zoho, running } = started)
})
afterAll(() => started.stop())

async function setSuspended(id: TenantId, isSuspended: boolean): Promise<void> {
  const { system } = running.service.storage
  const { version: expectVersion = 0 } = (await system.findTenant(id)) ?? {}
  await system.commit(id, {
    writes: [{ op: 'update', kind: 'tenants', id, expectVersion, set: { isSuspended } }],
    events: [],
  })
}

async function connectedTenant() {
  const { token, tenant } = await registerTenant(running.url)
  const send = (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, body })
  const credentials = { refreshToken: zoho.oauth.newRefreshToken() }
  const made = await send('POST', integrations, { provider: 'zoho', apiDomain: zoho.url, credentials })
  return { tenantId: tenant._id as TenantId, send, path: `${integrations}/${made.body.data._id}` }
}

// connectors 5, H42
it('an import of a tenant that is suspended stops where it is, and ends when the tenant is resumed', async () => {
  const { tenantId, send, path } = await connectedTenant()
  const store = running.service.storage.forTenant(tenantId)
  // The first request is for the number of contacts, the second one for the first page.
  zoho.faults.add({ match: '/crm/v8/Contacts', from: 3, to: 3, action: { slowMs: 60_000 } })
  const { runId } = (await send('POST', `${path}/import`, {})).body.data
  const run = async () => {
    const found = await store.importRuns.find(runId)
    if (!found) throw new Error('there is no such run')
    return found
  }
  await expect.poll(async () => (await run()).modules['Contacts']?.read).toBe(200)

  await setSuspended(tenantId, true)
  // The request that hangs is given up.
  await expect.poll(() => zoho.api.limits.open).toBe(0)
  expect(await run()).toMatchObject({ status: 'running', modules: { Contacts: { read: 200 } } })

  await setSuspended(tenantId, false)
  await expect.poll(async () => (await run()).status).toBe('completed')
  expect((await run()).modules).toMatchObject({ Contacts: { read: contacts, created: contacts } })
})

// connectors 5, H42
it('a due sync of a suspended tenant starts no import, and starts one after the tenant is resumed', async () => {
  const { tenantId, send, path } = await connectedTenant()
  await setSuspended(tenantId, true)
  const store = running.service.storage.forTenant(tenantId)
  const id = path.split('/').at(-1) ?? ''
  const integration = async () => {
    const found = await store.integrations.find(id)
    if (!found) throw new Error('there is no such integration')
    return found
  }
  const dueAt = '2020-01-01T00:00:00.000Z'
  async function makeSyncDue(): Promise<void> {
    const { version: expectVersion } = await integration()
    const autoSync = { enabled: true, intervalMinutes: 60, nextRunAt: dueAt }
    const set = { autoSync }
    await store.commit({
      writes: [{ op: 'update', kind: 'integrations', id, expectVersion, set }],
      events: [],
    })
  }
  await makeSyncDue()
  const isPlanned = async () => (await integration()).autoSync.nextRunAt !== dueAt
  await expect.poll(isPlanned).toBe(true)
  expect((await integration()).activeRunId).toBeNull()

  await setSuspended(tenantId, false)
  await makeSyncDue()
  const status = async () => (await send('GET', `${path}/import/status`)).body.data.run?.status
  await expect.poll(status).toBe('completed')
})
