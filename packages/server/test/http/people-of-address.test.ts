import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '../support/call.ts'
import { deliveryReport } from '../support/delivery-report.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { signUser, switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

// Each door that knows a person by an address knows the same person.

const service = useService()
let inbox: MailInbox
beforeEach(async () => {
  inbox = await makeMailInbox(service)
})

const customerOf = async (id: string) => (await inbox.ask('GET', `/api/v1/customers/${id}`)).body.data
const create = async (fields: object): Promise<string> =>
  (await inbox.ask('POST', '/api/v1/customers', { firstName: 'Person', ...fields })).body.data._id
const set = async (id: string, fields: object) =>
  (await inbox.ask('PUT', `/api/v1/customers/${id}`, fields)).body.data
const block = async (id: string) =>
  expect((await inbox.ask('POST', `/api/v1/customers/${id}/block`)).status).toBe(200)
const merge = async (id: string, sourceId: string) =>
  expect((await inbox.ask('POST', `/api/v1/customers/${id}/merge`, { sourceId })).status).toBe(200)
const ownerOf = async (conversationId = '') =>
  (await inbox.conversationOf(conversationId)).customerId?._id ?? null

/** A conversation of Lea, and the signed address of a reply that has the others in copy. */
async function conversationWith(cc: string[]) {
  const { conversationId = '' } = await inbox.receive({ from: 'Lea <lea@people.test>' })
  const sent = await inbox.reply(conversationId, { to: ['lea@people.test'], cc })
  return { conversationId, replyTo: sent.body.data.email.replyTo as string }
}

async function importPeople(text: string) {
  const base = '/api/extcrm/integrations'
  const path = `${base}/${(await inbox.ask('POST', base, { provider: 'file' })).body.data._id}`
  const form = { module: 'Contacts', file: new File([text], 'people.csv') }
  await call(service.url, { method: 'POST', path: `${path}/files`, token: inbox.owner.token, form })
  await inbox.ask('POST', `${path}/import`, {})
  const status = async () => (await inbox.ask('GET', `${path}/import/status`)).body.data
  await expect.poll(async () => (await status()).syncStatus).toBe('idle')
  const { run } = await status()
  const undo = async () => {
    expect((await inbox.ask('POST', `${path}/imports/${run._id}/undo`)).status).toBe(202)
    await expect.poll(async () => (await status()).run.undo.status).toBe('done')
  }
  return { counts: run.modules.Contacts, undo }
}

async function newWidget() {
  const widget = await switchWidgetOn(service.url, inbox.owner.token)
  const path = `/api/v1/inboxes/${widget.inboxId}/widget-secret`
  const { secret } = (await inbox.ask('POST', path, {})).body.data
  const signIn = async (email: string) => {
    const visitor = new WidgetVisitor(service.url)
    const userToken = signUser(secret, { sub: randomUUID(), email })
    const begun = await visitor.begin(widget.key, { userToken })
    return { visitor, id: begun.body.data.customer._id as string }
  }
  const type = async (email: string) => {
    const visitor = new WidgetVisitor(service.url)
    await visitor.begin(widget.key, { profile: { firstName: 'Visitor', email } })
    const conversation = await visitor.ask('Hello')
    return { visitor, conversationId: conversation._id as string, id: await ownerOf(conversation._id) }
  }
  return { signIn, type }
}

describe('a mail', () => {
  it('in the conversation of somebody else is that of the customer who wrote it, in the export and after an erasure too', async () => {
    const moe = await create({ email: 'moe@people.test' })
    const { conversationId, replyTo } = await conversationWith(['moe@people.test'])
    const lea = await ownerOf(conversationId)
    const mail = await inbox.receive({ from: 'Moe <Moe@people.test>', to: replyTo, text: 'Words of Moe' })
    expect(mail['conversationId']).toBe(conversationId)
    const message = await inbox.messageOf(mail['messageId'] ?? '')
    expect(message.sender).toEqual({ type: 'customer', _id: moe, name: 'Moe' })
    expect(await ownerOf(conversationId)).toBe(lea)
    const exported = await fetch(`${service.url}/api/v1/customers/${moe}/export?format=json`, {
      headers: { Authorization: `Bearer ${inbox.owner.token}` },
    })
    expect(await exported.text()).toContain('Words of Moe')
    expect((await inbox.ask('DELETE', `/api/v1/customers/${moe}`)).status).toBe(200)
    expect((await inbox.ask('GET', `/api/v1/messages/${message._id}`)).status).toBe(404)
    expect(await ownerOf(conversationId)).toBe(lea)
  })

  it('that joins a conversation makes no customer, and a forged one names no customer', async () => {
    const moe = await create({ email: 'moe@people.test' })
    const { replyTo } = await conversationWith(['moe@people.test', 'new@people.test'])
    const stranger = await inbox.receive({ from: 'new@people.test', to: replyTo })
    const headers = ['Authentication-Results: mx.acme.test; dmarc=fail header.from=people.test']
    const forged = await inbox.receive({ from: 'moe@people.test', to: replyTo, headers })
    for (const mail of [stranger, forged])
      expect((await inbox.messageOf(mail['messageId'] ?? '')).sender._id).toBeNull()
    const { data } = (await inbox.ask('GET', '/api/v1/customers?sort=createdAt')).body
    expect(data).toHaveLength(2)
    expect(data[0]._id).toBe(moe)
  })

  it('from a second address of the customer joins as theirs, and begins no other person', async () => {
    await importPeople('Id,Last Name,Email,Secondary Email\n1,Ada,ada@work.test,ada@home.test\n')
    const [ada] = (await inbox.ask('GET', '/api/v1/customers')).body.data
    const begun = await inbox.receive({ from: 'ada@home.test' })
    expect(await ownerOf(begun['conversationId'])).toBe(ada._id)
    const { email } = (await inbox.reply(begun['conversationId'])).body.data
    // Replies go to the profile's address, never to a second one.
    expect(email.to.map(({ address }: { address: string }) => address)).toEqual(['ada@work.test'])
    const joined = await inbox.receive({ from: 'ada@home.test', to: email.replyTo })
    expect((await inbox.messageOf(joined['messageId'] ?? '')).sender._id).toBe(ada._id)
    expect((await inbox.conversationOf(begun['conversationId'])).participants ?? []).toEqual([])
  })

  it('from a former address begins a new person: a corrected typing error belongs to somebody else', async () => {
    const ada = await create({ email: 'dda@people.test' })
    await set(ada, { email: 'ada@people.test' })
    const { conversationId } = await inbox.receive({ from: 'dda@people.test' })
    expect(await ownerOf(conversationId)).not.toBe(ada)
  })
})

describe('a block', () => {
  it('stays for an address that was changed, until somebody else has it', async () => {
    const eve = await create({ email: 'eve-old@people.test' })
    await block(eve)
    await set(eve, { email: 'eve-new@people.test' })
    for (const from of ['eve-old@people.test', 'eve-new@people.test'])
      expect((await inbox.receive({ from }))['reason']).toBe('blocked')
    const mail = await inbox.receive({ from: 'eve-old@people.test' })
    const again = await inbox.ask('POST', `/api/v1/inbound-mails/${mail['_id']}/process-again`)
    expect([again.status, again.body.code]).toEqual([409, 'INVALID_STATE'])
    const owner = await create({ email: 'eve-old@people.test' })
    const { conversationId } = await inbox.receive({ from: 'eve-old@people.test' })
    expect(await ownerOf(conversationId)).toBe(owner)
  })

  it('stays for the address of a blocked customer who was merged into another one', async () => {
    const [fay, gil] = [
      await create({ email: 'fay@people.test' }),
      await create({ email: 'gil@people.test' }),
    ]
    await block(fay)
    await merge(gil, fay)
    expect((await customerOf(gil)).addresses).toMatchObject([
      { address: 'gil@people.test', until: null, source: 'profile' },
      { address: 'fay@people.test', until: null, source: 'merged' },
    ])
    expect((await inbox.receive({ from: 'fay@people.test' }))['reason']).toBe('blocked')
  })

  it('of one of two customers with one address holds at the mail door and in a signed chat', async () => {
    const [one, two] = [
      await create({ email: 'two@people.test' }),
      await create({ email: 'one@people.test' }),
    ]
    const { signIn } = await newWidget()
    const { visitor, id } = await signIn('one@people.test')
    expect(id).toBe(two)
    await set(one, { email: 'one@people.test' })
    await block(one)
    expect((await inbox.receive({ from: 'one@people.test' }))['reason']).toBe('blocked')
    const body = { message: 'Hello', clientMessageId: randomUUID() }
    const sent = await visitor.send('POST', '/api/v1/widget/conversations', body)
    expect([sent.status, sent.body.code]).toEqual([409, 'INVALID_STATE'])
  })
})

describe('an address that a visitor typed', () => {
  it('finds nobody for a mail, an import, a sign-in or a block, and has no row', async () => {
    const { type, signIn } = await newWidget()
    const visitor = (await type('victim@people.test')).id ?? ''
    expect((await customerOf(visitor)).addresses).toEqual([])
    await block(visitor)
    const { conversationId } = await inbox.receive({ from: 'victim@people.test' })
    const victim = await ownerOf(conversationId)
    expect(victim).not.toBe(visitor)
    const { counts } = await importPeople('Id,Last Name,Email\n1,Victim,victim@people.test\n')
    expect(counts).toMatchObject({ merged: 1, created: 0 })
    expect((await customerOf(victim)).profile.lastName).toBe('Victim')
    expect((await signIn('victim@people.test')).id).toBe(victim)
  })

  it('hides nobody, however often it is typed', async () => {
    const victim = await create({ email: 'victim@people.test' })
    await inbox.store.commit({
      writes: Array.from({ length: 120 }, (_, index) => {
        const profile = {
          firstName: 'V',
          lastName: null,
          email: 'victim@people.test',
          phone: null,
          company: null,
        }
        const at = new Date(index).toISOString()
        return {
          op: 'insert',
          kind: 'customers',
          row: {
            _id: `cus_typed_${index}`,
            tenantId: inbox.store.tenantId,
            profile,
            jobTitle: null,
            tier: 'bronze',
            status: 'active',
            tags: [],
            customFields: {},
            externalIds: [],
            typedEmail: 'victim@people.test',
            createdAt: at,
            updatedAt: at,
          },
        } as const
      }),
      events: [],
    })
    const { conversationId } = await inbox.receive({ from: 'victim@people.test' })
    expect(await ownerOf(conversationId)).toBe(victim)
  })

  it('is the visitor’s own once a verified mail comes from it', async () => {
    const { type } = await newWidget()
    const { id, conversationId } = await type('guest@people.test')
    await inbox.ask('PUT', `/api/v1/conversations/${conversationId}`, { channel: 'email' })
    const sent = await inbox.reply(conversationId, { to: ['guest@people.test'] })
    const { replyTo } = sent.body.data.email
    const plain = await inbox.receive({ from: 'guest@people.test', to: replyTo })
    expect((await inbox.messageOf(plain['messageId'] ?? '')).sender._id).toBe(id)
    expect((await customerOf(id ?? '')).addresses).toEqual([])
    const headers = ['Authentication-Results: mx.acme.test; dmarc=pass header.from=people.test']
    await inbox.receive({ from: 'guest@people.test', to: replyTo, headers })
    expect((await customerOf(id ?? '')).addresses).toMatchObject([{ address: 'guest@people.test' }])
  })
})

describe('the register of addresses', () => {
  it('shows since when and until when an address was the customer’s, and forgets nothing by going back', async () => {
    const ada = await create({ email: 'Ada@one.test' })
    const { createdAt } = await customerOf(ada)
    const two = await set(ada, { email: 'ada@two.test' })
    const cleared = await set(ada, { email: null })
    expect((await customerOf(ada)).addresses).toEqual([
      { address: 'ada@two.test', since: two.updatedAt, until: cleared.updatedAt, source: 'changed' },
      { address: 'ada@one.test', since: createdAt, until: two.updatedAt, source: 'changed' },
    ])
    await set(ada, { email: 'ada@one.test' })
    expect((await customerOf(ada)).addresses).toMatchObject([
      { address: 'ada@one.test', since: createdAt, until: null, source: 'profile' },
      { address: 'ada@two.test', until: cleared.updatedAt },
    ])
  })

  it('loses with an undo what the import added, and all of a customer that it removes', async () => {
    const ada = await create({ email: 'ada@one.test' })
    const text =
      'Id,Last Name,Email,Secondary Email\n1,Ada,ada@one.test,ada@two.test\n2,Bob,bob@one.test,bob@two.test\n'
    const { undo } = await importPeople(text)
    expect((await customerOf(ada)).addresses).toMatchObject([
      {},
      { address: 'ada@two.test', source: 'import' },
    ])
    await undo()
    expect((await customerOf(ada)).addresses).toMatchObject([{ address: 'ada@one.test' }])
    expect((await customerOf(ada)).addresses).toHaveLength(1)
    for (const address of ['ada@two.test', 'bob@two.test'])
      expect(await inbox.store.customerAddresses.listByAddress({ addresses: [address], limit: 9 })).toEqual(
        [],
      )
  })

  it('makes a merge at the same moment as a change lose no address', async () => {
    const [fay, gil] = [await create({ email: 'fay@one.test' }), await create({ email: 'gil@one.test' })]
    await Promise.all([
      inbox.ask('POST', `/api/v1/customers/${gil}/merge`, { sourceId: fay }),
      inbox.ask('PUT', `/api/v1/customers/${fay}`, { email: 'fay@two.test' }),
      inbox.ask('PUT', `/api/v1/customers/${gil}`, { email: 'gil@two.test' }),
    ])
    const all = (await customerOf(gil)).addresses.map(({ address }: { address: string }) => address)
    expect(all).toEqual(expect.arrayContaining(['gil@two.test', 'gil@one.test', 'fay@one.test']))
  })
})

it('a report about an address suppresses it for the only customer who has it, else for nobody', async () => {
  const moe = await create({ email: 'moe@people.test' })
  for (const name of ['Hal', 'Ida']) await create({ firstName: name, email: 'shared@people.test' })
  const { conversationId } = await inbox.receive({ from: 'Lea <lea@people.test>' })
  const sent = await inbox.reply(conversationId, { to: ['moe@people.test', 'shared@people.test'] })
  for (const recipient of ['moe@people.test', 'shared@people.test'])
    await inbox.deliver(deliveryReport({ recipient, messageId: sent.body.data.email.messageId }))
  const { data } = (await inbox.ask('GET', '/api/v1/suppressed-addresses')).body
  const owners = new Map(
    (data as { address: string; customerId: string | null }[]).map((row) => [row.address, row.customerId]),
  )
  expect(owners).toEqual(
    new Map([
      ['moe@people.test', moe],
      ['shared@people.test', null],
    ]),
  )
})

it('the addresses of a merged customer are shown from the one that is theirs most recently to the oldest', async () => {
  const [kept, merged] = [await create({}), await create({ email: 'a0@people.test' })]
  for (let n = 1; n <= 7; n++) await set(merged, { email: `a${n}@people.test` })
  await merge(kept, merged)
  const [, ...others] = (await customerOf(kept)).addresses
  const since = others.map((one: { since: string }) => one.since)
  expect(since).toHaveLength(7)
  expect(since).toEqual(since.toSorted().toReversed())
})
