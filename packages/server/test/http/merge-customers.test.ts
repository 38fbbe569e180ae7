// Runs on both databases by day: rows of many kinds that move in one commit.

import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

async function newTenant() {
  const { token } = await registerTenant(service.url)
  const send = (method: string, path: string, body?: unknown) =>
    call(service.url, { method, path, token, ...(body !== undefined && { body }) })
  const inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
  return {
    send,
    customer: async (fields: object) =>
      (await send('POST', '/api/v1/customers', fields)).body.data._id as string,
    conversation: async (customerId: string, fields: object = {}) =>
      (await send('POST', '/api/v1/conversations', { subject: 'Help', inboxId, customerId, ...fields })).body
        .data._id as string,
    merge: (target: string, sourceId: unknown) =>
      send('POST', `/api/v1/customers/${target}/merge`, { sourceId }),
    events: async (types: string) =>
      (await send('GET', `/api/v1/events?limit=100&types=${types}`)).body.data as {
        event: string
        data: Record<string, unknown>
        changes?: object
      }[],
  }
}

async function until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isReached(value)) return value
    // A read of the storage may resolve within this very event-loop tick.
    await nextTick()
  }
}

describe('merging a customer into another', () => {
  test('fills blank fields, joins tags and custom fields, and keeps the values of the target [own.merge]', async () => {
    const { send, customer, merge, events } = await newTenant()
    const target = await customer({
      firstName: 'Ada',
      tags: ['VIP', 'a'],
      tier: 'bronze',
      customFields: { plan: 'pro', seats: 1 },
    })
    const source = await customer({
      firstName: 'A.',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      tags: ['vip', 'b'],
      tier: 'gold',
      jobTitle: 'Countess',
      customFields: { plan: 'free', since: 1843 },
    })
    const { status, body } = await merge(target, source)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      _id: target,
      profile: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: null },
      jobTitle: 'Countess',
      tier: 'bronze',
      tags: ['VIP', 'a', 'b'],
    })
    expect(body.data.customFields).toEqual({ plan: 'pro', seats: 1, since: 1843 })
    expect((await send('GET', `/api/v1/customers/${target}`)).body.data).toMatchObject(body.data)
    expect((await send('GET', `/api/v1/customers/${source}`)).status).toBe(404)
    // On MongoDB events get their positions after the commit.
    const sentEvents = await until(
      () => events('customer.updated,customer.deleted'),
      (found) => found.length === 2,
    )
    expect(sentEvents.map(({ event, data }) => [event, data['_id']])).toEqual([
      ['customer.updated', target],
      ['customer.deleted', source],
    ])
    expect(sentEvents[0]?.data).toEqual(body.data)
    expect(sentEvents[0]?.changes).toMatchObject({ 'profile.lastName': { from: null, to: 'Lovelace' } })
    expect(sentEvents[1]?.data).toEqual({ _id: source, mergedInto: target })
  })

  test('moves all conversations, also more than one page, and sends no event for them [own.merge]', async () => {
    const { send, customer, conversation, merge, events } = await newTenant()
    const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
    const own = await conversation(target)
    const moved = await Promise.all(Array.from({ length: 130 }, () => conversation(source)))
    const { body: before } = await send('GET', `/api/v1/conversations/${moved[0]}`)
    expect((await merge(target, source)).status).toBe(200)
    const path = `/api/v1/conversations?limit=100&customerId=${target}`
    await until(
      () => send('GET', path),
      ({ body }) => body.pagination.total === 131,
    )
    // Read again: on MongoDB a page and its total are two queries, and rows may have moved between them.
    const first = await send('GET', path)
    const second = await send('GET', `${path}&page=2`)
    const ids = [...first.body.data, ...second.body.data].map(({ _id }: { _id: string }) => _id)
    expect(new Set(ids)).toEqual(new Set([own, ...moved]))
    const { body: after } = await send('GET', `/api/v1/conversations/${moved[0]}`)
    expect(after.data).toMatchObject({ customerId: { _id: target }, updatedAt: before.data.updatedAt })
    expect(await events('conversation.updated')).toEqual([])
  })

  test('continues after a killed process, and deletes the task when all is done', async () => {
    const { customer, conversation, send } = await newTenant()
    const target = await customer({ firstName: 'T' })
    const left = await conversation(target)
    const { storage, ids } = service.service
    const tenantId = (await send('GET', '/api/tenant')).body.data._id
    const store = storage.forTenant(tenantId)
    const { version } = (await store.conversations.find(left)) as { version: number }
    const requestedAt = new Date(Date.now() - 60_000).toISOString()
    const task = { _id: ids.next('tsk'), tenantId, subjectId: 'cus_gone', targetId: target, requestedAt }
    const set = { customerId: 'cus_gone' }
    await store.commit({
      writes: [
        { op: 'update', kind: 'conversations', id: left, expectVersion: version, set },
        { op: 'insert', kind: 'tasks', row: { ...task, type: 'moveConversations' } },
      ],
      events: [],
    })
    const listed = async () => (await storage.system.listTasks(100)).map((found) => found.task._id)
    await until(listed, (tasks) => !tasks.includes(task._id))
    expect((await store.conversations.find(left))?.customerId).toBe(target)
  })

  test('refuses a customer as its own target, a deleted customer and a deleted target', async () => {
    const { send, customer, merge } = await newTenant()
    const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
    const itself = await merge(target, target)
    expect([itself.status, itself.body.details]).toMatchObject([
      422,
      [{ field: 'sourceId', rule: 'distinct' }],
    ])
    for (const sourceId of ['cus_unknown', '']) {
      const unknown = await merge(target, sourceId)
      expect([unknown.status, unknown.body.details]).toMatchObject([422, [{ rule: 'reference' }]])
    }
    expect((await merge('cus_unknown', source)).status).toBe(404)
    expect((await merge(target, source)).status).toBe(200)
    const again = await merge(target, source)
    expect([again.status, again.body.details]).toMatchObject([
      422,
      [{ field: 'sourceId', rule: 'reference' }],
    ])
    expect((await merge(source, target)).status).toBe(404)
    expect((await send('GET', `/api/v1/customers/${target}`)).status).toBe(200)
  })

  test('refuses a merge that would exceed the limit of tags, and changes nothing', async () => {
    const { send, customer, merge } = await newTenant()
    const tags = (prefix: string) => Array.from({ length: 30 }, (_, i) => `${prefix}${i}`)
    const target = await customer({ firstName: 'T', tags: tags('t') })
    const source = await customer({ firstName: 'S', tags: tags('s') })
    const { status, body } = await merge(target, source)
    expect([status, body.details]).toMatchObject([422, [{ field: 'sourceId', rule: 'max' }]])
    expect((await send('GET', `/api/v1/customers/${source}`)).status).toBe(200)
  })

  test('loses nothing to an update of the source, another merge, or a new conversation at the same moment', async () => {
    const { send, customer, conversation, merge } = await newTenant()
    const source = await customer({ firstName: 'S' })
    const targets = await Promise.all(['A', 'B', 'C'].map((firstName) => customer({ firstName })))
    const [update, begun, ...merges] = await Promise.all([
      send('PUT', `/api/v1/customers/${source}`, { phone: '+44 1' }),
      conversation(source).catch(() => undefined),
      ...targets.map((target) => merge(target, source)),
    ])
    expect(merges.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    const winner = merges.find(({ status }) => status === 200)?.body.data
    if (update.status === 200) expect(winner.profile.phone).toBe('+44 1')
    else expect(update.status).toBe(404)
    if (begun) {
      const path = `/api/v1/conversations/${begun}`
      const { body } = await until(
        () => send('GET', path),
        (response) => response.body.data.customerId !== null,
      )
      expect(body.data.customerId._id).toBe(winner._id)
    }
  })

  test('two customers that are merged into each other leave one', async () => {
    const { send, customer, merge } = await newTenant()
    const [a, b] = [await customer({ firstName: 'A' }), await customer({ firstName: 'B' })]
    const statuses = (await Promise.all([merge(a, b), merge(b, a)])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect((await send('GET', '/api/v1/customers')).body.pagination.total).toBe(1)
  })

  test('an erasure of the target also erases earlier events about the source', async () => {
    const { send, customer, conversation, merge, events } = await newTenant()
    const last = await customer({ firstName: 'Last' })
    const middle = await customer({ firstName: 'Middle' })
    const source = await customer({ firstName: 'Secret', email: 'secret@example.com' })
    const moved = await conversation(source)
    await merge(middle, source)
    await merge(last, middle)
    expect((await send('DELETE', `/api/v1/customers/${last}`)).status).toBe(200)
    expect((await send('GET', `/api/v1/conversations/${moved}`)).status).toBe(404)
    expect(
      JSON.stringify(await events('customer.created,customer.updated,conversation.created')),
    ).not.toMatch(/Secret|secret|Middle|Last/)
  })
})
