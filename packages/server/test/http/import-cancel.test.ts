import { afterAll, beforeAll, expect, it } from 'vitest'
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

// connectors 5
it('an import that hangs at its source is the only one, ends when it is cancelled, keeps its rows, and a retry continues behind them', async () => {
  const { token } = await registerTenant(running.url)
  const send = (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, body })
  const credentials = { refreshToken: zoho.oauth.newRefreshToken() }
  const made = await send('POST', integrations, { provider: 'zoho', apiDomain: zoho.url, credentials })
  const path = `${integrations}/${made.body.data._id}`
  const status = async () => (await send('GET', `${path}/import/status`)).body.data
  const total = async () => (await send('GET', '/api/v1/customers?limit=1')).body.pagination.total

  // The first request is for the number of contacts, the second one for the first page.
  zoho.faults.add({ match: '/crm/v8/Contacts', from: 3, to: 3, action: { slowMs: 60_000 } })
  const { runId } = (await send('POST', `${path}/import`, {})).body.data
  await expect.poll(async () => (await status()).run.modules.Contacts?.read).toBe(200)
  const second = await send('POST', `${path}/import`, {})
  expect([second.status, second.body.code, second.body.details]).toEqual([
    409,
    'IMPORT_IN_PROGRESS',
    { runId },
  ])

  const cancelled = await send('POST', `${path}/import/cancel`)
  expect(cancelled.body.data).toEqual({ runId, status: 'cancelled' })
  expect(await status()).toMatchObject({ syncStatus: 'idle', run: { _id: runId, status: 'cancelled' } })
  expect(await total()).toBe(200)
  expect((await send('POST', `${path}/import/cancel`)).body.code).toBe('INVALID_STATE')

  const retry = await send('POST', `${path}/imports/${runId}/retry`)
  expect(retry.status).toBe(202)
  await expect.poll(async () => (await status()).run.status).toBe('completed')
  expect((await status()).run).toMatchObject({
    _id: retry.body.data.runId,
    trigger: 'retry',
    retryOf: runId,
    modules: { Contacts: { created: contacts - 200 } },
  })
  expect(await total()).toBe(contacts)
  const { data } = (await send('GET', '/api/tenant/audit-log?limit=100')).body
  const actions = data.map(({ action }: { action: string }) => action)
  expect(actions.filter((action: string) => action.startsWith('import.'))).toEqual([
    'import.started',
    'import.cancelled',
    'import.started',
  ])
})
