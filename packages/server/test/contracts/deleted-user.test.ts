import { expect, test } from 'vitest'
import { eraseNextOfUser } from '../../src/features/privacy/erase-user-task.ts'
import type { TenantStore } from '../../src/ports/storage.ts'
import { tenantKinds } from '../../src/storage/kinds/derive.ts'
import { kinds, type TenantKind } from '../../src/storage/kinds/registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { readRaw } from '../support/read-raw.ts'
import { openTestDatabase } from '../support/test-world.ts'
import { fileOfKind } from './storage/derived-row.contract.ts'
import { ids } from './storage/sample-values.contract.ts'
import { add, at, insertOf, sample, sampleEvent } from './storage/samples.contract.ts'

const gone = 'usr_gone'
const pseudonym = 'usr_pseudonym'
const bystander = 'usr_bystander'

const mark = (kind: string, field: string) => `xq${kind}${field}qx`

/** The fields of a kind that hold the id of a user, and those that say something about a user alone. */
function fieldsAbout(kind: TenantKind) {
  const fields = Object.entries(kinds[kind].fields)
  return {
    ids: fields.filter(([, { references }]) => references === 'users').map(([name]) => name),
    texts: fields
      .filter(([, { personalData, type }]) => personalData === 'user' && type === 'text')
      .map(([name]) => name),
  }
}

const named = { type: 'user', _id: gone } as const

/** References that a declaration cannot see, because they are inside of objects and lists. */
const nested: Partial<Record<TenantKind, readonly object[]>> = {
  messages: [
    { conversationId: 'con_1', sender: { ...named, name: mark('messages', 'sender') } },
    {
      conversationId: 'con_1',
      sender: { type: 'api', _id: 'key_1', name: null },
      draftedBy: { ...named, name: mark('messages', 'draftedBy') },
    },
  ],
  drafts: [{ conversationId: 'con_1', authorId: gone, author: { ...named, name: mark('drafts', 'author') } }],
  auditLog: [{ actor: named }, { target: named }],
  webhooks: [{ maker: named }],
  inboxes: [{ members: [bystander, gone] }],
  idempotency: [{ subjects: [gone], reply: mark('idempotency', 'reply') }],
  conversations: [{ status: 'closed' }, { status: 'open' }].map((row) => ({ ...row, assignedTo: gone })),
  privacyRequests: [
    { status: 'processing', type: 'deletion' },
    { status: 'pending', type: 'access' },
  ],
}

/** Stores rows of every kind that names a user, and the events about them. */
async function store(tenant: TenantStore): Promise<void> {
  await add(tenant, 'conversations', [{ _id: 'con_1' }])
  for (const kind of tenantKinds) {
    const { ids: references, texts } = fieldsAbout(kind)
    const rows = nested[kind] ?? (references.length + texts.length > 0 ? [{}] : [])
    for (const row of rows) {
      const values = [
        ...references.map((name) => [name, gone]),
        ...texts.map((name) => [name, mark(kind, name)]),
        ...(kind === 'users' ? [['_id', gone]] : []),
      ]
      await add(tenant, kind, [{ ...Object.fromEntries(values), ...row } as never])
    }
  }
  await add(tenant, 'messages', [{ sender: { type: 'user', _id: bystander, name: bystander } }])
  const event = sampleEvent({ type: 'user.updated', about: gone })
  const body = event.body.replace('personal data', mark('events', 'body'))
  await tenant.commit({ writes: [], events: [{ ...event, body }] })
}

const marks = [
  ...tenantKinds.flatMap((kind) => fieldsAbout(kind).texts.map((name) => mark(kind, name))),
  mark('messages', 'sender'),
  mark('messages', 'draftedBy'),
  mark('drafts', 'author'),
  mark('idempotency', 'reply'),
  mark('events', 'body'),
]

/** Ends the membership as an approval does, and does all pages of the task. */
async function deleteUser(tenant: TenantStore): Promise<number> {
  const { tenantId } = tenant
  const subject = { type: 'eraseUser', subjectId: gone, targetId: pseudonym } as const
  const task = sample.tasks(tenantId, { ...subject, requestedAt: at(1) })
  const writes = [
    { op: 'remove', kind: 'users', id: gone, expectVersion: 1 } as const,
    insertOf('tasks', task),
  ]
  await tenant.commit({ writes, events: [] })
  let pages = 0
  for (;;) {
    const change = await eraseNextOfUser({ store: tenant, ids, now: at(9) }, task, async () => [])
    if (change === undefined) break
    await tenant.commit(change)
    pages += 1
  }
  await tenant.commit({
    writes: [{ op: 'remove', kind: 'tasks', id: task._id, expectVersion: 1 }],
    events: [],
  })
  return pages
}

test('the deletion of a user leaves no byte of their id, and of the fields that are declared as a user’s, in the files of the database', async () => {
  const opened = await openTestDatabase()
  const { storage } = opened
  const tenant = storage.forTenant('ten_1' as TenantId)
  await store(tenant)
  let from: string | null = ''
  while (from !== null) from = await storage.system.countLabelDay({ from, before: '9999-01-01' })
  const before = await readRaw(opened)
  const unmarked = 'the row of every kind holds its marks before the deletion'
  expect(
    [gone, ...marks].filter((text) => before.includes(text)),
    unmarked,
  ).toEqual([gone, ...marks])
  expect(await deleteUser(tenant)).toBeGreaterThan(8)
  const { rows } = await tenant.messages.list({ userId: pseudonym, page: 1, limit: 10 })
  expect(rows.map(({ sender }) => sender)).toEqual([{ type: 'user', _id: pseudonym, name: null }])
  const requests = await tenant.privacyRequests.list({ userId: pseudonym, page: 1, limit: 10 })
  expect(requests.rows.map(({ type, status }) => [type, status]).sort()).toEqual([
    ['access', 'cancelled'],
    ['deletion', 'completed'],
  ])
  await storage.close()
  // An erased event says whose it was until its retention ends: contract 6.
  const after = (await readRaw(opened))
    .replaceAll('\\', '')
    .replaceAll(`"data":{"_id":"${gone}","erased":true}`, '')
  const left = `erase-user-task.ts has a page for every kind with fields about users, such as ${fileOfKind('messages')}`
  expect(
    [gone, ...marks].filter((text) => after.includes(text)),
    left,
  ).toEqual([])
  expect(after).toContain(bystander)
  await opened.remove()
})
