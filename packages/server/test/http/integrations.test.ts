import { expect, it } from 'vitest'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const path = '/api/extcrm/integrations'

const running = useService()

async function newTenant() {
  const { token } = await registerTenant(running.url)
  const send = (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, body })
  return { token, send }
}
const newFileIntegration = async ({ send }: Awaited<ReturnType<typeof newTenant>>, body: object = {}) =>
  (await send('POST', path, { provider: 'file', ...body })).body.data

it('a new integration for files has the declared fields, its own id as its account, and imports all parts [integration.fields]', async () => {
  const tenant = await newTenant()
  const made = await tenant.send('POST', path, { provider: 'file', importSettings: { importDeals: false } })
  expect(made.status).toBe(201)
  const { _id } = made.body.data
  expect(made.body.data).toEqual({
    _id: expect.stringMatching(/^int_/),
    tenantId: expect.any(String),
    provider: 'file',
    name: 'Files',
    accountId: _id,
    accountName: null,
    accountEmail: null,
    apiDomain: null,
    isActive: true,
    reauthRequired: false,
    lastSyncAt: null,
    syncStatus: 'idle',
    syncProgress: { totalRecords: 0, processedRecords: 0, currentModule: null, errors: [] },
    importSettings: {
      importContacts: true,
      importDeals: false,
      importTickets: true,
      importNotes: true,
      importActivities: true,
      preserveIds: false,
    },
    autoSync: { enabled: false, intervalMinutes: 15, nextRunAt: null },
    conflict: 'merge',
    emitEvents: false,
    mapping: {},
    values: {},
    timeZone: null,
    dateOrder: 'dmy',
    dateOrders: {},
    defaultCountry: null,
    handover: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  const read = await tenant.send('GET', `${path}/${_id}`)
  expect(read.body.data).toEqual(made.body.data)
})

it('the list of integrations is a plain array with the oldest first [extcrm.integrations]', async () => {
  const tenant = await newTenant()
  const first = await newFileIntegration(tenant, { name: 'First' })
  const second = await newFileIntegration(tenant, { name: 'Second' })
  const { status, body } = await tenant.send('GET', path)
  expect(status).toBe(200)
  expect(body.data).toEqual([first, second])
})

it('a tenant has at most 50 integrations: one more is refused with 409 and stores nothing', async () => {
  const tenant = await newTenant()
  for (let made = 0; made < 50; made++) await newFileIntegration(tenant)
  const refused = await tenant.send('POST', path, { provider: 'file' })
  expect(refused.status).toBe(409)
  expect(refused.body.code).toBe('CONFLICT')
  expect((await tenant.send('GET', path)).body.data).toHaveLength(50)
})

it.each([
  [{ apiDomain: 'https://www.zohoapis.com' }, 'apiDomain', 'unknown_field'],
  [{ accountsServer: 'https://accounts.zoho.com' }, 'accountsServer', 'unknown_field'],
  [{ credentials: { clientId: 'a' } }, 'credentials', 'unknown_field'],
  [{ syncStatus: 'failed' }, 'syncStatus', 'unknown_field'],
  [{ importSettings: { importAll: true } }, 'importSettings.importAll', 'unknown_field'],
  [{ name: 'x'.repeat(101) }, 'name', 'max'],
])('creating an integration for files refuses %j', async (extra, field, rule) => {
  const tenant = await newTenant()
  const { status, body } = await tenant.send('POST', path, { provider: 'file', ...extra })
  expect(status).toBe(422)
  expect(body.details).toContainEqual(expect.objectContaining({ field, rule, in: 'body' }))
})

it('an update merges import settings and mapping, keeps absent fields, and writes one audit entry', async () => {
  const tenant = await newTenant()
  const made = await newFileIntegration(tenant, { importSettings: { importNotes: false } })
  const one = `${path}/${made._id}`
  await tenant.send('PUT', one, { mapping: { Contacts: { Nachname: 'lastName', Fax: null } } })
  const { status, body } = await tenant.send('PUT', one, {
    name: 'Old help desk',
    importSettings: { importDeals: false },
    conflict: 'source_wins',
    emitEvents: true,
    mapping: { Deals: { Betreff: 'subject', Region: 'customFields.Region' } },
    timeZone: 'Europe/Berlin',
    dateOrder: 'mdy',
    defaultCountry: 'DE',
  })
  expect(status).toBe(200)
  expect(body.data).toEqual({
    ...made,
    name: 'Old help desk',
    importSettings: { ...made.importSettings, importDeals: false },
    conflict: 'source_wins',
    emitEvents: true,
    mapping: {
      Contacts: { Nachname: 'lastName', Fax: null },
      Deals: { Betreff: 'subject', Region: 'customFields.Region' },
    },
    timeZone: 'Europe/Berlin',
    dateOrder: 'mdy',
    defaultCountry: 'DE',
    updatedAt: expect.any(String),
  })
  const audit = await tenant.send('GET', '/api/tenant/audit-log')
  const updates = audit.body.data.filter(({ action }: { action: string }) => action === 'integration.updated')
  expect(updates).toHaveLength(2)
  expect(updates[0].target).toEqual({ type: 'integration', _id: made._id })
})

it('an update replaces the words of the modules that it names, and null removes them', async () => {
  const tenant = await newTenant()
  const one = `${path}/${(await newFileIntegration(tenant))._id}`
  const cases = { status: { 'With the lawyer': 'pending' } }
  await tenant.send('PUT', one, {
    values: { Cases: { priority: { P1: 'urgent' } }, Deals: { stage: { A: 'open' } } },
  })
  const { body } = await tenant.send('PUT', one, { values: { Cases: cases, Deals: null } })
  expect(body.data.values).toEqual({ Cases: cases })
  expect((await tenant.send('PUT', one, { values: null })).body.data.values).toEqual({})
})

it('orders of dates are merged by module, and null forgets them', async () => {
  const tenant = await newTenant()
  const one = `${path}/${(await newFileIntegration(tenant))._id}`
  await tenant.send('PUT', one, { dateOrders: { Cases: { Opened: 'dmy' }, Deals: { Won: 'mdy' } } })
  const { body } = await tenant.send('PUT', one, { dateOrders: { Cases: { Opened: 'mdy' }, Deals: null } })
  expect(body.data.dateOrders).toEqual({ Cases: { Opened: 'mdy' } })
  expect((await tenant.send('GET', one)).body.data.dateOrders).toEqual({ Cases: { Opened: 'mdy' } })
  expect((await tenant.send('PUT', one, { dateOrders: null })).body.data.dateOrders).toEqual({})
})

it('an empty update of an integration changes nothing, not even its time', async () => {
  const tenant = await newTenant()
  const made = await newFileIntegration(tenant)
  const { status, body } = await tenant.send('PUT', `${path}/${made._id}`, {})
  expect(status).toBe(200)
  expect(body.data).toEqual(made)
})

it.each([
  [{ mapping: { Invoices: {} } }, 'mapping.Invoices', 'module'],
  [{ mapping: { Contacts: { A: 'surname' } } }, 'mapping.Contacts.A', 'target'],
  [{ mapping: { Contacts: { A: 'email', B: 'email' } } }, 'mapping.Contacts.B', 'duplicate'],
  [{ values: { Invoices: {} } }, 'values.Invoices', 'module'],
  [{ values: { Contacts: { status: { A: 'open' } } } }, 'values.Contacts.status', 'target'],
  [{ values: { Cases: { subject: { A: 'open' } } } }, 'values.Cases.subject', 'target'],
  [{ values: { Cases: { status: { A: 'solved' } } } }, 'values.Cases.status.A', 'value'],
  [{ dateOrders: { Invoices: {} } }, 'dateOrders.Invoices', 'module'],
  [{ dateOrders: { Contacts: { A: 'dym' } } }, 'dateOrders.Contacts.A', 'enum'],
  [{ timeZone: 'Mars/Olympus' }, 'timeZone', 'time_zone'],
  [{ timeZone: '+02:00' }, 'timeZone', 'time_zone'],
  [{ defaultCountry: 'Germany' }, 'defaultCountry', 'regex'],
  [{ autoSync: { enabled: true } }, 'autoSync', 'unknown_field'],
  [{ accountId: 'other' }, 'accountId', 'unknown_field'],
])('an update of an integration refuses %j and changes nothing', async (change, field, rule) => {
  const tenant = await newTenant()
  const made = await newFileIntegration(tenant)
  const { status, body } = await tenant.send('PUT', `${path}/${made._id}`, { name: 'New', ...change })
  expect(status).toBe(422)
  expect(body.details).toContainEqual(expect.objectContaining({ field, rule, in: 'body' }))
  expect((await tenant.send('GET', `${path}/${made._id}`)).body.data).toEqual(made)
})

it('a deleted integration is not found any more, and its name may be used again', async () => {
  const tenant = await newTenant()
  const made = await newFileIntegration(tenant)
  const { status, body } = await tenant.send('DELETE', `${path}/${made._id}`)
  expect([status, body.message]).toEqual([200, 'Integration disconnected'])
  for (const method of ['GET', 'DELETE']) {
    expect((await tenant.send(method, `${path}/${made._id}`)).status).toBe(404)
  }
})

it('a key manages integrations only with both write permissions, and reads them with read:customers', async () => {
  const tenant = await newTenant()
  const one = await createKey(running.url, tenant.token, ['write:customers'])
  const both = await createKey(running.url, tenant.token, ['write:customers', 'write:conversations'])
  const reader = await createKey(running.url, tenant.token, ['read:customers'])
  const create = (token: string) =>
    call(running.url, { method: 'POST', path, token, body: { provider: 'file' } })
  expect((await create(one)).status).toBe(403)
  expect((await create(both)).status).toBe(201)
  expect((await create(reader)).status).toBe(403)
  expect((await call(running.url, { path, token: reader })).body.data).toHaveLength(1)
  expect((await call(running.url, { path, token: both })).status).toBe(403)
})
