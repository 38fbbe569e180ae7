import { expect, it } from 'vitest'
import { createRemoveDueAttachments } from '../../src/features/attachments/remove-due-attachments.ts'
import { systemClock } from '../../src/shared/clock.ts'
import type { TenantLimits } from '../../src/storage/kinds/tenants.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { call, registerTenant } from '../support/call.ts'
import { silentLog } from '../support/silent-log.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const base = '/api/extcrm/integrations'

async function newTenant() {
  const { token, tenant } = await registerTenant(running.url)
  const send = (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, body })
  const { body } = await send('POST', base, { provider: 'file' })
  const path = `${base}/${body.data._id}`
  return {
    tenantId: tenant._id as TenantId,
    integrationId: body.data._id as string,
    path,
    token,
    send,
    upload: (module: string, text: string | Buffer, name = 'people.csv') =>
      call(running.url, {
        method: 'POST',
        path: `${path}/files`,
        token,
        form: { module, file: new File([text as never], name) },
      }),
    /** Waits until no import is active, and returns the latest run. */
    async finished(timeout = 20_000) {
      // biome-ignore lint/suspicious/noExplicitAny: the body of a response.
      let status: any
      await expect
        .poll(
          async () => {
            status = (await send('GET', `${path}/import/status`)).body.data
            return status.syncStatus
          },
          { timeout },
        )
        .toMatch(/^(idle|failed)$/)
      return status.run
    },
    customers: async () => (await send('GET', '/api/v1/customers?limit=100&sort=createdAt')).body.data,
  }
}

it('an uploaded file is described, imported in the background, and not imported twice [state.integration extcrm.import]', async () => {
  const tenant = await newTenant()
  const csv =
    '\ufeffid;Vorname;Nachname;E-Mail;Region\r\n1;Ada;Lovelace;ada@example.com;"North\nEast"\r\n2;;;;Nowhere\r\n'
  const file = await tenant.upload('Contacts', csv, 'kunden.csv')
  expect(file.status).toBe(201)
  expect(file.body.data).toMatchObject({
    module: 'Contacts',
    filename: 'kunden.csv',
    format: 'csv',
    delimiter: ';',
    encoding: 'utf-8',
    size: Buffer.byteLength(csv),
    headers: ['id', 'Vorname', 'Nachname', 'E-Mail', 'Region'],
    mapping: {
      id: 'id',
      Vorname: 'firstName',
      Nachname: 'lastName',
      'E-Mail': 'email',
      Region: 'customFields.Region',
    },
  })
  const started = await tenant.send('POST', `${tenant.path}/import`, {})
  expect(started.status).toBe(202)
  const run = await tenant.finished()
  expect(run).toMatchObject({
    _id: started.body.data.runId,
    status: 'completed_with_errors',
    modules: { Contacts: { read: 2, created: 1, failed: 1, done: true } },
  })
  expect(await tenant.customers()).toMatchObject([
    {
      profile: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      customFields: { Region: 'North\nEast' },
    },
  ])
  const errors = await tenant.send('GET', `${tenant.path}/imports/${run._id}/errors?severity=error`)
  expect(errors.body.data).toMatchObject([
    { row: 3, code: 'INVALID_RECORD', externalId: '2', severity: 'error' },
  ])
  const download = (query: string) =>
    fetch(`${running.url}${tenant.path}/imports/${run._id}/errors/export?severity=error${query}`, {
      headers: { authorization: `Bearer ${tenant.token}` },
    })
  const sheet = await download('')
  expect(sheet.headers.get('content-type')).toContain('text/csv')
  expect(sheet.headers.get('content-disposition')).toContain(`import-errors-${run._id}.csv`)
  const [titles, line = '', end] = (await sheet.text()).split('\r\n')
  expect([titles, end]).toEqual([
    'severity,module,externalId,row,code,message,createdAt,column,value,count',
    '',
  ])
  expect(line).toMatch(/^error,Contacts,2,3,INVALID_RECORD,/)
  expect(await (await download('&format=json')).json()).toEqual(errors.body.data)
  await tenant.send('POST', `${tenant.path}/import`, {})
  expect(await tenant.finished()).toMatchObject({
    modules: { Contacts: { unchanged: 1, failed: 1, created: 0 } },
  })
  const integration = await tenant.send('GET', tenant.path)
  expect(integration.body.data).toMatchObject({
    syncStatus: 'idle',
    lastSyncAt: expect.any(String),
    syncProgress: { totalRecords: 2, processedRecords: 2, currentModule: null },
  })
  const history = await tenant.send('GET', `${tenant.path}/imports`)
  expect(history.body.data).toHaveLength(2)
  const one = await tenant.send('GET', `${tenant.path}/imports/${run._id}`)
  expect(one.body.data).toEqual(run)
})

it('the form of a file needs its module before the file, and rows', async () => {
  const tenant = await newTenant()
  const { token } = await registerTenant(running.url)
  expect(token).toBeDefined()
  const empty = await tenant.upload('Contacts', 'id,email\n')
  expect(empty.body.details).toMatchObject([{ field: 'file', rule: 'empty' }])
  const unknown = await tenant.upload('Accounts', 'id,email\n1,a@b.de\n')
  expect(unknown.body.details).toMatchObject([{ field: 'module', in: 'body' }])
})

it('an import needs a part, days that exist in their order, and a file of a chosen module [extcrm.import]', async () => {
  const tenant = await newTenant()
  const start = (body: object) => tenant.send('POST', `${tenant.path}/import`, body)
  const none = {
    importContacts: false,
    importDeals: false,
    importTickets: false,
    importNotes: false,
    importActivities: false,
  }
  const empty = await start(none)
  expect(empty.body.details).toHaveLength(5)
  expect(empty.body.details[0]).toMatchObject({ field: 'importContacts', rule: 'at_least_one' })
  expect((await start({})).body.details).toMatchObject([{ field: 'importContacts', rule: 'no_file' }])
  await tenant.upload('Contacts', 'id,email\n1,a@b.de\n')
  const days = await start({ dateRange: { startDate: '2026-02-30' } })
  expect(days.body.details).toMatchObject([{ field: 'dateRange.startDate', rule: 'date' }])
  const order = await start({ dateRange: { startDate: '2026-02-02', endDate: '2026-02-01' } })
  expect(order.body.details).toMatchObject([{ field: 'dateRange.endDate', rule: 'order' }])
})

it('an inactive integration refuses imports, and nothing is there to cancel', async () => {
  const tenant = await newTenant()
  await tenant.upload('Contacts', 'id,email\n1,a@b.de\n')
  await tenant.send('PUT', tenant.path, { isActive: false })
  const refused = await tenant.send('POST', `${tenant.path}/import`, {})
  expect([refused.status, refused.body.code]).toEqual([409, 'INTEGRATION_INACTIVE'])
  const cancel = await tenant.send('POST', `${tenant.path}/import/cancel`)
  expect([cancel.status, cancel.body.code]).toEqual([409, 'INVALID_STATE'])
})

it('a dry run reports what an import would do and stores neither rows nor settings', async () => {
  const tenant = await newTenant()
  await tenant.upload('Contacts', 'id,email\n1,a@b.de\n2,a@b.de\n')
  await tenant.send('POST', `${tenant.path}/import`, { dryRun: true, importDeals: false })
  expect(await tenant.finished()).toMatchObject({
    dryRun: true,
    modules: { Contacts: { created: 1, merged: 1 } },
  })
  expect(await tenant.customers()).toEqual([])
  const { body } = await tenant.send('GET', tenant.path)
  expect(body.data).toMatchObject({ lastSyncAt: null, importSettings: { importDeals: true } })
})

it('the undo of an import removes what it made, keeps what was changed since, and restores what it changed', async () => {
  const tenant = await newTenant()
  const existing = await tenant.send('POST', '/api/v1/customers', { email: 'old@example.com' })
  await tenant.upload('Contacts', 'id,email,company\n1,a@b.de,A\n2,b@b.de,B\n3,old@example.com,New\n')
  await tenant.send('POST', `${tenant.path}/import`, {})
  const run = await tenant.finished()
  expect(run.modules.Contacts).toMatchObject({ created: 2, merged: 1 })
  const [first] = (await tenant.customers()).filter(
    ({ profile }: { profile: { email: string } }) => profile.email === 'a@b.de',
  )
  await tenant.send('PUT', `/api/v1/customers/${first._id}`, { jobTitle: 'Edited here' })
  const undone = await tenant.send('POST', `${tenant.path}/imports/${run._id}/undo`)
  expect(undone.status).toBe(202)
  expect((await tenant.finished()).undo).toMatchObject({ status: 'done', removed: 1, restored: 1, kept: 1 })
  const left = await tenant.customers()
  expect(left.map(({ profile }: { profile: object }) => profile)).toEqual(
    expect.arrayContaining([existing.body.data.profile, first.profile]),
  )
  expect(left).toHaveLength(2)
  const kept = await tenant.send('GET', `${tenant.path}/imports/${run._id}/errors?severity=kept`)
  expect(kept.body.data).toMatchObject([{ code: 'CHANGED_SINCE' }])
  const again = await tenant.send('POST', `${tenant.path}/imports/${run._id}/undo`)
  expect(again.body.code).toBe('INVALID_STATE')
})

it('the failed rows of a run are imported again once the mapping is right', async () => {
  const tenant = await newTenant()
  await tenant.upload('Contacts', 'id,Whom,email\n1,,a@b.de\n2,Grace,\n')
  await tenant.send('PUT', tenant.path, { mapping: { Contacts: { Whom: null } } })
  await tenant.send('POST', `${tenant.path}/import`, {})
  const run = await tenant.finished()
  expect(run.modules.Contacts).toMatchObject({ created: 1, failed: 1 })
  await tenant.send('PUT', tenant.path, { mapping: { Contacts: { Whom: 'firstName' } } })
  const retried = await tenant.send('POST', `${tenant.path}/imports/${run._id}/retry`)
  expect(retried.status).toBe(202)
  expect(await tenant.finished()).toMatchObject({
    trigger: 'retry',
    retryOf: run._id,
    status: 'completed',
    modules: { Contacts: { read: 1, created: 1 } },
  })
})

it('automatic sync is refused for files [extcrm.autoSync]', async () => {
  const tenant = await newTenant()
  const { status, body } = await tenant.send('PUT', `${tenant.path}/auto-sync`, { enabled: true })
  expect(status).toBe(422)
  expect(body.details).toMatchObject([{ rule: 'not_for_file' }])
})

it('JSON and NDJSON files are read, and a line that is no JSON is one error with its number', async () => {
  const tenant = await newTenant()
  const lines = '{"id":1,"email":"a@b.de"}\n\nnot json\n{"id":2,"name":"Grace","extra":{"a":[1]}}\n'
  expect((await tenant.upload('Contacts', lines, 'people.ndjson')).body.data.format).toBe('ndjson')
  const deals = JSON.stringify([
    { id: 7, subject: 'Big', stage: 'Closed Won', customerId: '1', note: '[x] "y"' },
  ])
  expect((await tenant.upload('Deals', deals, 'deals.json')).body.data.format).toBe('json')
  await tenant.send('POST', `${tenant.path}/import`, {})
  const run = await tenant.finished()
  expect(run.modules).toMatchObject({ Contacts: { created: 2, failed: 1 }, Deals: { created: 1 } })
  const errors = await tenant.send('GET', `${tenant.path}/imports/${run._id}/errors`)
  expect(errors.body.data).toMatchObject([{ row: 3, code: 'INVALID_RECORD' }])
  const conversations = await tenant.send('GET', '/api/v1/conversations')
  const customers = await tenant.customers()
  const [ada] = customers.filter(({ profile }: { profile: { email: string } }) => profile.email === 'a@b.de')
  expect(conversations.body.data).toMatchObject([{ subject: 'Big', status: 'closed', customerId: ada._id }])
})

it('a messy file with 20,000 rows is imported with every row accounted for', async () => {
  const tenant = await newTenant()
  const rows = Array.from({ length: 20_000 }, (_, index) => {
    if (index % 1000 === 999) return ';;;;'
    if (index % 1000 === 499) return `${index + 1};;;;`
    const phone = index % 2 === 0 ? '+49 30 1234567' : `+49 171 ${1_000_000 + index}`
    const email = index % 10 === 0 ? `broken${index}` : `p${index}@example.com`
    const name = index % 3 === 0 ? `"O""Neill\nJr; ${index}"` : `Name ${index}`
    return `${index + 1};${name};${email};${phone};"=cmd(${index})"`
  })
  const csv = `\ufeffId;Nachname;E-Mail;Telefon;Formula\r\n${rows.join('\r\n')}`
  await tenant.upload('Contacts', csv)
  await tenant.send('POST', `${tenant.path}/import`, {})
  const run = await tenant.finished(100_000)
  // 20 rows are empty, and no records. 20 hold nothing but an id. Half of the people share one phone number, and have names of
  // their own: nobody is joined.
  const { read, created, updated, unchanged, merged, skipped, failed } = run.modules.Contacts
  expect({ read, created, merged, failed }).toEqual({ read: 19_980, created: 19_960, merged: 0, failed: 20 })
  expect(read).toBe(created + updated + unchanged + merged + skipped + failed)
  expect(await running.service.storage.forTenant(tenant.tenantId).usedOf('customers')).toBe(created)

  // One warning for each of the 2,000 invalid addresses, and one for each person of the even rows from the second on, whose
  // phone number others have.
  expect([run.errorCount, run.warningCount]).toEqual([20, 2_000 + 9_999])
  // Errors are kept, however many warnings there were before them. The header is row 1, and an empty row has its number.
  const errors = await tenant.send('GET', `${tenant.path}/imports/${run._id}/errors?severity=error&limit=100`)
  expect(errors.body.data.map(({ row }: { row: number }) => row)).toEqual(
    Array.from({ length: 20 }, (_, index) => index * 1000 + 501),
  )

  // Line breaks of a name become blanks; an invalid address is kept beside the profile; a formula is stored as it is.
  const found = async (search: string) =>
    (await tenant.send('GET', `/api/v1/customers?search=${encodeURIComponent(search)}`)).body.data
  expect(await found('Jr; 19998')).toMatchObject([{ profile: { lastName: 'O"Neill Jr; 19998' } }])
  const [broken] = await found('Name 19990')
  expect(broken).toMatchObject({
    profile: { email: null, phone: '+49 30 1234567' },
    customFields: { 'E-Mail': 'broken19990', Formula: '=cmd(19990)' },
  })
  // A spreadsheet that opens an export runs no cell.
  const sheet = await call(running.url, {
    path: `/api/v1/customers/${broken._id}/export?format=csv`,
    token: tenant.token,
  })
  expect(sheet.body).toContain("'=cmd(19990)")
  expect(sheet.body).not.toMatch(/[;,"]=cmd/)
})

it('a person who was merged here into another one is met there by the next import, and not made again', async () => {
  const tenant = await newTenant()
  const csv = 'id,firstName,email\n1,Ada,ada@example.com\n2,Grace,grace@example.com\n'
  await tenant.upload('Contacts', csv)
  await tenant.send('POST', `${tenant.path}/import`, {})
  await tenant.finished()
  const [ada, grace] = await tenant.customers()
  await tenant.send('POST', `/api/v1/customers/${grace._id}/merge`, { sourceId: ada._id })
  await tenant.upload('Contacts', csv.replace('Ada,', 'Augusta,'))
  await tenant.send('POST', `${tenant.path}/import`, {})
  const run = await tenant.finished()
  expect(run.modules.Contacts).toMatchObject({ read: 2, created: 0, skipped: 0, failed: 0 })
  expect(await tenant.customers()).toMatchObject([{ _id: grace._id, profile: { firstName: 'Grace' } }])
})

async function setLimits(id: TenantId, limits: TenantLimits): Promise<void> {
  const { system } = running.service.storage
  const tenant = await system.findTenant(id)
  if (!tenant) throw new Error('there is no such tenant')
  const { version: expectVersion } = tenant
  await system.commit(id, {
    writes: [{ op: 'update', kind: 'tenants', id, expectVersion, set: { limits } }],
    events: [],
  })
}

it('a quota ends an import with its reason, and a retry continues once the limit is raised', async () => {
  const tenant = await newTenant()
  await setLimits(tenant.tenantId, { customers: 250 })
  const rows = Array.from({ length: 300 }, (_, index) => `${index},p${index}@example.com`)
  await tenant.upload('Contacts', `id,email\n${rows.join('\n')}`)
  await tenant.send('POST', `${tenant.path}/import`, {})
  const run = await tenant.finished()
  expect(run).toMatchObject({
    status: 'failed',
    error: { code: 'QUOTA_EXCEEDED', message: 'The tenant uses 200 of at most 250 customers' },
    modules: { Contacts: { read: 200, created: 200, done: false } },
  })
  await setLimits(tenant.tenantId, { customers: 300 })
  const retried = await tenant.send('POST', `${tenant.path}/imports/${run._id}/retry`)
  expect(retried.status).toBe(202)
  const { body } = await tenant.send('GET', `${tenant.path}/imports/${retried.body.data.runId}`)
  expect(body.data.retryOf).toBe(run._id)
  expect(await tenant.finished()).toMatchObject({
    status: 'completed',
    modules: { Contacts: { created: 100 } },
  })
})

it('an uploaded file is removed seven days after the later of its upload and its last run', async () => {
  const tenant = await newTenant()
  const { storage, attachments } = running.service
  const store = storage.forTenant(tenant.tenantId)
  const file = await tenant.upload('Contacts', 'id,email\n1,a@b.de\n')
  const removeAfterDays = (days: number) => {
    const clock = { ...systemClock, nowMs: () => Date.now() + days * 86_400_000 }
    return createRemoveDueAttachments({ storage, attachments, clock, log: silentLog }).runDue()
  }
  const left = async () => {
    const { integrationId } = tenant
    const { rows } = await store.importFiles.list({ integrationId, page: 1, limit: 10 })
    const bytes = await attachments.sizeOf({ tenantId: tenant.tenantId, id: file.body.data._id })
    return [rows.length, bytes !== undefined]
  }
  await tenant.send('POST', `${tenant.path}/import`, { dryRun: true })
  await tenant.finished()
  await removeAfterDays(6.9)
  expect(await left()).toEqual([1, true])
  await tenant.send('POST', `${tenant.path}/import`, {})
  await tenant.finished()
  await removeAfterDays(6.9)
  expect(await left()).toEqual([1, true])
  await removeAfterDays(7.1)
  expect(await left()).toEqual([0, false])
  const refused = await tenant.send('POST', `${tenant.path}/import`, {})
  expect(refused.body.details).toMatchObject([{ rule: 'no_file' }])
})
