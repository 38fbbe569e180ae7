import { expect, test } from 'vitest'
import { SourceFailure } from '../../src/ports/connector.ts'
import { openImports } from './import-harness.ts'
import { MemorySource } from './memory-source.ts'

function contact(source: MemorySource, id: string, fields: object = {}): void {
  source.put({
    module: 'Contacts',
    id,
    fields: { lastName: `Name ${id}`, email: `p${id}@example.com`, ...fields },
  })
}

test('contacts, deals, cases, notes and activities become customers, conversations, messages and calls [extcrm.import]', async () => {
  const source = new MemorySource()
  contact(source, '1', { firstName: 'Ada', phone: '+49 30 1234567', tags: ['VIP'], jobTitle: 'Analyst' })
  const person = { module: 'Contacts', id: '1' } as const
  source.put({
    module: 'Deals',
    id: '7',
    person,
    fields: { subject: 'Big', status: 'closed' },
    customFields: { Amount: 12 },
  })
  source.put({
    module: 'Cases',
    id: '8',
    person,
    fields: { subject: 'Help', description: 'It broke', priority: 'high' },
  })
  source.put({
    module: 'Notes',
    id: '9',
    parent: { module: 'Deals', id: '7' },
    fields: { title: 'Call', content: 'Done', ownerName: 'Bob' },
  })
  source.put({
    module: 'Notes',
    id: '10',
    parent: person,
    fields: { content: '<p>About <b>her</b></p>', isHtml: true },
  })
  source.put({
    module: 'Calls',
    id: '11',
    person,
    fields: { subject: 'Hi', isMissed: true, startedAt: '2026-01-01T10:00:00.000Z' },
  })
  const imports = await openImports(source.open)
  const run = await imports.importAll()
  expect(run.status).toBe('completed')
  const [customer] = await imports.customers()
  expect(customer).toMatchObject({
    profile: { firstName: 'Ada', lastName: 'Name 1', email: 'p1@example.com', phone: '+49 30 1234567' },
    jobTitle: 'Analyst',
    tags: ['VIP'],
    externalIds: ['zoho:acc:Contacts:1'],
    customFields: { external: { provider: 'zoho', module: 'Contacts', id: '1', url: null } },
  })
  const conversations = await imports.conversations()
  const bySubject = new Map(conversations.map((row) => [row.subject, row]))
  expect(bySubject.get('Big')).toMatchObject({
    status: 'closed',
    customerId: customer?._id,
    customFields: { zoho: { Amount: 12 } },
  })
  expect(bySubject.get('Help')).toMatchObject({ status: 'open', priority: 'high', messageCount: 1 })
  expect(await imports.messagesOf(bySubject.get('Help')?._id ?? '')).toMatchObject([
    { content: 'It broke', direction: 'inbound', sender: { type: 'customer', _id: customer?._id } },
  ])
  expect(await imports.messagesOf(bySubject.get('Big')?._id ?? '')).toMatchObject([
    {
      content: 'Call\n\nDone',
      type: 'note',
      direction: 'internal',
      sender: { type: 'system', name: 'Bob' },
      externalId: 'zoho:acc:Notes:9',
    },
  ])
  expect(await imports.messagesOf(bySubject.get('Imported notes')?._id ?? '')).toMatchObject([
    { content: 'About her' },
  ])
  expect(await imports.calls()).toMatchObject([
    {
      kind: 'call',
      direction: 'inbound',
      status: 'failed',
      failureReason: 'no_answer',
      customerId: customer?._id,
      metadata: { notes: 'Hi' },
    },
  ])
  expect(run.modules['Notes']).toMatchObject({ total: 2, read: 2, created: 2, done: true })
})

test('a second import of an unchanged source writes no row, and counts each record as unchanged', async () => {
  const source = new MemorySource({ pageSize: 3 })
  for (let id = 1; id <= 10; id++) contact(source, String(id))
  const imports = await openImports(source.open)
  await imports.importAll()
  const before = await imports.customers()
  const run = await imports.importAll()
  expect(run.modules['Contacts']).toMatchObject({ read: 10, unchanged: 10, created: 0, updated: 0 })
  expect(await imports.customers()).toEqual(before)
})

test('a contact that changes at the source updates its customer and never makes a second one', async () => {
  const source = new MemorySource()
  contact(source, '1')
  const imports = await openImports(source.open)
  await imports.importAll()
  contact(source, '1', { lastName: 'Married', email: 'new@example.com' })
  const run = await imports.importAll()
  expect(run.modules['Contacts']).toMatchObject({ updated: 1, created: 0 })
  expect(await imports.customers()).toMatchObject([
    { profile: { lastName: 'Married', email: 'new@example.com' } },
  ])
})

test('a field that was edited here keeps its value while the source changes it, and other fields follow the source', async () => {
  const source = new MemorySource()
  contact(source, '1', { company: 'Old', jobTitle: 'Clerk' })
  const imports = await openImports(source.open)
  await imports.importAll()
  const [customer] = await imports.customers()
  if (!customer) throw new Error('nothing was imported')
  const { version, _id: id, profile } = customer
  const set = { profile: { ...profile, company: 'Ours' } }
  await imports.store.commit({
    writes: [{ op: 'update', kind: 'customers', id, expectVersion: version, set }],
    events: [],
  })
  contact(source, '1', { company: 'New', jobTitle: 'Boss' })
  const run = await imports.importAll()
  expect(run.conflictsKept).toBe(1)
  expect(await imports.customers()).toMatchObject([{ profile: { company: 'Ours' }, jobTitle: 'Boss' }])
})

test('people who share a phone number stay separate, and two records with one e-mail become one customer', async () => {
  const source = new MemorySource()
  contact(source, '1', { phone: '+49 30 7654321' })
  contact(source, '2', { phone: '+49 30 7654321' })
  contact(source, '3', { email: 'P1@Example.com' })
  const imports = await openImports(source.open)
  const run = await imports.importAll()
  expect(run.modules['Contacts']).toMatchObject({ created: 2, merged: 1 })
  const [first] = await imports.customers()
  expect(first?.externalIds).toEqual(['zoho:acc:Contacts:1', 'zoho:acc:Contacts:3'])
})

test('a person with a phone number alone joins the one customer who has it, however it is written', async () => {
  const source = new MemorySource()
  const imports = await openImports(source.open, { defaultCountry: 'DE' })
  contact(source, '1', { phone: '+49 30 7654321' })
  await imports.importAll()
  source.put({ module: 'Leads', id: '5', fields: { phone: '030/765 43-21' } })
  const run = await imports.importAll()
  expect(run.modules['Leads']).toMatchObject({ merged: 1, created: 0 })
})

test('an odd record fails alone: it is reported with its code, and the others are imported', async () => {
  const source = new MemorySource()
  contact(source, '1')
  source.put({ module: 'Contacts', id: '2', fields: {} })
  source.put({ module: 'Contacts', id: '3', fields: { lastName: 'No address', email: 'not an address' } })
  const imports = await openImports(source.open)
  const run = await imports.importAll()
  expect(run).toMatchObject({ status: 'completed_with_errors', errorCount: 1, warningCount: 1 })
  expect(run.modules['Contacts']).toMatchObject({ read: 3, created: 2, failed: 1 })
  expect(await imports.issuesOf(run._id)).toMatchObject([
    { severity: 'error', externalId: '2', code: 'INVALID_RECORD' },
    { severity: 'warning', externalId: '3', code: 'INVALID_VALUE' },
  ])
  const third = (await imports.customers()).find(({ externalIds }) => externalIds[0]?.endsWith(':3'))
  expect(third).toMatchObject({
    profile: { email: null },
    customFields: { zoho: { Email: 'not an address' } },
  })
})

test('a run whose first fifty records all fail ends as a systematic fault', async () => {
  const source = new MemorySource({ pageSize: 60 })
  for (let id = 1; id <= 100; id++) source.put({ module: 'Contacts', id: String(id) })
  const imports = await openImports(source.open)
  const run = await imports.importAll()
  expect(run).toMatchObject({ status: 'failed', error: { code: 'SYSTEMATIC_FAILURE' } })
  expect(run.modules['Contacts']).toMatchObject({ read: 60, failed: 60 })
})

test('an erased customer is skipped by every later import', async () => {
  const source = new MemorySource()
  contact(source, '1')
  const imports = await openImports(source.open)
  await imports.importAll()
  const [customer] = await imports.customers()
  const at = new Date().toISOString()
  await imports.store.commit({
    writes: [{ op: 'erase', kind: 'customers', id: customer?._id ?? '', at }],
    events: [],
  })
  contact(source, '1', { lastName: 'Back' })
  const run = await imports.importAll()
  expect(run.modules['Contacts']).toMatchObject({ skipped: 1, created: 0 })
  expect(await imports.customers()).toEqual([])
})

test('a failing request is tried again, and the run continues behind the last page that was written', async () => {
  const source = new MemorySource({ pageSize: 2 })
  for (let id = 1; id <= 5; id++) contact(source, String(id))
  let failures = 0
  source.beforePage = () => {
    if (source.pagesRead === 1 && failures++ < 1) throw new SourceFailure('transient', 'lost connection')
  }
  const imports = await openImports(source.open)
  const run = await imports.importAll()
  expect(run.status).toBe('completed')
  expect(run.modules['Contacts']).toMatchObject({ read: 5, created: 5 })
})

test('a rate limit that lasts longer pauses the run until the source allows requests again [state.integration]', async () => {
  const source = new MemorySource()
  contact(source, '1')
  const retryAt = new Date(Date.now() + 600_000).toISOString()
  source.beforePage = () => {
    throw new SourceFailure('rate', 'too many requests', retryAt)
  }
  const imports = await openImports(source.open)
  const run = await imports.importAll()
  expect(run).toMatchObject({ status: 'paused', pauseReason: 'rate_limit' })
  expect(Math.abs(Date.parse(run.resumeAt ?? '') - Date.parse(retryAt))).toBeLessThan(5_000)
  source.beforePage = () => {}
  await imports.work(run._id)
  expect(await imports.runOf(run._id)).toMatchObject({
    status: 'completed',
    resumeAt: null,
    pauseReason: null,
  })
})

test('a dry run counts what the import would do, duplicates within it included, and writes nothing', async () => {
  const source = new MemorySource({ pageSize: 2 })
  for (let id = 1; id <= 5; id++) contact(source, String(id))
  contact(source, '6', { email: 'p1@example.com' })
  source.put({
    module: 'Deals',
    id: '7',
    person: { module: 'Contacts', id: '2' },
    fields: { subject: 'Big' },
  })
  const imports = await openImports(source.open)
  const dry = await imports.importAll({ dryRun: true })
  expect(await imports.customers()).toEqual([])
  expect(await imports.conversations()).toEqual([])
  const real = await imports.importAll()
  expect(dry.modules).toEqual(real.modules)
})

test('a note whose parent is older than the range of days brings its parent and the parent’s customer with it', async () => {
  const source = new MemorySource()
  const old = { createdAt: '2020-01-01T00:00:00.000Z', modifiedAt: '2020-01-01T00:00:00.000Z' }
  source.put({ module: 'Contacts', id: '1', ...old, fields: { lastName: 'Old' } })
  source.put({
    module: 'Deals',
    id: '7',
    ...old,
    person: { module: 'Contacts', id: '1' },
    fields: { subject: 'Old deal' },
  })
  source.put({ module: 'Notes', id: '9', parent: { module: 'Deals', id: '7' }, fields: { content: 'New' } })
  const imports = await openImports(source.open)
  const run = await imports.importAll({ dateRange: { startDate: '2025-01-01', endDate: null } })
  expect(run).toMatchObject({ status: 'completed' })
  expect(run.modules).toMatchObject({
    Contacts: { created: 1 },
    Deals: { created: 1 },
    Notes: { created: 1 },
  })
})

test('remarks of calls, meetings and tasks that the source keeps as HTML are texts', async () => {
  const source = new MemorySource()
  const fields = { subject: 'A < B', notes: '<p>Agreed on <b>Monday</b> &amp; paid</p>', isHtml: true }
  for (const [index, module] of (['Calls', 'Events', 'Tasks'] as const).entries())
    source.put({ module, id: `${index + 1}`, fields: { ...fields, startedAt: '2026-01-01T10:00:00.000Z' } })
  const imports = await openImports(source.open)
  await imports.importAll()
  expect((await imports.calls()).map(({ kind, metadata }) => [kind, metadata['notes']])).toEqual(
    ['call', 'meeting', 'task'].map((kind) => [kind, 'A < B\nAgreed on Monday & paid']),
  )
})

test('records deleted at the source archive their customers, who are active again when they come back', async () => {
  const source = new MemorySource()
  contact(source, '1')
  const imports = await openImports(source.open)
  await imports.importAll()
  const [before] = await imports.store.integrations.list({ page: 1, limit: 1 }).then(({ rows }) => rows)
  expect(before?.syncedUntil).not.toBeNull()
  source.remove('Contacts', '1')
  const run = await imports.importAll()
  expect(run.modules['Contacts']).toMatchObject({ deleted: 1 })
  expect(await imports.customers()).toMatchObject([{ status: 'archived' }])
  contact(source, '1')
  await imports.importAll()
  expect(await imports.customers()).toMatchObject([{ status: 'active' }])
})

test('a customer for whom two records stand is archived with the last of them, and active again with the first that is back', async () => {
  const source = new MemorySource()
  const both = { email: 'ada@example.com' }
  contact(source, '1', both)
  contact(source, '2', both)
  const imports = await openImports(source.open)
  const status = async () => (await imports.customers()).map((customer) => customer.status)
  await imports.importAll()
  source.remove('Contacts', '1')
  expect((await imports.importAll()).modules['Contacts']).toMatchObject({ deleted: 1 })
  expect(await status()).toEqual(['active'])
  source.remove('Contacts', '2')
  const last = await imports.importAll()
  expect([last.modules['Contacts']?.deleted, await status()]).toEqual([1, ['archived']])
  contact(source, '1', both)
  await imports.importAll()
  expect(await status()).toEqual(['active'])
})

test('two records of a customer that are deleted at once archive the customer, and an undo makes the customer active again', async () => {
  const source = new MemorySource()
  for (const id of ['1', '2']) contact(source, id, { email: 'ada@example.com' })
  const imports = await openImports(source.open)
  await imports.importAll()
  for (const id of ['1', '2']) source.remove('Contacts', id)
  const run = await imports.importAll()
  expect(run.modules['Contacts']).toMatchObject({ deleted: 2 })
  expect(await imports.customers()).toMatchObject([{ status: 'archived' }])
  expect(await imports.undo(run._id)).toMatchObject({ undo: { status: 'done', kept: 0 } })
  expect(await imports.customers()).toMatchObject([{ status: 'active' }])
})

test('of two records of a customer that were deleted at once, either one that is back makes the customer active', async () => {
  for (const back of ['1', '2']) {
    const source = new MemorySource()
    for (const id of ['1', '2']) contact(source, id, { email: 'ada@example.com' })
    const imports = await openImports(source.open)
    await imports.importAll()
    for (const id of ['1', '2']) source.remove('Contacts', id)
    await imports.importAll()
    contact(source, back, { email: 'ada@example.com' })
    await imports.importAll()
    expect([back, (await imports.customers()).map(({ status }) => status)]).toEqual([back, ['active']])
  }
})

test('a module that may not be read is named once in each run, which goes on to the deleted records of the others', async () => {
  const source = new MemorySource()
  contact(source, '1')
  const refuse = (module: string) => {
    if (module === 'Cases') throw new SourceFailure('forbidden', 'The source responded with 403')
  }
  source.beforePage = refuse
  source.beforeDeleted = refuse
  const imports = await openImports(source.open)
  const named = async (run: { _id: string }) =>
    (await imports.issuesOf(run._id)).map(({ code, module }) => [code, module])
  for (const isFirst of [true, false, false]) {
    if (!isFirst) source.remove('Contacts', '1')
    const run = await imports.importAll()
    expect([run.status, run.errorCount, await named(run)]).toEqual([
      'completed',
      0,
      [['MODULE_FORBIDDEN', 'Cases']],
    ])
  }
  expect(await imports.customers()).toMatchObject([{ status: 'archived' }])
  // Its deleted records alone may not be read.
  source.beforePage = () => {}
  expect(await named(await imports.importAll())).toEqual([['MODULE_FORBIDDEN', 'Cases']])
})

test('a source that refuses the credentials ends the run, switches automatic sync off, and is in the audit log once [state.integration]', async () => {
  const source = new MemorySource()
  contact(source, '1')
  source.beforePage = () => {
    throw new SourceFailure('auth', 'the grant was refused')
  }
  const autoSync = { enabled: true, intervalMinutes: 15, nextRunAt: '2999-01-01T00:00:00.000Z' }
  const imports = await openImports(source.open, { autoSync })
  const runs = [await imports.importAll(), await imports.importAll()]
  expect(runs).toMatchObject(runs.map(() => ({ status: 'failed', error: { code: 'REAUTH_REQUIRED' } })))
  expect(await imports.store.integrations.find('int_1')).toMatchObject({
    reauthRequired: true,
    autoSync: { enabled: false, nextRunAt: null },
  })
  const { rows } = await imports.store.auditLog.list({ page: 1, limit: 10 })
  expect(rows).toMatchObject([{ action: 'integration.reauth_required', target: { _id: 'int_1' } }])
})
