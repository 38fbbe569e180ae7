import { expect, test } from 'vitest'
import { mailMs } from '../../../../examples/hubspot-emulator/src/objects.ts'
import type { SourceConnection } from '../../src/ports/connector.ts'
import { openHubspot } from '../support/hubspot-account.ts'
import { type Imports, openImports } from './import-harness.ts'

const counts = { contacts: 3, companies: 3, tickets: 3, emails: 3 }

/** A portal with a support history, and imports of it. */
async function openHistory(options: Parameters<typeof openHubspot>[0] = {}) {
  const { connection, emulator } = await openHubspot({ counts, threads: 3, ...options })
  const source = { current: connection }
  const imports = await openImports(() => source.current, { provider: 'hubspot', accountId: '4711' })
  return { connection, emulator, imports, source }
}

async function ticketOf(imports: Imports, subject: string) {
  const found = (await imports.conversations()).find((one) => one.subject === subject)
  if (found === undefined) throw new Error(`there is no conversation ${subject}`)
  return found
}

async function wordsOf(imports: Imports, subject: string) {
  const { _id: id } = await ticketOf(imports, subject)
  const messages = await imports.messagesOf(id)
  return messages.map(({ content, type, direction, sender, createdAt }) => ({
    content,
    type,
    direction,
    sender: [sender.type, sender.name],
    createdAt,
  }))
}

test('a HubSpot ticket is here with its e-mails, its threads, its people and its times', async () => {
  const { imports } = await openHistory()
  const run = await imports.importAll()
  expect([run.status, run.errorCount, await imports.issuesOf(run._id)]).toEqual(['completed', 0, []])
  expect(run.modules['Emails']).toMatchObject({ read: 9, created: 9, failed: 0 })
  const words = await wordsOf(imports, 'Ticket 0')
  expect(words.filter(({ createdAt }) => createdAt >= '2026-01-10')).toEqual([
    {
      content: 'Mail 0: it is stuck again',
      type: 'reply',
      direction: 'inbound',
      sender: ['customer', 'Ada Foller 0'],
      createdAt: new Date(mailMs(0)).toISOString(),
    },
    {
      content: 'Reply 0 in the chat, with a long explanation',
      type: 'reply',
      direction: 'outbound',
      sender: ['user', 'Mia Agent'],
      createdAt: new Date(mailMs(0) + 3_600_000).toISOString(),
    },
    {
      content: 'Comment 0',
      type: 'note',
      direction: 'internal',
      sender: ['system', 'Mia Agent'],
      createdAt: new Date(mailMs(0) + 3_700_000).toISOString(),
    },
  ])
  // Its text, the mail and the reply.
  expect(await ticketOf(imports, 'Ticket 0')).toMatchObject({
    messageCount: 3,
    channel: 'email',
    lastMessageAt: new Date(mailMs(0) + 3_600_000).toISOString(),
  })
  expect(
    (await wordsOf(imports, 'Ticket 1')).find(({ content }) => content.startsWith('Mail 1')),
  ).toMatchObject({
    content: 'Mail 1: it is stuck again',
    direction: 'outbound',
    sender: ['user', 'Mia Agent'],
  })
  const customers = await imports.customers()
  expect(customers.map(({ profile }) => profile.company).sort()).toEqual([
    'Company 0',
    'Company 1',
    'Company 2',
  ])
})

test('a second import of a HubSpot history changes nothing, and brings what came to an old thread', async () => {
  const { imports, emulator } = await openHistory()
  await imports.importAll()
  const before = await wordsOf(imports, 'Ticket 1')
  const again = await imports.importAll()
  expect(again.modules['Emails']).toMatchObject({ read: 9, created: 0, updated: 0, unchanged: 9 })
  const message = { id: 'new', type: 'MESSAGE', text: 'And now?', isInbound: true, atMs: Date.now() } as const
  emulator.api.threads.add('9002', message)
  await imports.importAll({ trigger: 'auto', since: new Date(mailMs(10)).toISOString() })
  const after = await wordsOf(imports, 'Ticket 1')
  expect(after.slice(0, -1)).toEqual(before)
  expect(after.at(-1)).toMatchObject({ content: 'And now?', direction: 'inbound' })
})

test('the undo of a HubSpot history leaves nothing of it, and an import brings it back', async () => {
  const { imports } = await openHistory()
  const run = await imports.importAll()
  const words = await wordsOf(imports, 'Ticket 0')
  const undone = await imports.undo(run._id)
  expect(undone.undo.status).toBe('done')
  expect([await imports.customers(), await imports.conversations()]).toEqual([[], []])
  await imports.importAll()
  expect(await wordsOf(imports, 'Ticket 0')).toEqual(words)
})

test('the undo of the run that brought a HubSpot history leaves the tickets of an earlier run as they were', async () => {
  const { imports } = await openHistory()
  const only = { importNotes: false }
  await imports.importAll({}, only)
  const before = await ticketOf(imports, 'Ticket 0')
  const run = await imports.importAll()
  await imports.undo(run._id)
  const after = await ticketOf(imports, 'Ticket 0')
  expect([after.messageCount, after.lastMessageAt]).toEqual([before.messageCount, before.lastMessageAt])
  expect(await wordsOf(imports, 'Ticket 0')).toHaveLength(1)
})

/** A connection that ends its process when it has sent a page of a module. */
function dyingAt(
  connection: SourceConnection,
  { at, stop }: { at: number; stop: () => void },
): SourceConnection {
  return {
    identify: (signal) => connection.identify(signal),
    describe: (module, signal) => connection.describe(module, signal),
    count: (module, window, signal) => connection.count(module, window, signal),
    byIds: (module, ids, signal) => connection.byIds(module, ids, signal),
    deleted: (module, since, signal) => connection.deleted(module, since, signal),
    close: () => connection.close(),
    async *pages(module, options) {
      let count = 0
      for await (const page of connection.pages(module, options)) {
        yield page
        count += 1
        if (module === 'Emails' && count === at) {
          stop()
          options.signal.throwIfAborted()
        }
      }
    },
  }
}

test('a HubSpot history is whole, and nothing of it twice, when the process dies behind each of its pages', async () => {
  const many = { contacts: 50, companies: 3, tickets: 50, emails: 50 }
  const { imports, connection, source } = await openHistory({ counts: many, threads: 50 })
  const id = await imports.start()
  for (const at of [1, 1, 1]) {
    const controller = new AbortController()
    source.current = dyingAt(connection, { at, stop: () => controller.abort() })
    await imports.work(id, controller.signal)
    expect((await imports.runOf(id)).status).toBe('running')
  }
  source.current = connection
  await imports.work(id)
  const run = await imports.runOf(id)
  expect([run.status, run.errorCount]).toEqual(['completed', 0])
  for (let index = 0; index < 50; index++) {
    const words = await wordsOf(imports, `Ticket ${index}`)
    // The text of the ticket, its mail, the reply and the comment.
    expect([index, new Set(words.map(({ content }) => content)).size, words.length]).toEqual([index, 4, 4])
  }
})

test('tickets that are merged at HubSpot are one conversation, to which later e-mails come', async () => {
  const { imports, emulator } = await openHistory()
  await imports.importAll()
  const tickets = emulator.api.objects('tickets')
  const first = await ticketOf(imports, 'Ticket 0')
  const merged = tickets.create({
    subject: 'Ticket 0',
    hs_pipeline: '0',
    hs_pipeline_stage: '1',
    hs_merged_object_ids: '501;502',
  })
  tickets.archive('501')
  tickets.archive('502')
  const run = await imports.importAll()
  expect(run.modules['Cases']).toMatchObject({ merged: 1, created: 0 })
  expect(await imports.conversations()).toHaveLength(3)
  const joined = await ticketOf(imports, 'Ticket 0')
  expect(joined.externalIds).toEqual([...first.externalIds, `hubspot:4711:Cases:${merged}`])
  expect(joined.customerId).toBe(first.customerId)
  emulator.api.threads.create(
    [{ id: 'late', type: 'MESSAGE', text: 'Still stuck', isInbound: true, atMs: Date.now() }],
    { ticketId: merged, contactId: '501' },
  )
  await imports.importAll()
  expect((await wordsOf(imports, 'Ticket 0')).at(-1)).toMatchObject({ content: 'Still stuck' })
})

test('a HubSpot portal whose conversations may not be read has its e-mails here, and one warning in each run', async () => {
  const { imports, emulator } = await openHistory()
  emulator.api.refuse('/conversations/')
  for (const created of [3, 0]) {
    const run = await imports.importAll()
    const issues = await imports.issuesOf(run._id)
    expect([
      run.status,
      run.modules['Emails']?.created,
      issues.map(({ code, module }) => [code, module]),
    ]).toEqual(['completed', created, [['MODULE_FORBIDDEN', 'Emails']]])
  }
})

test('contacts that are merged at HubSpot are one customer, with the history of both', async () => {
  const { imports, emulator } = await openHistory()
  const run = await imports.importAll()
  const idsOf = async () => (await imports.customers()).map(({ _id }) => _id)
  const before = await imports.customers()
  const [first, second] = ['501', '502'].map((id) =>
    before.find(({ externalIds }) => externalIds.includes(`hubspot:4711:Contacts:${id}`)),
  )
  const contacts = emulator.api.objects('contacts')
  const merged = contacts.create({
    firstname: 'Ada',
    lastname: 'Foller 0',
    email: 'contact0@example.com',
    hs_merged_object_ids: '501;502',
  })
  for (const id of ['501', '502']) contacts.archive(id)
  for (const _ of [1, 2]) {
    await imports.importAll()
    const customers = await imports.customers()
    expect(customers).toHaveLength(2)
    const joined = customers.find(({ _id }) => _id === first?._id)
    expect(joined).toMatchObject({ status: 'active', mergedFrom: [second?._id] })
    expect(joined?.externalIds).toEqual(
      expect.arrayContaining(['501', '502', merged].map((id) => `hubspot:4711:Contacts:${id}`)),
    )
  }
  const audit = await imports.store.auditLog.list({ page: 1, limit: 10, sort: '-at' })
  expect(audit.rows.filter(({ action }) => action === 'customer.merged')).toMatchObject([
    { actor: { type: 'system' }, target: { _id: first?._id } },
  ])
  // A customer whom a merge has changed stays.
  await imports.undo(run._id)
  expect(await idsOf()).toEqual([first?._id])
})

test('a dry run merges no customers', async () => {
  const { imports, emulator } = await openHistory()
  await imports.importAll()
  emulator.api.objects('contacts').create({ firstname: 'Ada', hs_merged_object_ids: '501;502' })
  await imports.importAll({ dryRun: true })
  expect(await imports.customers()).toHaveLength(3)
})

test('a customer who was erased here stays so in every later import of a HubSpot history', async () => {
  const { imports, emulator } = await openHistory()
  await imports.importAll({}, { importNotes: false })
  const [gone] = (await imports.customers()).filter(({ profile }) => profile.email === 'contact0@example.com')
  const at = new Date().toISOString()
  const erased = (await imports.conversations()).filter(({ customerId }) => customerId === gone?._id)
  for (const { _id: id } of erased)
    await imports.store.commit({ writes: [{ op: 'erase', kind: 'conversations', id, at }], events: [] })
  await imports.store.commit({
    writes: [{ op: 'erase', kind: 'customers', id: gone?._id ?? '', at }],
    events: [],
  })
  emulator.api.threads.create(
    [{ id: 'late', type: 'MESSAGE', text: 'Hello again', isInbound: true, atMs: Date.now() }],
    { ticketId: null, contactId: '501' },
  )
  const run = await imports.importAll()
  expect(run.modules['Contacts']).toMatchObject({ created: 0, skipped: 1 })
  expect(run.modules['Cases']).toMatchObject({ created: 0, skipped: 1 })
  const conversations = await imports.conversations()
  const messages = await Promise.all(conversations.map(({ _id }) => imports.messagesOf(_id)))
  const words = messages.flat().map(({ content }) => content)
  expect(words.filter((content) => /^Mail 0|^Reply 0|^Comment 0|Hello again/.test(content))).toEqual([])
  expect(words.filter((content) => /^Mail|^Reply|^Comment/.test(content))).toHaveLength(6)
})

test('files of a HubSpot history are named where they were, and each record with one is ATTACHMENT_MISSING', async () => {
  const { imports, emulator } = await openHistory()
  emulator.api.objects('emails').update('501', { hs_attachment_ids: '71;72' })
  const files = ['report.pdf', '<b>.png', '']
  const message = {
    id: 'files',
    type: 'MESSAGE',
    text: 'See these',
    isInbound: true,
    atMs: mailMs(5),
    files,
  } as const
  emulator.api.threads.add('9001', message)
  const run = await imports.importAll()
  expect(run.status).toBe('completed')
  const issues = await imports.issuesOf(run._id)
  expect(issues.map(({ code, severity, column }) => [code, severity, column]).sort()).toEqual([
    ['ATTACHMENT_MISSING', 'warning', 'attachments'],
    ['ATTACHMENT_MISSING', 'warning', 'hs_attachment_ids'],
  ])
  const contents = (await wordsOf(imports, 'Ticket 0')).map(({ content }) => content)
  expect(contents).toContain('Mail 0: it is stuck again\n\n[2 files: not in the import]')
  const all = await Promise.all(
    ['Ticket 0', 'Ticket 1', 'Ticket 2'].map((subject) => wordsOf(imports, subject)),
  )
  expect(all.flat().map(({ content }) => content)).toContain(
    'See these\n\n[report.pdf: not in the import]\n[<b>.png: not in the import]\n[a file: not in the import]',
  )
})
