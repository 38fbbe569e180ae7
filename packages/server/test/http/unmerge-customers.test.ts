// Runs on both databases by day: rows of many kinds that move in one commit.

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ConversationRecord } from '../../src/storage/kinds/conversations.ts'
import { call, registerTenant } from '../support/call.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

type Send = (method: string, path: string, body?: unknown) => ReturnType<typeof call>

function tenantOf(send: Send, inboxId: string) {
  return {
    send,
    customer: async (fields: object) =>
      (await send('POST', '/api/v1/customers', fields)).body.data._id as string,
    get: (id: string) => send('GET', `/api/v1/customers/${id}`),
    conversation: async (customerId: string) =>
      (await send('POST', '/api/v1/conversations', { subject: 'Help', inboxId, customerId })).body.data
        ._id as string,
    ownerOf: async (id: string) =>
      (await send('GET', `/api/v1/conversations/${id}`)).body.data?.customerId?._id ?? null,
    merge: async (target: string, sourceId: string) =>
      expect((await send('POST', `/api/v1/customers/${target}/merge`, { sourceId })).status).toBe(200),
    unmerge: (target: string, sourceId: unknown) =>
      send('POST', `/api/v1/customers/${target}/unmerge`, { sourceId }),
    events: async (types: string) =>
      (await send('GET', `/api/v1/events?limit=100&types=${types}`)).body.data as {
        event: string
        data: Record<string, unknown>
        changes?: object
      }[],
  }
}

async function newTenant() {
  const { token, tenant } = await registerTenant(service.url)
  const send: Send = (method, path, body) =>
    call(service.url, { method, path, token, ...(body !== undefined && { body }) })
  return { tenantId: tenant._id, ...tenantOf(send, (await send('GET', '/api/v1/inboxes')).body.data[0]._id) }
}

const full = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@people.test',
  phone: '+44 1',
  company: 'Engines',
  jobTitle: 'Countess',
  tier: 'gold',
  tags: ['vip', 'b'],
  customFields: { since: 1843, plan: 'free' },
}

describe('taking a merge back', () => {
  test('restores the source with its old id and empties what the merge filled', async () => {
    const { customer, get, merge, unmerge, events } = await newTenant()
    const target = await customer({ firstName: 'T', tags: ['VIP', 'a'], customFields: { plan: 'pro' } })
    const source = await customer(full)
    const before = [(await get(target)).body.data, (await get(source)).body.data]
    await merge(target, source)
    expect([before[0].hasMerges, (await get(target)).body.data.hasMerges]).toEqual([false, true])
    const { status, body } = await unmerge(target, source)
    expect(status).toBe(200)
    expect(body.data.kept).toEqual([])
    const after = [(await get(target)).body.data, (await get(source)).body.data]
    for (const [index, row] of after.entries())
      expect(row).toEqual({ ...before[index], updatedAt: row.updatedAt })
    expect(after[0]).toMatchObject(body.data.target)
    expect(after[1]).toMatchObject(body.data.source)
    await expect.poll(async () => (await events('customer.created,customer.updated')).length).toBe(5)
    const [created, updated] = (await events('customer.created,customer.updated')).slice(3)
    expect([created?.event, created?.data['_id']]).toEqual(['customer.created', source])
    expect(created?.data).toEqual(body.data.source)
    expect([updated?.event, updated?.data['_id']]).toEqual(['customer.updated', target])
    expect(updated?.changes).toMatchObject({ 'profile.email': { from: 'ada@people.test', to: null } })
  })

  test('keeps what somebody has changed since, and names it', async () => {
    const { send, customer, get, merge, unmerge } = await newTenant()
    const target = await customer({ firstName: 'T' })
    const source = await customer(full)
    await merge(target, source)
    const change = { phone: '+44 2', jobTitle: 'Boss', customFields: { since: 2000, plan: 'free', own: 1 } }
    await send('PUT', `/api/v1/customers/${target}`, change)
    const { body } = await unmerge(target, source)
    expect(body.data.kept.sort()).toEqual(['customFields.since', 'jobTitle', 'profile.phone'])
    expect((await get(target)).body.data).toMatchObject({
      profile: { firstName: 'T', lastName: null, email: null, phone: '+44 2', company: null },
      jobTitle: 'Boss',
      customFields: { since: 2000, own: 1 },
    })
    expect((await get(source)).body.data.profile.phone).toBe('+44 1')
  })

  test('gives every phone number back to the one who had it, also one that was replaced since', async () => {
    const { tenantId, send, customer, merge, unmerge } = await newTenant()
    const [own, theirs, later] = ['+4930111111', '+4930222222', '+4930333333']
    const target = await customer({ firstName: 'T' })
    const busy = await customer({ firstName: 'B', phone: own })
    const [source, other] = [
      await customer({ firstName: 'S', phone: theirs }),
      await customer({ firstName: 'O', phone: theirs }),
    ]
    // The number fills the profile of the one, and is a further number of the other.
    await merge(target, source)
    await merge(busy, other)
    await send('PUT', `/api/v1/customers/${target}`, { phone: later })
    expect((await unmerge(target, source)).status).toBe(200)
    expect((await unmerge(busy, other)).status).toBe(200)
    const store = service.service.storage.forTenant(tenantId)
    for (const [id, phone] of [
      [target, later],
      [busy, own],
      [source, theirs],
      [other, theirs],
    ] as const) {
      const { rows } = await store.customerAddresses.list({ customerId: id, page: 1, limit: 10 })
      expect([(await store.customers.find(id))?.profile.phone, rows]).toEqual([phone, []])
    }
  })

  test('never leaves the target without a name', async () => {
    const { send, customer, get, merge, unmerge } = await newTenant()
    const [target, source] = [await customer({ firstName: 'T' }), await customer(full)]
    await merge(target, source)
    await send('PUT', `/api/v1/customers/${target}`, { firstName: null })
    const { body } = await unmerge(target, source)
    expect(body.data.kept).toEqual(['profile.lastName', 'profile.email', 'profile.phone'])
    expect((await get(target)).body.data.profile).toMatchObject({ lastName: 'Lovelace', company: null })
  })

  test('a block stays on both', async () => {
    const { send, customer, get, merge, unmerge } = await newTenant()
    const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
    await send('POST', `/api/v1/customers/${source}/block`)
    await merge(target, source)
    expect((await unmerge(target, source)).status).toBe(200)
    for (const id of [target, source]) expect((await get(id)).body.data.blockedAt).not.toBeNull()
  })

  test('moves conversations and calls back, except those that somebody gave away and those that came since', async () => {
    const { send, customer, conversation, ownerOf, merge, unmerge, events } = await newTenant()
    const [target, source, third] = [
      await customer({ firstName: 'T' }),
      await customer({ firstName: 'S' }),
      await customer({ firstName: 'X' }),
    ]
    const [own, back, given] = [
      await conversation(target),
      await conversation(source),
      await conversation(source),
    ]
    await merge(target, source)
    const since = await conversation(target)
    await send('PUT', `/api/v1/conversations/${given}`, { customerId: third })
    const { body } = await unmerge(target, source)
    expect(body.data.kept).toEqual([given])
    expect(await Promise.all([own, back, given, since].map(ownerOf))).toEqual([target, source, third, target])
    await expect.poll(async () => (await events('conversation.updated')).length).toBe(2)
    const [, event] = await events('conversation.updated')
    expect(event).toMatchObject({
      data: { _id: back, customerId: { _id: source } },
      changes: { customerId: { from: target, to: source } },
    })
  })

  test('moves many conversations back in pages, while neither customer can be deleted or merged into another', {
    timeout: 500_000,
  }, async () => {
    const { send, customer, conversation, ownerOf, merge, unmerge, tenantId } = await newTenant()
    const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
    const { storage, ids } = service.service
    const store = storage.forTenant(tenantId)
    const own = await conversation(target)
    const { version: _version, ...row } = (await store.conversations.find(await conversation(source))) as {
      version: number
    } & ConversationRecord
    for (let page = 0; page < 7; page++) {
      const rows = Array.from({ length: 100 }, () => ({ ...row, _id: ids.next('con') }))
      const writes = rows.map((one) => ({ op: 'insert', kind: 'conversations', row: one }) as const)
      await store.commit({ writes, events: [] })
    }
    await merge(target, source)
    const totalOf = async (customerId: string) =>
      (await send('GET', `/api/v1/conversations?limit=1&customerId=${customerId}`)).body.pagination.total
    // A busy MongoDB takes ten seconds for a page.
    const pages = { timeout: 150_000 }
    await expect.poll(() => totalOf(target), pages).toBe(702)
    const third = await customer({ firstName: 'X' })
    expect((await unmerge(target, source)).status).toBe(200)
    const refusals = await Promise.all([
      send('DELETE', `/api/v1/customers/${source}`),
      send('DELETE', `/api/v1/customers/${target}`),
      send('POST', `/api/v1/customers/${third}/merge`, { sourceId: source }),
      send('POST', `/api/v1/customers/${third}/merge`, { sourceId: target }),
    ])
    for (const { status, body } of refusals)
      expect([status, body.code, body.details]).toEqual([
        409,
        'INVALID_STATE',
        { status: 'unmerging', allowed: [] },
      ])
    await expect.poll(() => totalOf(source), pages).toBe(701)
    expect([await totalOf(target), await ownerOf(own)]).toEqual([1, target])
    const erase = () => send('DELETE', `/api/v1/customers/${target}`)
    await expect.poll(async () => (await erase()).status).toBe(200)
    expect(await totalOf(source)).toBe(701)
  })

  test('asked while the merge still moves rows comes out right', async () => {
    const { send, customer, conversation, merge, unmerge } = await newTenant()
    const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
    // A busy database refuses some of 230 at once.
    for (let made = 0; made < 230; made += 10)
      await Promise.all(Array.from({ length: 10 }, () => conversation(source)))
    await merge(target, source)
    expect((await unmerge(target, source)).status).toBe(200)
    const path = `/api/v1/conversations?limit=1&customerId=`
    const totals = async () =>
      Promise.all([target, source].map(async (id) => (await send('GET', path + id)).body.pagination.total))
    await expect.poll(totals).toEqual([0, 230])
  })

  test('restores links of other systems: the old id finds the source again', async () => {
    const { send, customer, merge, unmerge, get } = await newTenant()
    const put = async (id: string) =>
      (await send('PUT', `/api/v1/customers/by-external-id/shop/${id}`, { firstName: 'S' })).body.data._id
    const source = await put('1')
    const target = await customer({ firstName: 'T' })
    await merge(target, source)
    expect(await put('1')).toBe(target)
    await send('PUT', `/api/v1/customers/${target}`, { firstName: 'T' })
    expect((await unmerge(target, source)).status).toBe(200)
    expect(await put('1')).toBe(source)
    expect((await get(target)).body.data.externalIds).toEqual([])
    expect((await get(source)).body.data.externalIds).toEqual(['shop:1'])
  })

  test('works in any nesting, one merge after the other', async () => {
    const { customer, conversation, ownerOf, merge, unmerge, get } = await newTenant()
    const ids = await Promise.all(['A', 'B', 'C', 'D'].map((firstName) => customer({ firstName })))
    const [a, b, c, d] = ids as [string, string, string, string]
    const owned = await Promise.all(ids.map(conversation))
    const before = await Promise.all(ids.map(async (id) => (await get(id)).body.data))
    await merge(b, a)
    await merge(c, b)
    await merge(c, d)
    const nested = await unmerge(c, a)
    expect([nested.status, nested.body.details]).toEqual([409, { customerId: b }])
    expect((await unmerge(c, b)).status).toBe(200)
    expect(await Promise.all(owned.map(ownerOf))).toEqual([b, b, c, c])
    expect((await unmerge(b, a)).status).toBe(200)
    expect((await unmerge(c, d)).status).toBe(200)
    expect(await Promise.all(owned.map(ownerOf))).toEqual(ids)
    for (const [index, id] of ids.entries()) {
      const { data } = (await get(id)).body
      expect(data).toEqual({ ...before[index], updatedAt: data.updatedAt })
    }
    await merge(a, d)
    expect(await ownerOf(owned[3] as string)).toBe(a)
    expect((await unmerge(a, d)).status).toBe(200)
    expect(await Promise.all(owned.map(ownerOf))).toEqual(ids)
  })

  test('is refused for a customer who was not merged, a second time, and after an erasure', async () => {
    const { send, customer, merge, unmerge } = await newTenant()
    const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
    expect((await unmerge(target, source)).status).toBe(409)
    expect((await unmerge('cus_unknown', source)).status).toBe(404)
    for (const sourceId of ['cus_unknown', '']) {
      const { status, body } = await unmerge(target, sourceId)
      expect([status, body.details]).toMatchObject([422, [{ field: 'sourceId' }]])
    }
    await merge(target, source)
    expect((await unmerge(target, source)).status).toBe(200)
    expect((await unmerge(target, source)).status).toBe(409)
    await merge(target, source)
    expect((await unmerge(target, source)).status).toBe(200)
    expect((await send('DELETE', `/api/v1/customers/${source}`)).status).toBe(200)
    expect((await unmerge(target, source)).status).toBe(409)
    const other = await customer({ firstName: 'O' })
    await merge(target, other)
    expect((await send('DELETE', `/api/v1/customers/${target}`)).status).toBe(200)
    expect((await unmerge(target, other)).status).toBe(404)
  })

  test('of two at once one wins, and an erasure at the same moment leaves no row with a wrong owner', async () => {
    const { send, customer, conversation, merge, unmerge, ownerOf, get } = await newTenant()
    const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
    const moved = await conversation(source)
    await merge(target, source)
    const both = await Promise.all([unmerge(target, source), unmerge(target, source)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await ownerOf(moved)).toBe(source)
    await merge(target, source)
    const [undone, erased] = await Promise.all([
      unmerge(target, source),
      send('DELETE', `/api/v1/customers/${target}`),
    ])
    expect(erased.status).toBe(200)
    expect(await get(source).then(({ status }) => status)).toBe(undone.status === 200 ? 200 : 404)
    expect((await send('GET', `/api/v1/conversations/${moved}`)).status).toBe(
      undone.status === 200 ? 200 : 404,
    )
  })
})

describe('the people of a merge that was taken back', () => {
  let inbox: MailInbox
  beforeEach(async () => {
    inbox = await makeMailInbox(service)
  })
  const tenant = () => tenantOf((method, path, body) => inbox.ask(method, path, body), '')

  test('are found by mail as before, and the target has no former address', async () => {
    const { customer, merge, unmerge, get } = tenant()
    const target = await customer({ firstName: 'T', email: 't@people.test' })
    const source = await customer({ firstName: 'S', email: 's@people.test' })
    const first = await inbox.receive({ from: 's@people.test' })
    await merge(target, source)
    const sent = await inbox.reply(first['conversationId'], {})
    const joined = await inbox.receive({ from: 's@people.test', to: sent.body.data.email.replyTo })
    expect((await inbox.messageOf(joined['messageId'] ?? '')).sender._id).toBe(target)
    expect((await get(target)).body.data.addresses).toHaveLength(2)
    expect((await unmerge(target, source)).status).toBe(200)
    const addresses = async (id: string) =>
      (await get(id)).body.data.addresses.map(({ address }: { address: string }) => address)
    expect([await addresses(target), await addresses(source)]).toEqual([['t@people.test'], ['s@people.test']])
    // The source wrote it: an erasure of the target must not take it along.
    expect((await inbox.messageOf(joined['messageId'] ?? '')).sender._id).toBe(source)
    for (const [from, id] of [
      ['s@people.test', source],
      ['t@people.test', target],
    ]) {
      const { conversationId } = await inbox.receive({ from: from as string })
      expect((await inbox.conversationOf(conversationId ?? '')).customerId?._id).toBe(id)
    }
  })

  test('leave a former address of the target a former one, also when an earlier merge brought it', async () => {
    const { send, customer, merge, unmerge, get } = tenant()
    const target = await customer({ firstName: 'T' })
    const [earlier, later] = [
      await customer({ firstName: 'E', email: 's@people.test' }),
      await customer({ firstName: 'L', email: 's@people.test' }),
    ]
    await merge(target, earlier)
    await send('PUT', `/api/v1/customers/${target}`, { email: null })
    const before = (await get(target)).body.data.addresses
    expect(before).toMatchObject([{ address: 's@people.test', until: expect.any(String) }])
    await merge(target, later)
    expect((await unmerge(target, later)).status).toBe(200)
    expect((await get(target)).body.data.addresses).toEqual(before)
    const { conversationId } = await inbox.receive({ from: 's@people.test' })
    expect((await inbox.conversationOf(conversationId ?? '')).customerId?._id).toBe(later)
  })

  test('are erased alone, with the events of the time together', async () => {
    const { send, customer, merge, unmerge, get, events } = tenant()
    const word = randomUUID()
    const target = await customer({ firstName: 'T' })
    const source = await customer({ firstName: 'S', lastName: word, jobTitle: 'Kept' })
    const exported = async (id: string) => {
      const headers = { Authorization: `Bearer ${inbox.owner.token}` }
      return (await fetch(`${service.url}/api/v1/customers/${id}/export`, { headers })).text()
    }
    await send('PUT', `/api/v1/customers/${target}`, { lastName: 'T', jobTitle: 'Boss' })
    await merge(target, source)
    // The target shows neither value of the source: the merge keeps them.
    expect(await exported(target)).toContain(word)
    expect((await unmerge(target, source)).status).toBe(200)
    expect(await exported(target)).not.toContain(word)
    expect(await exported(source)).toContain(word)
    await send('PUT', `/api/v1/customers/${target}`, { lastName: null })
    await merge(target, source)
    await send('PUT', `/api/v1/customers/${target}`, { jobTitle: 'Chief' })
    expect((await unmerge(target, source)).status).toBe(200)
    expect((await send('DELETE', `/api/v1/customers/${source}`)).status).toBe(200)
    expect((await get(target)).status).toBe(200)
    await expect
      .poll(async () => JSON.stringify(await events('customer.created,customer.updated')))
      .not.toContain(word)
    const storage = service.service.storage.forTenant(inbox.owner.tenant._id)
    const kept = await storage.customerMerges.list({ customerId: target, page: 1, limit: 10 })
    expect(JSON.stringify(kept.rows)).not.toContain(word)
  })
})
