// Runs on both databases by day: a package is written by commits of many kinds, and undone.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { filesOfHistory, historyOf, png } from '../support/history.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { newPackageTenant, packageOf } from '../support/package-of.ts'
import { useService } from '../support/use-service.ts'

const server = useService()

describe('the import of a package', () => {
  test('writes people, conversations, messages, notes, calls, ratings and files with their authors and times', async () => {
    const tenant = await newPackageTenant(server.url)
    await tenant.putAll(await packageOf({ records: historyOf(tenant.email), files: filesOfHistory }))
    const state = (await tenant.send('GET', `${tenant.path}/package`)).body.data
    expect(state).toMatchObject({ accountId: 'zendesk:acme', missing: [], complete: true })
    // Not in the order of the uploads: the manifest came last.
    const paths: string[] = state.files.map((file: { path: string }) => file.path)
    expect(paths).toEqual(paths.toSorted())
    expect(paths.at(-1)).not.toBe('manifest.json')
    const inbox = (await tenant.send('POST', '/api/v1/inboxes', { name: 'Support' })).body.data
    const started = await tenant.send('POST', `${tenant.path}/import`, { inboxes: { i1: inbox._id } })
    expect(started.status).toBe(202)
    const { run, issues, runPath } = await tenant.finished()
    expect(issues.map((issue: { code: string }) => issue.code).sort()).toEqual([
      'AUTHOR_UNKNOWN',
      'KIND_NOT_SUPPORTED',
    ])
    expect(run).toMatchObject({ status: 'completed', errorCount: 0, balance: { closes: true } })

    const [customer] = await tenant.rows('/api/v1/customers')
    expect(customer).toMatchObject({
      profile: {
        firstName: 'Ada',
        lastName: 'Ruiz',
        email: 'ada@example.com',
        company: 'Analytical Engines',
      },
      tier: 'gold',
      tags: ['vip'],
      blockedAt: expect.any(String),
      customFields: { 'Phone 2': '+4930999999', 'Source URL': 'https://acme.zendesk.com/users/p1' },
      externalIds: ['package:zendesk:acme:people:p1'],
      createdAt: '2025-01-02T03:04:05.000Z',
    })
    expect(customer.customFields).not.toHaveProperty('external')
    const details = (await tenant.send('GET', `/api/v1/customers/${customer._id}`)).body.data
    expect(details.addresses.map(({ address }: { address: string }) => address)).toEqual([
      'ada@example.com',
      'ada.home@example.com',
    ])

    const conversations = await tenant.rows('/api/v1/conversations?sort=createdAt')
    const [c1, c2] = conversations
    expect(c1).toMatchObject({
      subject: 'Printer',
      status: 'open',
      priority: 'high',
      inboxId: inbox._id,
      labels: ['hardware'],
      messageCount: 2,
      seq: 3,
      unread: { count: 0 },
      lastMessageAt: '2025-02-02T10:00:00.000Z',
      firstResponseAt: '2025-02-02T10:00:00.000Z',
      rating: { score: 1, comment: 'Fast' },
      customFields: { 'Status (source)': 'Waiting on us', 'Rating scale': 1 },
      createdAt: '2025-02-01T10:00:00.000Z',
    })
    expect(c2).toMatchObject({
      status: 'closed',
      closedAt: '2025-03-02T10:00:00.000Z',
      previousConversationId: c1._id,
    })
    const messages = await tenant.rows(`/api/v1/conversations/${c1._id}/messages?sort=createdAt`)
    const [m1, m2, n1] = messages
    expect(m1).toMatchObject({
      direction: 'inbound',
      sender: { type: 'customer', _id: customer._id, name: 'Ada Ruiz' },
      createdAt: '2025-02-01T10:00:00.000Z',
      email: { messageId: 'first@example.com' },
    })
    expect(m1.content).toContain('<b>smokes</b>')
    expect(m1.content).not.toContain('script')
    expect(m1.content).toContain(`src="/api/v1/attachments/${m1.attachments[0]._id}"`)
    expect(m2).toMatchObject({
      direction: 'outbound',
      status: 'sent',
      sender: { type: 'user', _id: tenant.user._id, name: 'Olive Owner' },
      recipients: [{ address: 'ada@example.com', status: 'sent' }],
    })
    expect(n1).toMatchObject({
      type: 'note',
      sender: { type: 'user', _id: null, name: 'Former Fred' },
      content: 'Sent a technician',
    })
    const download = (id: string) =>
      fetch(`${server.url}/api/v1/attachments/${id}`, {
        headers: { authorization: `Bearer ${tenant.token}` },
      })
    const bytes = Buffer.from(await (await download(m1.attachments[0]._id)).arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      createHash('sha256').update(png).digest('hex'),
    )
    for (const { _id } of [m1.attachments[1], m2.attachments[0]])
      expect(await (await download(_id)).text()).toBe('a report')
    expect(m2.attachments[0]).toMatchObject({ filename: 'copy.txt', size: 8 })
    const [call1] = await tenant.rows('/api/telephony/calls')
    expect(call1).toMatchObject({ agentId: tenant.user._id, customerId: customer._id, durationSeconds: 60 })
    expect(await tenant.rows('/api/v1/suppressed-addresses')).toMatchObject([{ address: 'gone@example.com' }])
    const events = await tenant.rows('/api/v1/events')
    expect(events.map(({ event }: { event: string }) => event)).toEqual(['user.created'])

    const sheet = await tenant.send('GET', `${tenant.path}/imports/${run._id}/count-sheet`)
    const rows = JSON.parse(sheet.body) as {
      kind: string
      month: string | null
      package: number
      here: number
    }[]
    expect(rows.filter((row) => row.package !== row.here).map(({ kind }) => kind)).toEqual([
      'agents',
      'organisations',
    ])
    expect(rows).toContainEqual({
      kind: 'conversations',
      month: '2025-02',
      source: 1,
      package: 1,
      here: 1,
      differences: [],
    })
    const csv = await tenant.send('GET', `${runPath}/count-sheet?format=csv`)
    expect(csv.body).toContain('kind,month,source,package,here,differences')
  })

  test('a second import of it changes nothing, and an undo leaves nothing', async () => {
    const tenant = await newPackageTenant(server.url)
    await tenant.putAll(await packageOf({ records: historyOf(tenant.email), files: filesOfHistory }))
    await tenant.send('POST', `${tenant.path}/import`, {})
    const first = await tenant.finished()
    expect(first.run.modules.messages).toMatchObject({ created: 3, read: 3, total: 3, done: true })
    await tenant.send('POST', `${tenant.path}/import`, {})
    const second = await tenant.finished()
    for (const kind of ['people', 'conversations', 'messages', 'notes', 'calls', 'ratings', 'suppressions'])
      expect([kind, second.run.modules[kind].created, second.run.modules[kind].updated]).toEqual([kind, 0, 0])
    expect(second.run.balance.closes).toBe(true)
    for (const { runPath } of [second, first]) {
      expect((await tenant.send('POST', `${runPath}/undo`)).status).toBe(202)
      expect((await tenant.finished()).run.undo.kept ?? 0).toBe(0)
    }
    for (const list of ['v1/customers', 'v1/conversations', 'telephony/calls', 'v1/suppressed-addresses'])
      expect([list, await tenant.rows(`/api/${list}`)]).toEqual([list, []])
    const inboxes = await tenant.rows('/api/v1/inboxes')
    expect(inboxes.map(({ name }: { name: string }) => name)).not.toContain('Imported (zendesk)')
  })

  test('prepared replies become canned replies once, beside those of the team, and an undo leaves them', async () => {
    const tenant = await newPackageTenant(server.url)
    const list = '/api/v1/canned-replies'
    const own = { shortcut: 'refund', title: 'Our refund', content: 'By us' }
    await tenant.send('POST', list, own)
    const replies = [
      { id: 'r1', title: 'Greeting', content: 'Dear {{ticket.requester.first_name}}, {{dc.hours}}' },
      { id: 'r2', title: 'Refund', content: '<p>We <b>refund</b> it</p>', contentType: 'html' },
      { id: 'r3', title: 'Nothing', content: '<br>', contentType: 'html' },
      { id: 'r4', title: 'Refund', content: 'A second one' },
    ]
    await tenant.putAll(await packageOf({ records: { replies } }))
    await tenant.send('POST', `${tenant.path}/import`, {})
    const { run, issues, runPath } = await tenant.finished()
    expect(run).toMatchObject({
      status: 'completed_with_errors',
      modules: { replies: { created: 3, failed: 1 } },
      balance: { closes: true },
    })
    expect(issues.map(({ code }: { code: string }) => code).sort()).toEqual([
      'INVALID_RECORD',
      'INVALID_VALUE',
    ])
    const shown = async () =>
      (await tenant.rows(list)).map((row: Record<string, string>) => [row['shortcut'], row['content']])
    const imported = [
      ['greeting', 'Dear {{customer.firstName}}, [dc.hours]'],
      ['refund', 'By us'],
      ['refund-2', 'We refund it'],
      ['refund-3', 'A second one'],
    ]
    expect(await shown()).toEqual(imported)
    await tenant.send('POST', `${tenant.path}/import`, {})
    expect((await tenant.finished()).run.modules.replies).toMatchObject({ created: 0, unchanged: 3 })
    const second = (await tenant.rows(list)).find(
      ({ shortcut }: { shortcut: string }) => shortcut === 'refund-3',
    )
    await tenant.send('PUT', `${list}/${second._id}`, { content: 'Ours now' })
    await tenant.send('POST', `${tenant.path}/import`, {})
    const third = await tenant.finished()
    expect(third.run.modules.replies).toMatchObject({ created: 0, unchanged: 2, skipped: 1 })
    expect(third.issues.map(({ code }: { code: string }) => code)).toContain('CONFLICT_KEPT')
    imported[3] = ['refund-3', 'Ours now']
    expect((await tenant.send('POST', `${runPath}/undo`)).status).toBe(202)
    expect(await shown()).toEqual(imported)
  })

  test('a dry run counts the same and writes nothing', async () => {
    const tenant = await newPackageTenant(server.url)
    await tenant.putAll(await packageOf({ records: historyOf(tenant.email) }))
    await tenant.send('POST', `${tenant.path}/import`, { dryRun: true })
    const { run } = await tenant.finished()
    expect(run).toMatchObject({ status: 'completed', balance: { closes: true } })
    expect(run.modules.conversations.created).toBe(2)
    expect(await tenant.rows('/api/v1/customers')).toEqual([])
  })

  test('names what is not imported as it is: missing parents, repeated ids, unknown fields, missing bytes', async () => {
    const tenant = await newPackageTenant(server.url)
    const { conversations, messages } = historyOf('nobody@example.com')
    const files = await packageOf({
      records: {
        conversations: [conversations[1], { ...conversations[1], subject: 'again' }],
        messages: [
          { ...messages[2], attachmentIds: ['lost'] },
          { ...messages[0], attachmentIds: [] },
        ],
        attachments: [{ id: 'lost', filename: 'lost.pdf', size: 5, sha256: null, missing: '404' }],
      },
      leftOut: [{ kind: 'messages', count: 7, reason: 'only the newest 500 parts' }],
    })
    await tenant.putAll(files)
    await tenant.send('POST', `${tenant.path}/import`, {})
    const { run, issues, runPath } = await tenant.finished()
    expect(run).toMatchObject({ status: 'completed_with_errors', balance: { closes: true } })
    const codes = issues.map(({ module, code }: { module: string; code: string }) => `${module} ${code}`)
    expect(codes.sort()).toEqual([
      'attachments ATTACHMENT_MISSING',
      'conversations DUPLICATE_ID',
      'conversations MISSING_REFERENCE',
      'conversations MISSING_REFERENCE',
      'messages AUTHOR_UNKNOWN',
      'messages PARENT_MISSING',
    ])
    const [conversation] = await tenant.rows('/api/v1/conversations')
    const [message] = await tenant.rows(`/api/v1/conversations/${conversation._id}/messages`)
    expect(message.content).toBe('Gone\n\n[lost.pdf: not in the import]')
    const rows = JSON.parse((await tenant.send('GET', `${runPath}/count-sheet`)).body)
    expect(rows).toContainEqual({
      kind: 'messages',
      month: '2025-02',
      source: 1,
      package: 1,
      here: 0,
      differences: [{ id: 'm1', code: 'PARENT_MISSING' }],
    })
    expect(rows).toContainEqual({
      kind: 'messages',
      month: null,
      source: 7,
      package: 0,
      here: 0,
      differences: [{ id: null, code: 'only the newest 500 parts' }],
    })
  })
})

describe('the files of a package', () => {
  test('a start needs all files of the manifest, and a run keeps them as they are', async () => {
    const tenant = await newPackageTenant(server.url)
    const files = await packageOf({ records: historyOf('a@example.com') })
    const manifest = files.get('manifest.json') as Buffer<ArrayBuffer>
    const people = files.get('people-0001.ndjson') as Buffer<ArrayBuffer>
    expect((await tenant.put('manifest.json', manifest)).status).toBe(201)
    const early = await tenant.send('POST', `${tenant.path}/import`, {})
    expect([early.status, early.body.details[0]]).toMatchObject([
      422,
      { field: 'package', rule: 'incomplete' },
    ])
    await tenant.putAll(files)
    expect(await tenant.put('people-0001.ndjson', people)).toMatchObject({
      status: 200,
      body: { data: { path: 'people-0001.ndjson', size: people.length } },
    })
    const unknown = await tenant.send('POST', `${tenant.path}/import`, { inboxes: { i1: 'inb_none' } })
    expect([unknown.status, unknown.body.details[0]]).toMatchObject([
      422,
      { field: 'inboxes.i1', rule: 'reference' },
    ])
    await tenant.send('POST', `${tenant.path}/import`, {})
    await tenant.finished()
    expect((await tenant.put('people-0001.ndjson', Buffer.from('{}\n'))).status).toBe(409)
    const next = await packageOf({ records: { people: [{ id: 'p9', name: 'New' }] } })
    expect((await tenant.put('manifest.json', next.get('manifest.json') as Buffer<ArrayBuffer>)).status).toBe(
      201,
    )
    const state = (await tenant.send('GET', `${tenant.path}/package`)).body.data
    expect(state).toMatchObject({ missing: ['people-0001.ndjson'], complete: false })
    expect((await tenant.send('DELETE', `${tenant.path}/package`)).status).toBe(200)
    const empty = (await tenant.send('GET', `${tenant.path}/package`)).body.data
    expect(empty).toEqual({ accountId: null, files: [], missing: ['manifest.json'], complete: false })
  })

  test('a question that names some files gets those of them that are here, and no others', async () => {
    const tenant = await newPackageTenant(server.url)
    await tenant.putAll(await packageOf({ records: { people: [{ id: 'p1', name: 'Ada' }] } }))
    const named = async (query: string) => {
      const { status, body } = await tenant.send('GET', `${tenant.path}/package?${query}`)
      return [status, body.data?.files.map(({ path }: { path: string }) => path), body.data?.complete]
    }
    expect(await named('paths=labels-0001.ndjson')).toEqual([200, [], true])
    expect(await named('paths=people-0001.ndjson,labels-0001.ndjson&paths=people-0001.ndjson')).toEqual([
      200,
      ['people-0001.ndjson'],
      true,
    ])
    expect(await named('')).toEqual([200, ['manifest.json', 'people-0001.ndjson'], true])
    const [status] = await named(`paths=${Array.from({ length: 101 }, (_, n) => `x${n}`).join(',')}`)
    expect(status).toBe(422)
  })

  test('names that no package has, other bytes than a digest says, and manifests of another account are refused', async () => {
    const tenant = await newPackageTenant(server.url)
    const refusalOf = async (name: string, text: string | Uint8Array<ArrayBuffer>) => {
      const { status, body } = await tenant.put(name, Buffer.from(text))
      return [status, body.details?.[0]?.field, body.details?.[0]?.rule]
    }
    expect(await refusalOf('../people-0001.ndjson', 'x')).not.toContain(201)
    expect(await refusalOf('secrets.ndjson', 'x')).toEqual([422, 'path', 'name'])
    expect(await refusalOf(`bytes/ab/${'ab'.padEnd(64, '0')}`, 'x')).toEqual([422, 'path', 'sha256'])
    expect(await refusalOf('manifest.json', '{"version":"2.0"}')).toEqual([422, 'manifest', 'version'])
    const manifestOf = async (account: string) =>
      (await packageOf({ records: {}, account })).get('manifest.json') as Buffer<ArrayBuffer>
    expect((await tenant.put('manifest.json', await manifestOf('acme'))).status).toBe(201)
    expect(await refusalOf('manifest.json', await manifestOf('other'))).toEqual([422, 'manifest', 'account'])
    const second = (await tenant.send('POST', '/api/extcrm/integrations', { provider: 'package' })).body.data
    const taken = await call(server.url, {
      method: 'PUT',
      path: `/api/extcrm/integrations/${second._id}/package/manifest.json`,
      token: tenant.token,
      rawBody: await manifestOf('acme'),
    })
    expect([taken.status, taken.body.code]).toEqual([409, 'CONFLICT'])
  })
})

test('a reply by mail to an imported message joins its conversation, where its sender takes part; a stranger begins a new one', async () => {
  const mail = await makeMailInbox(server)
  const tenant = await newPackageTenant(server.url, mail.owner)
  const { people, conversations, messages } = historyOf(tenant.email)
  const [first, second] = messages
  const records = {
    inboxes: [{ id: 'i1', name: 'Support' }],
    people,
    conversations: [conversations[0]],
    messages: [
      { ...first, attachmentIds: [] },
      { ...second, attachmentIds: [] },
    ],
  }
  await tenant.putAll(await packageOf({ records }))
  await tenant.send('POST', `${tenant.path}/import`, { inboxes: { i1: mail.inboxId } })
  await tenant.finished()
  const [conversation] = await tenant.rows('/api/v1/conversations')
  // A blocked customer's mail is ignored.
  await tenant.send('POST', `/api/v1/customers/${conversation.customerId}/unblock`)
  const headers = ['In-Reply-To: <reply@acme.example>']
  const joined = await mail.receive({ from: 'Ada <ada.home@example.com>', headers })
  expect(joined).toMatchObject({ status: 'processed', conversationId: conversation._id })
  const other = await mail.receive({ from: 'Eve <eve@example.com>', headers })
  expect(other['conversationId']).not.toBe(conversation._id)
  const after = (await tenant.send('GET', `/api/v1/conversations/${conversation._id}`)).body.data
  expect([after.messageCount, after.unread.count]).toEqual([3, 1])
})
