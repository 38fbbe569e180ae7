import { expect, test } from 'vitest'
import type { Storage, TenantStore } from '../../src/ports/storage.ts'
import { ownersOf, tenantKinds } from '../../src/storage/kinds/derive.ts'
import type { PersonalData } from '../../src/storage/kinds/fields.ts'
import { kinds } from '../../src/storage/kinds/registry.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { readRaw } from '../support/read-raw.ts'
import { openTestDatabase } from '../support/test-world.ts'
import { add, at, insertOf, sample, sampleEvent } from './storage/samples.contract.ts'

/** Fields about a customer that hold no text that could be marked. */
const withoutText = ['customers.tier', 'customers.status', 'conversations.readAt']

/** No other text in a database looks like it; in small letters, so that folded text holds it too. */
function mark(kind: string, field: string): string {
  return `xq${kind}${field}qx`.toLowerCase()
}

function isCustomers({ personalData }: { personalData: PersonalData }): boolean {
  return personalData === 'customer' || personalData === 'both'
}

const marks = Object.entries(kinds).flatMap(([kind, { fields }]) =>
  Object.entries(fields)
    .filter(([name, field]) => isCustomers(field) && !withoutText.includes(`${kind}.${name}`))
    .map(([field]) => mark(kind, field)),
)
const earlier = 'xqearlierqx'
const guest = 'xqguestqx'
const bystanderText = 'xqbystanderqx'

function found(raw: string, wanted: readonly string[]): string[] {
  return wanted.filter((text) => raw.includes(text))
}

async function store(tenant: TenantStore): Promise<void> {
  const { tenantId } = tenant
  await add(tenant, 'webhooks', [{ _id: 'whk_1', events: ['customer.created'] }])
  const name = mark('customers', 'profile')
  const profile = {
    firstName: name,
    lastName: name,
    email: `${name}@example.com`,
    phone: name,
    company: name,
  }
  const customer = sample.customers(tenantId, {
    _id: 'cus_gone',
    profile,
    jobTitle: earlier,
    tags: [mark('customers', 'tags')],
    externalIds: [mark('customers', 'externalIds')],
    formerExternalIds: [mark('customers', 'formerExternalIds')],
    customFields: { [mark('customers', 'customFields')]: mark('customers', 'customFields') },
    typedEmail: mark('customers', 'typedEmail'),
  })
  await tenant.commit({
    writes: [
      insertOf('customers', customer),
      insertOf('customers', sample.customers(tenantId, { _id: 'cus_kept', jobTitle: bystanderText })),
    ],
    events: [],
  })
  const set = { jobTitle: mark('customers', 'jobTitle') }
  const update = { op: 'update', kind: 'customers', id: 'cus_gone', expectVersion: 1, set } as const
  await tenant.commit({ writes: [update], events: [] })
  const lastMessage = {
    _id: 'msg_last',
    type: 'reply',
    direction: 'inbound',
    senderType: 'customer',
    at: at(1),
    files: 0,
  } as const
  await add(tenant, 'conversations', [
    {
      _id: 'con_gone',
      customerId: 'cus_gone',
      subject: mark('conversations', 'subject'),
      lastMessage: { ...lastMessage, preview: mark('conversations', 'lastMessage') },
      labels: [mark('conversations', 'labels')],
      beforeMerge: {
        status: 'open',
        snoozedUntil: null,
        wakeOnReply: true,
        closedAt: null,
        addedLabels: [mark('conversations', 'beforeMerge')],
      },
      externalIds: [mark('conversations', 'externalIds')],
      page: mark('conversations', 'page'),
      customFields: { [mark('conversations', 'customFields')]: 1 },
      rating: { score: 1, comment: mark('conversations', 'rating'), at: at(1) },
      participants: [
        { address: mark('conversations', 'participants'), name: null, addedAt: at(1), verified: null },
      ],
    },
    // The erased customer has written in the conversation of somebody else.
    { _id: 'con_kept', customerId: 'cus_kept', lastMessage: { ...lastMessage, preview: guest } },
  ])
  const sender = { type: 'customer', _id: 'cus_gone', name: mark('messages', 'sender') } as const
  const noEmail = {
    from: null,
    replyTo: null,
    replyToList: [],
    forwardedFrom: null,
    to: [],
    cc: [],
    bcc: [],
    messageId: null,
    inReplyTo: null,
    date: null,
    verified: null,
    automated: false,
    noAutoReply: false,
    possiblyDoubled: false,
    quoted: [],
    quotedFrom: null,
    truncated: false,
  }
  const recipient = {
    kind: 'to',
    status: 'sent',
    code: 250,
    text: null,
    bouncedAt: null,
    complainedAt: null,
  } as const
  const file = { _id: 'att_1', contentType: 'text/plain', size: 1, url: '/a' }
  await add(tenant, 'messages', [
    {
      _id: 'msg_gone',
      conversationId: 'con_gone',
      sender,
      content: mark('messages', 'content'),
      attachments: [{ ...file, filename: mark('messages', 'attachments') }],
      clientMessageId: mark('messages', 'clientMessageId'),
      externalId: mark('messages', 'externalId'),
      email: { ...noEmail, subject: mark('messages', 'email') },
      recipients: [{ ...recipient, address: mark('messages', 'recipients') }],
      choices: [{ id: 'yes', label: mark('messages', 'choices') }],
      choice: { messageId: 'msg_kept', choiceId: mark('messages', 'choice') },
    },
    { conversationId: 'con_kept', sender, content: guest },
    { conversationId: 'con_kept', content: bystanderText },
  ])
  await add(tenant, 'attachments', [{ messageId: 'msg_gone', filename: mark('attachments', 'filename') }])
  await add(tenant, 'idempotency', [{ subjects: ['cus_gone'], reply: mark('idempotency', 'reply') }])
  const event = sampleEvent({ about: 'cus_gone' })
  const body = event.body.replace('personal data', mark('events', 'body'))
  await tenant.commit({ writes: [], events: [{ ...event, body }] })
}

/** Kinds of which `store` makes rows of its own. Rows of a new kind are derived from its declaration. */
const ownKinds: ReadonlySet<string> = new Set([
  'customers',
  'conversations',
  'messages',
  'attachments',
  'idempotency',
  'events',
])
const ownIds: Readonly<Record<string, string>> = {
  customers: 'cus_gone',
  conversations: 'con_gone',
  messages: 'msg_gone',
}

/** The same value with `text` in place of every text. */
function withText(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text
  if (Array.isArray(value)) return value.map((item) => withText(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withText(item, text)]))
}

/** Stores a row of every other kind that holds a customer's data; each has one erased owner among its owners. */
async function storeOthers(tenant: TenantStore): Promise<void> {
  for (const kind of tenantKinds) {
    const fields = Object.entries(kinds[kind].fields).filter(([, field]) => isCustomers(field))
    if (ownKinds.has(kind) || fields.length === 0) continue
    const row = sample[kind](tenant.tenantId) as unknown as Record<string, unknown>
    const marked = fields.map(([name]) => [name, withText(row[name], mark(kind, name))])
    const owners = ownersOf(kind).map(([owner, column]) => [column, ownIds[owner] ?? `${owner}_gone`])
    const values = { ...Object.fromEntries(marked), ...Object.fromEntries(owners), _id: `${kind}_gone` }
    await add(tenant, kind, [values as never])
  }
}

async function erase(tenant: TenantStore): Promise<void> {
  const subject = { kind: 'customers', id: 'cus_gone', at: at(9) } as const
  await tenant.commit({ writes: [{ op: 'erase', ...subject }], events: [] })
  while ((await tenant.eraseNext({ ...subject, limit: 2 })) > 0);
}

/** Counts the labels of every day, so that the counts hold labels too. */
async function countDays({ system }: Storage): Promise<void> {
  let from: string | null = ''
  while (from !== null) from = await system.countLabelDay({ from, before: '9999-01-01' })
}

test('an erasure leaves no byte of the fields that are declared as a customer’s in the files of the database', async () => {
  const opened = await openTestDatabase()
  const { storage } = opened
  const tenant = storage.forTenant('ten_1' as TenantId)
  await store(tenant)
  await storeOthers(tenant)
  await countDays(storage)
  const before = await readRaw(opened)
  const personal = [...marks, earlier, guest]
  // A declared field without a mark here proves nothing.
  const unmarked = 'the row of every kind holds its marks before the erasure'
  expect(found(before, [...personal, bystanderText]), unmarked).toEqual(
    [...personal, bystanderText].filter((text) => opened.url === undefined || text !== earlier),
  )
  await erase(tenant)
  for (const { task } of await storage.system.listTasks(10)) {
    await tenant.commit({
      writes: [{ op: 'remove', kind: 'tasks', id: task._id, expectVersion: 1 }],
      events: [],
    })
  }
  await storage.close()
  const after = await readRaw(opened)
  const left =
    'every kind with fields of a customer declares in packages/server/src/storage/kinds/ how it is erased'
  expect(found(after, personal), left).toEqual([])
  expect(found(after, [bystanderText])).toEqual([bystanderText])
  await opened.remove()
})
