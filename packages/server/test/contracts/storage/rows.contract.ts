import { describe, expect, test } from 'vitest'
import { UniqueConflict, VersionConflict } from '../../../src/storage/errors.ts'
import { addressUseId } from '../../../src/storage/rules/address-uses.ts'
import { type Open, rejection, useSharedStorage } from './harness.contract.ts'
import { add, at, insertOf, sample, sampleAttempt, sampleEvent } from './samples.contract.ts'

const mailOf = {
  replyTo: null,
  replyToList: [],
  forwardedFrom: null,
  bcc: [],
  subject: null,
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

export function describeRoundTrips(open: Open): void {
  describe('round trips', () => {
    const harness = useSharedStorage(open)
    const found = (row: object, version = 1) => ({ ...row, version })

    test('tenants and identities are read as they were stored', async () => {
      const { id } = harness.newTenant()
      const { system } = harness.storage
      const [tenant, identity] = [sample.tenants(id), sample.identities(id)]
      await system.commit(id, {
        writes: [insertOf('tenants', tenant), insertOf('identities', identity)],
        events: [],
      })
      expect(await system.hasTenants()).toBe(true)
      expect(await system.findTenant(id)).toStrictEqual({ ...found(tenant), tenantId: id })
      expect(await system.findIdentity(identity._id)).toStrictEqual(found(identity))
      expect(await system.listIdentitiesByEmail(identity.email)).toStrictEqual([found(identity)])
      expect(await system.listIdentitiesByEmail('nobody@example.com')).toEqual([])
      expect(await system.findTenant('ten_nobody')).toBeUndefined()
      expect(await system.findTenants([id, 'ten_nobody', ''])).toStrictEqual([
        { ...found(tenant), tenantId: id },
      ])
      expect(await system.findTenants([])).toEqual([])
    })

    test('an e-mail has one first identity and any number of separate ones; the four oldest are listed, oldest first', async () => {
      const { id } = harness.newTenant()
      const { system } = harness.storage
      const email = 'several@example.com'
      const made = [5, 2, 4, 1, 3].map((second) =>
        sample.identities(id, { email, createdAt: at(second), ...(second > 1 && { isSeparate: true }) }),
      )
      await system.commit(id, { writes: made.map((row) => insertOf('identities', row)), events: [] })
      const listed = await system.listIdentitiesByEmail(email)
      expect(listed.map(({ createdAt }) => createdAt)).toEqual([1, 2, 3, 4].map(at))
      const first = listed[0]!
      const again = { writes: [insertOf('identities', sample.identities(id, { email }))], events: [] }
      expect(await rejection(system.commit(id, again))).toMatchObject({ key: 'firstOfEmail' })
      const remove = { op: 'remove', kind: 'identities', id: first._id, expectVersion: 1 } as const
      await system.commit(id, { writes: [remove], events: [] })
      await system.commit(id, again)
      expect(await system.listIdentitiesByEmail(email)).toHaveLength(4)
    })

    test('tenants are listed in the order of their ids, page by page', async () => {
      const { system } = harness.storage
      const ids = Array.from({ length: 5 }, () => harness.newTenant().id)
      for (const id of ids)
        await system.commit(id, { writes: [insertOf('tenants', sample.tenants(id))], events: [] })
      const found: string[] = []
      for (let after = ''; ; ) {
        const page = await system.listTenants({ after, limit: 2 })
        expect(page.length).toBeLessThanOrEqual(2)
        for (const { _id, tenantId } of page) expect(tenantId).toBe(_id)
        found.push(...page.map(({ _id }) => _id))
        if (page.length === 0) break
        after = found.at(-1) ?? ''
      }
      expect(found).toEqual([...new Set(found)].sort())
      expect(found).toEqual(expect.arrayContaining(ids))
    })

    test('the user with an e-mail is found in the given tenant, and in no other', async () => {
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      const { system } = harness.storage
      const [user] = await add(a.store, 'users', [{ emailNormalized: 'member@example.com' }])
      const email = 'member@example.com'
      expect(await system.listMembers({ tenantId: a.id, email })).toStrictEqual([
        { tenantId: a.id, user: found(user!) },
      ])
      expect(await system.listMembers({ tenantId: b.id, email })).toEqual([])
      expect(await system.listMembers({ tenantId: 'ten_nobody', email })).toEqual([])
      expect(await system.listMembers({ tenantId: a.id, email: 'other@example.com' })).toEqual([])
    })

    test('a row under the key of an earlier version is found by every spelling of its e-mail', async () => {
      const { id, store } = harness.newTenant()
      const { system } = harness.storage
      const [old, ascii] = ['form@bücher.example', 'form@xn--bcher-kva.example']
      const users = await add(store, 'users', [{ emailNormalized: old }, { emailNormalized: ascii }])
      const identities = [old, ascii].map((email) => sample.identities(id, { email }))
      await system.commit(id, { writes: identities.map((row) => insertOf('identities', row)), events: [] })
      for (const email of [old, ascii, 'Form@BÜCHER.example']) {
        const members = await system.listMembers({ tenantId: id, email })
        expect(members.map(({ user }) => user._id).sort()).toEqual(users.map(({ _id }) => _id).sort())
        const found = await system.listIdentitiesByEmail(email)
        expect(found.map(({ _id }) => _id).sort()).toEqual(identities.map(({ _id }) => _id).sort())
      }
    })

    test('a session is found by its id alone, with its tenant', async () => {
      const { id, store } = harness.newTenant()
      const { system } = harness.storage
      const [session] = await add(store, 'sessions', [{}])
      expect(await system.findSession(session!._id)).toStrictEqual({ tenantId: id, session: found(session!) })
      expect(await system.findSession('no such session')).toBeUndefined()
    })

    test('idempotency replies, audit entries, events and recorded attempts are read as they were stored', async () => {
      const { id, store } = harness.newTenant()
      const [reply] = await add(store, 'idempotency', [{ reply: null, resourceId: 'key_1', subjects: [] }])
      const [entry] = await add(store, 'auditLog', [{ actor: { type: 'system', _id: null }, reason: null }])
      const [webhook] = await add(store, 'webhooks', [{}])
      const attempt = sampleAttempt(id, { webhookId: webhook!._id })
      const event = sampleEvent({ subjects: ['cus_1', 'usr_ä'] })
      await store.attempts.record(attempt)
      await store.commit({ writes: [], events: [event] })
      expect(await store.idempotency.find(reply!._id)).toMatchObject(reply!)
      expect((await store.auditLog.list({ page: 1, limit: 5 })).rows).toMatchObject([entry!])
      expect(await store.attempts.find(attempt._id)).toStrictEqual(attempt)
      expect(await store.events.find(event._id)).toStrictEqual({ ...event, tenantId: id })
    })

    test('customers are found by e-mails and ends of phone numbers, each once and oldest first, and of one value no more than asked for', async () => {
      const { store } = harness.newTenant()
      const nobody = { firstName: null, lastName: null, company: null }
      const [one, two, three] = await add(store, 'customers', [
        { profile: { ...nobody, email: 'A@x.de', phone: '+49 30 12345678' } },
        { profile: { ...nobody, email: null, phone: '030/1234 5678' } },
        { profile: { ...nobody, email: 'b@x.de', phone: null } },
      ])
      const find = (emails: string[], phoneTails: string[], limit = 10) =>
        store.customers.listByContact({ emails, phoneTails, limit })
      const all = [found(one!), found(two!), found(three!)]
      expect(await find(['a@x.de', 'b@x.de'], ['12345678'])).toStrictEqual(all)
      expect(await find([], ['12345678'], 1)).toHaveLength(1)
      expect(await find(['c@x.de'], ['00000000'])).toEqual([])
      expect(await find([], [])).toEqual([])
    })

    test('rows of addresses are found by any of them, up to a limit for each, and not behind an erased customer', async () => {
      const { store } = harness.newTenant()
      const [gone] = await add(store, 'customers', [{}])
      const [one, two, three, hidden] = await add(store, 'customerAddresses', [
        { customerId: 'cus_1', address: 'a@x.de' },
        { customerId: 'cus_2', address: 'a@x.de', until: at(1) },
        { customerId: 'cus_1', address: 'b@x.de' },
        { customerId: gone!._id, address: 'b@x.de' },
      ])
      const find = async (addresses: string[], limit = 10) => {
        const rows = await store.customerAddresses.listByAddress({ addresses, limit })
        return rows.map(({ _id }) => _id).toSorted()
      }
      const idsOf = (...rows: (typeof one)[]) => rows.map((row) => row!._id).toSorted()
      expect(await find(['a@x.de', 'b@x.de'])).toEqual(idsOf(one, two, three, hidden))
      expect(await find(['a@x.de', 'b@x.de'], 1)).toHaveLength(2)
      expect(await find(['c@x.de'])).toEqual([])
      expect(await find([])).toEqual([])
      const erase = { op: 'erase', kind: 'customers', id: gone!._id, at: at(2) } as const
      await store.commit({ writes: [erase], events: [] })
      expect(await find(['b@x.de'])).toEqual(idsOf(three))
    })

    test('a message with the same client id in another conversation is another message', async () => {
      const { store } = harness.newTenant()
      const [one, two] = await add(store, 'messages', [
        { conversationId: 'con_1', clientMessageId: 'x' },
        { conversationId: 'con_2', clientMessageId: 'x' },
      ])
      expect(await store.messages.findByClientMessageId('con_1', 'x')).toStrictEqual(found(one!))
      expect(await store.messages.findByClientMessageId('con_2', 'x')).toStrictEqual(found(two!))
      expect(await store.messages.findByClientMessageId('con_1', 'y')).toBeUndefined()
    })
  })
}

export function describeWrites(open: Open): void {
  describe('writes', () => {
    const harness = useSharedStorage(open)

    test('an update replaces top-level fields, keeps the others and raises the version by one', async () => {
      const { store } = harness.newTenant()
      const [row] = await add(store, 'customers', [{}])
      const set = { customFields: { only: 'this' }, tags: [], updatedAt: at(500) }
      await store.commit({
        writes: [{ op: 'update', kind: 'customers', id: row!._id, expectVersion: 1, set }],
        events: [],
      })
      expect(await store.customers.find(row!._id)).toStrictEqual({ ...row, ...set, version: 2 })
    })

    test('the second of two updates of the same version is a conflict and changes nothing', async () => {
      const { store } = harness.newTenant()
      const [row] = await add(store, 'customers', [{}])
      const update = (jobTitle: string) =>
        store.commit({
          writes: [{ op: 'update', kind: 'customers', id: row!._id, expectVersion: 1, set: { jobTitle } }],
          events: [],
        })
      const results = await Promise.allSettled([update('first'), update('second')])
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const lost = results.find((result) => result.status === 'rejected')
      expect(lost?.reason).toBeInstanceOf(VersionConflict)
      expect(lost?.reason).toMatchObject({ name: 'VersionConflict', kind: 'customers' })
      expect((await store.customers.find(row!._id))?.version).toBe(2)
    })

    test('the second of two commits that expect the same tenant version is a conflict, also when they write other rows', async () => {
      const { id, store } = harness.newTenant()
      const writes = [insertOf('tenants', sample.tenants(id))]
      await harness.storage.system.commit(id, { writes, events: [] })
      const expectTenantVersion = await store.version()
      const insert = () =>
        store.commit({
          writes: [insertOf('customers', sample.customers(id))],
          events: [],
          expectTenantVersion,
        })
      const results = await Promise.allSettled([insert(), insert()])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
      expect(results[1]).toMatchObject({ reason: { name: 'VersionConflict' } })
      expect((await store.customers.list({ page: 1, limit: 10, sort: 'createdAt' })).total).toBe(1)
      expect(await store.version()).toBe(expectTenantVersion + 1)
    })

    test.each(['update', 'patch', 'remove', 'erase'] as const)(
      '%s of a row that does not exist is a version conflict',
      async (op) => {
        const { store } = harness.newTenant()
        const write = {
          op,
          kind: 'conversations',
          id: 'con_gone',
          expectVersion: 1,
          set: {},
          increment: {},
          at: at(1),
        }
        expect(await rejection(store.commit({ writes: [write as never], events: [] }))).toBeInstanceOf(
          VersionConflict,
        )
      },
    )

    test('an update to a unique value of another row is refused', async () => {
      const { store } = harness.newTenant()
      const [one, two] = await add(store, 'users', [{}, {}])
      const set = { emailNormalized: one!.emailNormalized }
      const write = { op: 'update', kind: 'users', id: two!._id, expectVersion: 1, set } as const
      expect(await rejection(store.commit({ writes: [write], events: [] }))).toMatchObject({
        key: 'emailNormalized',
      })
    })

    test('two tenants may hold the same ids', async () => {
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      const [ofA] = await add(a.store, 'customers', [{ _id: 'cus_imported', jobTitle: 'a' }])
      const [ofB] = await add(b.store, 'customers', [{ _id: 'cus_imported', jobTitle: 'b' }])
      expect(await a.store.customers.find('cus_imported')).toMatchObject(ofA!)
      expect(await b.store.customers.find('cus_imported')).toMatchObject(ofB!)
    })

    test('a commit whose last write fails stores none of its writes, events and attempts', async () => {
      const { id, store } = harness.newTenant()
      const [webhook] = await add(store, 'webhooks', [{}])
      const [existing] = await add(store, 'customers', [{}])
      const [fresh, event] = [sample.customers(id), sampleEvent()]
      const change = {
        writes: [
          insertOf('customers', fresh),
          { op: 'patch', kind: 'customers', id: existing!._id, max: { updatedAt: at(9999) } } as const,
          insertOf('customers', sample.customers(id, { _id: existing!._id })),
        ],
        events: [event],
      }
      expect(await rejection(store.commit(change))).toBeInstanceOf(UniqueConflict)
      expect(await store.customers.find(fresh._id)).toBeUndefined()
      expect(await store.customers.find(existing!._id)).toStrictEqual({ ...existing, version: 1 })
      expect(
        (await store.customers.list({ page: 1, limit: 9, search: 'lovelace', sort: 'createdAt' })).total,
      ).toBe(1)
      expect(await store.events.find(event._id)).toBeUndefined()
      expect((await store.attempts.list({ webhookId: webhook!._id, page: 1, limit: 9 })).total).toBe(0)
    })

    test('a failing commit does not affect commits of the same moment', async () => {
      const { store } = harness.newTenant()
      await add(store, 'customers', [{ _id: 'cus_taken' }])
      const commits = Array.from({ length: 40 }, (_, i) =>
        add(store, 'customers', [{ _id: i % 4 === 0 ? 'cus_taken' : `cus_${i}` }]),
      )
      const results = await Promise.allSettled(commits)
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10)
      expect((await store.customers.list({ page: 1, limit: 1, sort: 'createdAt' })).total).toBe(31)
    })

    test('later writes of a commit see the earlier ones', async () => {
      const { id, store } = harness.newTenant()
      const row = sample.conversations(id)
      await store.commit({
        writes: [
          insertOf('conversations', row),
          { op: 'patch', kind: 'conversations', id: row._id, increment: { messageCount: 1 } },
          { op: 'update', kind: 'conversations', id: row._id, expectVersion: 1, set: { status: 'closed' } },
        ],
        events: [],
      })
      const after = { ...row, status: 'closed', messageCount: 3, version: 2 }
      expect(await store.conversations.find(row._id)).toStrictEqual(after)
    })

    test('concurrent increments of counters are all counted and leave the version alone', async () => {
      const { store } = harness.newTenant()
      const [row] = await add(store, 'conversations', [
        { messageCount: 0, lastMessageAt: null, firstResponseAt: null },
      ])
      const patches = Array.from({ length: 100 }, (_, i) =>
        store.commit({
          writes: [
            {
              op: 'patch',
              kind: 'conversations',
              id: row!._id,
              increment: { messageCount: 1 },
              max: { lastMessageAt: at(i % 50) },
              setIfNull: { firstResponseAt: at(i) },
            },
          ],
          events: [],
        }),
      )
      await Promise.all(patches)
      const after = await store.conversations.find(row!._id)
      expect(after).toMatchObject({ messageCount: 100, lastMessageAt: at(49), version: 1 })
      expect(after?.firstResponseAt).not.toBeNull()
    })

    test('of concurrent patches the newest one stays, whatever their order, and a value that is set is that of the last commit', async () => {
      const { store } = harness.newTenant()
      const none = { lastMessageAt: null, lastMessageId: null, lastMessage: null, waitingSince: null }
      const [row] = await add(store, 'conversations', [none])
      const { _id: id } = row!
      const patchWith = (moment: number, messageId: string, waitingSince: string | null) => {
        const fields = { _id: messageId, at: at(moment), preview: `"Ünïcode" ${messageId}`, files: 0 }
        const lastMessage = {
          ...fields,
          type: 'reply',
          direction: 'inbound',
          senderType: 'customer',
        } as const
        const by = ['lastMessageAt', 'lastMessageId'] as const
        const set = { lastMessageAt: at(moment), lastMessageId: messageId, lastMessage }
        const patch = { op: 'patch', kind: 'conversations', id, newest: { by, set } } as const
        return store.commit({ writes: [{ ...patch, set: { waitingSince } }], events: [] })
      }
      const moments = Array.from({ length: 40 }, (_, i) => (i * 7) % 20)
      await Promise.all(moments.map((moment, i) => patchWith(moment, `msg_${10 + i}`, at(i))))
      const last = Math.max(...moments.flatMap((moment, i) => (moment === 19 ? [10 + i] : [])))
      const newest = { _id: `msg_${last}`, at: at(19), preview: `"Ünïcode" msg_${last}` }
      expect(await store.conversations.find(id)).toMatchObject({
        lastMessageAt: at(19),
        lastMessageId: `msg_${last}`,
        lastMessage: newest,
        version: 1,
      })
      await patchWith(3, 'msg_99', at(3))
      await patchWith(19, 'msg_01', null)
      expect(await store.conversations.find(id)).toMatchObject({ lastMessage: newest, waitingSince: null })
      await patchWith(19, 'msg_99', at(1))
      const after = await store.conversations.find(id)
      expect(after).toMatchObject({ lastMessage: { _id: 'msg_99' }, waitingSince: at(1) })
      // Lists find the row by what was patched.
      const { rows } = await store.conversations.list({ waiting: true, sort: 'waiting', page: 1, limit: 5 })
      expect(rows.map(({ _id }) => _id)).toEqual([id])
    })

    test('a patch whose condition does not hold is refused and changes nothing', async () => {
      const { store } = harness.newTenant()
      const [row] = await add(store, 'conversations', [{ status: 'open', assignedTo: null }])
      const patch = {
        op: 'patch',
        kind: 'conversations',
        id: row!._id,
        increment: { messageCount: 1 },
      } as const
      const when = (condition: object) =>
        store.commit({ writes: [{ ...patch, when: condition }], events: [] })
      expect(await rejection(when({ status: 'closed' }))).toBeInstanceOf(VersionConflict)
      expect(await rejection(when({ assignedTo: 'usr_1' }))).toBeInstanceOf(VersionConflict)
      await when({ status: 'open', assignedTo: null })
      expect((await store.conversations.find(row!._id))?.messageCount).toBe(row!.messageCount + 1)
    })

    test('a patch that expects a version is refused on another one, and raises none', async () => {
      const { store } = harness.newTenant()
      const [row] = await add(store, 'customers', [{}])
      const { _id: id } = row!
      const guard = (expectVersion: number) =>
        store.commit({ writes: [{ op: 'patch', kind: 'customers', id, expectVersion }], events: [] })
      await guard(1)
      await store.commit({
        writes: [{ op: 'update', kind: 'customers', id, expectVersion: 1, set: { tier: 'gold' } }],
        events: [],
      })
      expect(await rejection(guard(1))).toBeInstanceOf(VersionConflict)
      await guard(2)
      expect(await store.customers.find(id)).toMatchObject({ tier: 'gold', version: 2 })
    })

    test('ensure adds a row that is missing, leaves an existing one as it is, and conflicts with nobody', async () => {
      const { store, id } = harness.newTenant()
      const rowOf = (updatedAt: string) =>
        sample.addressUses(id, { _id: 'use_1', address: 'a@b.example', updatedAt })
      const ensure = (updatedAt: string) =>
        store.commit({ writes: [{ op: 'ensure', kind: 'addressUses', row: rowOf(updatedAt) }], events: [] })
      await Promise.all(Array.from({ length: 20 }, (_, second) => ensure(at(second))))
      const first = await store.addressUses.find('use_1')
      expect(first?.version).toBe(1)
      await ensure(at(90))
      expect(await store.addressUses.find('use_1')).toEqual(first)
      const { rows } = await store.addressUses.list({ address: 'a@b.example', page: 1, limit: 9 })
      expect(rows).toEqual([first])
      const removed = { op: 'remove', kind: 'addressUses', id: 'use_1', expectVersion: 1 } as const
      await store.commit({ writes: [removed], events: [] })
      await ensure(at(91))
      expect(await store.addressUses.find('use_1')).toMatchObject({ updatedAt: at(91), version: 1 })
    })

    test('every address of a mail and of a participant is noted in the commit that writes it, and none of a chat', async () => {
      const { store } = harness.newTenant()
      const mailbox = (address: string) => ({ address, name: null })
      const email = {
        ...mailOf,
        from: mailbox('From@mail.example'),
        to: [mailbox('to@mail.example')],
        cc: [mailbox('cc@mail.example')],
      }
      const [chat, mail] = await add(store, 'conversations', [
        { participants: [] },
        {
          participants: [{ address: 'part@mail.example', name: null, addedAt: at(1), verified: null }],
        },
      ])
      await add(store, 'messages', [
        { conversationId: chat!._id, email: null },
        { conversationId: mail!._id, direction: 'inbound', email },
        { conversationId: mail!._id, direction: 'outbound', email },
      ])
      const isNoted = async (conversationId: string, address: string) =>
        (await store.addressUses.find(addressUseId({ conversationId, address }))) !== undefined
      for (const name of ['from', 'to', 'cc', 'part']) {
        expect(await isNoted(mail!._id, `${name}@mail.example`), name).toBe(true)
        expect(await isNoted(chat!._id, `${name}@mail.example`), name).toBe(false)
      }
    })

    test('remove deletes one row and no row that refers to it', async () => {
      const { store } = harness.newTenant()
      const [customer] = await add(store, 'customers', [{}])
      const [conversation] = await add(store, 'conversations', [{ customerId: customer!._id }])
      await store.commit({
        writes: [{ op: 'remove', kind: 'customers', id: customer!._id, expectVersion: 1 }],
        events: [],
      })
      expect(await store.customers.find(customer!._id)).toBeUndefined()
      expect(
        (await store.customers.list({ page: 1, limit: 9, search: 'lovelace', sort: 'createdAt' })).rows,
      ).toEqual([])
      expect(
        (await store.customers.list({ page: 1, limit: 9, tags: ['vip'], sort: 'createdAt' })).rows,
      ).toEqual([])
      expect(await store.conversations.find(conversation!._id)).toBeDefined()
    })
  })
}
