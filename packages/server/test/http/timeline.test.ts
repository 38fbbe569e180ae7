// Runs on both databases by day: two lists are one, in the order of both.

import { describe, expect, test, vi } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

async function newTenant() {
  const { token, user, tenant } = await registerTenant(running.url)
  const tenantId = tenant._id as TenantId
  const as = (by: string) => async (method: string, at: string, body?: unknown) =>
    call(running.url, { method, path: at, token: by, body })
  const send = as(token)
  const inbox = await send('GET', '/api/v1/inboxes')
  const inboxId: string = inbox.body.data[0]._id
  const begin = async (fields: object = {}): Promise<string> => {
    const { body } = await send('POST', '/api/v1/conversations', { subject: 'A lamp', inboxId, ...fields })
    return body.data._id
  }
  const timeline = async (id: string, query = 'order=asc&limit=100') => {
    const { status, body } = await send('GET', `/api/v1/conversations/${id}/timeline?${query}`)
    expect([status, body.error]).toEqual([200, undefined])
    return body as { data: Entry[]; pagination: { total: number; nextCursor: string | null } }
  }
  const said = async (id: string) => (await timeline(id)).data.map(shortOf)
  return { token, tenantId, user, as, send, inboxId, begin, timeline, said }
}

interface Entry {
  _id: string
  kind: string
  at: string
  message: null | { _id: string; content: string; type: string }
  activity: null | {
    action: string
    actor: { type: string; _id: string | null; name: string | null }
    changes: Record<string, { from: unknown; to: unknown }>
  }
}

/** An entry as a line: the content of a message, or an action with what it changed and the kind of its actor. */
function shortOf({ message, activity }: Entry): string {
  if (message) return message.content
  const changes = Object.entries(activity?.changes ?? {}).map(
    ([field, { from, to }]) => `${field} ${from}>${to}`,
  )
  return [activity?.action, ...changes, `by ${activity?.actor.type}`].join(' ')
}

describe('the timeline of a conversation', () => {
  test('has its beginning, its messages, its notes and its changes, each with who made it and both values', async () => {
    const { tenantId, user, send, begin, timeline } = await newTenant()
    const id = await begin({ message: { content: 'How can we help?' } })
    await send('POST', `/api/v1/conversations/${id}/messages`, { content: 'Ask Ben', type: 'note' })
    await send('PUT', `/api/v1/conversations/${id}`, { status: 'pending', priority: 'high' })
    const { data, pagination } = await timeline(id)
    expect(data.map(shortOf)).toEqual([
      'created by user',
      'How can we help?',
      'Ask Ben',
      'status_changed status open>pending by user',
      'priority_changed priority medium>high by user',
    ])
    expect(pagination).toMatchObject({ total: 5, totalIsEstimate: false, nextCursor: null })
    expect(data.map(({ kind }) => kind)).toEqual(['activity', 'message', 'message', 'activity', 'activity'])
    const [, , , changed] = data
    expect(changed).toEqual({
      _id: expect.stringMatching(/^act_/),
      kind: 'activity',
      at: changed?.at,
      message: null,
      activity: {
        _id: changed?._id,
        tenantId,
        conversationId: id,
        at: changed?.at,
        actor: { type: 'user', _id: user._id, name: expect.any(String) },
        action: 'status_changed',
        changes: { status: { from: 'open', to: 'pending' } },
      },
    })
  })

  test('is read newest first in pages, and the pages of each order hold every entry once', async () => {
    const { send, begin, timeline } = await newTenant()
    const id = await begin()
    const path = `/api/v1/conversations/${id}`
    for (const priority of ['low', 'high', 'urgent']) {
      await send('POST', `${path}/messages`, { content: priority })
      await send('PUT', path, { priority, status: priority === 'high' ? 'open' : 'pending' })
    }
    const whole = (await timeline(id)).data.map(({ _id }) => _id)
    expect(whole.length).toBe(10)
    for (const order of ['asc', 'desc']) {
      const read: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page = await timeline(id, `order=${order}&limit=3${cursor && `&cursor=${cursor}`}`)
        expect(page.data.length).toBeLessThanOrEqual(3)
        read.push(...page.data.map(({ _id }) => _id))
        cursor = page.pagination.nextCursor
      }
      expect(read).toEqual(order === 'asc' ? whole : whole.toReversed())
    }
    const [newest] = (await timeline(id, 'limit=1')).data
    expect(newest?._id).toBe(whole.at(-1))
  })

  test('is read by kind, and a look at the conversation has its newest changes', async () => {
    const { send, begin, timeline } = await newTenant()
    const id = await begin({ message: { content: 'Hello' } })
    const path = `/api/v1/conversations/${id}`
    for (let n = 0; n < 30; n++)
      await send('PUT', path, { subject: `Lamp ${n}`, priority: n % 2 ? 'low' : 'high' })
    expect((await timeline(id, 'kind=message')).data.map(shortOf)).toEqual(['Hello'])
    const { body } = await send('GET', `${path}?include=activities`)
    const { data, pagination } = body.included.activities
    expect([data.length, pagination.total]).toEqual([50, 61])
    const { nextCursor: cursor } = pagination
    const older = await timeline(id, `kind=activity&limit=100&cursor=${cursor}`)
    expect([...data, ...older.data.map(({ activity }) => activity)]).toEqual(
      (await timeline(id, 'kind=activity&limit=100')).data.map(({ activity }) => activity),
    )
  })

  test('refuses a position of another order or list, and is not found for an unknown conversation', async () => {
    const { send, begin, timeline } = await newTenant()
    const id = await begin({ message: { content: 'Hello' } })
    const path = `/api/v1/conversations/${id}`
    await send('POST', `${path}/messages`, { content: 'Again' })
    const { nextCursor } = (await timeline(id, 'order=asc&limit=1')).pagination
    const messages = await send('GET', `${path}/messages?limit=1`)
    const ofMessages = messages.body.pagination.nextCursor
    for (const [order, cursor] of [
      ['desc', nextCursor],
      ['asc', ofMessages],
      ['asc', 'made-up'],
    ]) {
      const { status, body } = await send('GET', `${path}/timeline?order=${order}&cursor=${cursor}`)
      expect([status, body.code, body.details?.[0]?.field]).toEqual([422, 'VALIDATION_ERROR', 'cursor'])
    }
    expect((await send('GET', '/api/v1/conversations/con_none/timeline')).status).toBe(404)
  })

  test('says of a new conversation who assigned it, and nothing of a request that changes nothing', async () => {
    const { user, send, begin, said } = await newTenant()
    const id = await begin({ assignedTo: user._id })
    const path = `/api/v1/conversations/${id}`
    await send('PUT', path, {})
    await send('PUT', path, { status: 'open', subject: 'A lamp' })
    await send('POST', `${path}/labels`, { labels: ['billing'] })
    await send('POST', `${path}/labels`, { labels: ['billing'] })
    await send('POST', `${path}/read`, {})
    await send('PUT', path, { subject: 'Two lamps', channel: 'chat' })
    expect(await said(id)).toEqual([
      `created assignedTo null>${user._id} by user`,
      'labels_changed labels >billing by user',
      'subject_changed subject A lamp>Two lamps by user',
    ])
  })

  test('says that a message of the customer opened the conversation again, and that a key closed it', async () => {
    const { token, as, send, begin, said } = await newTenant()
    const customer = await send('POST', '/api/v1/customers', { firstName: 'Ada' })
    const id = await begin({ customerId: customer.body.data._id })
    const path = `/api/v1/conversations/${id}`
    const key = as(await createKey(running.url, token, ['write:conversations']))
    await key('PUT', path, { status: 'closed' })
    await send('POST', `${path}/messages`, { content: 'It broke', direction: 'inbound' })
    expect(await said(id)).toEqual([
      'created by user',
      'status_changed status open>closed by api',
      'status_changed status closed>open by customer',
      'It broke',
    ])
  })

  test('says that a deleted user has left it, and keeps the name of the user in earlier changes', async () => {
    const { tenantId, as, send, begin, timeline, said } = await newTenant()
    const ben = await addColleague(running, { tenantId, role: 'agent' })
    const id = await begin()
    await as(ben.token)('PUT', `/api/v1/conversations/${id}`, { assignedTo: ben.userId })
    const [, before] = (await timeline(id)).data
    expect((await send('DELETE', `/api/v1/users/${ben.userId}`)).status).toBe(200)
    expect(await said(id)).toEqual([
      'created by user',
      `assigned assignedTo null>${ben.userId} by user`,
      `assigned assignedTo ${ben.userId}>null by system`,
    ])
    const [, after] = (await timeline(id)).data
    expect(after).toEqual(before)
    expect(after?.activity?.actor.name).toEqual(expect.any(String))
  })

  test('says that it went to another inbox and to another customer', async () => {
    const { send, inboxId, begin, said } = await newTenant()
    const made = await send('POST', '/api/v1/inboxes', { name: 'Second' })
    const customer = await send('POST', '/api/v1/customers', { firstName: 'Ada' })
    const [second, customerId] = [made.body.data._id, customer.body.data._id]
    const id = await begin()
    await send('PUT', `/api/v1/conversations/${id}`, { inboxId: second, customerId })
    expect((await said(id)).slice(1)).toEqual([
      `customer_changed customerId null>${customerId} by user`,
      `inbox_changed inboxId ${inboxId}>${second} by user`,
    ])
  })

  test('says that a merge of customers gave it to another one, and that it came back', async () => {
    const { send, begin, said } = await newTenant()
    const person = async (firstName: string): Promise<string> =>
      (await send('POST', '/api/v1/customers', { firstName })).body.data._id
    const [target, source] = [await person('Ada'), await person('Adah')]
    const id = await begin({ customerId: source })
    const merged = await send('POST', `/api/v1/customers/${target}/merge`, { sourceId: source })
    expect([merged.status, merged.body.error]).toEqual([200, undefined])
    expect((await said(id)).slice(1)).toEqual([`customer_changed customerId ${source}>${target} by system`])
    const unmerge = `/api/v1/customers/${target}/unmerge`
    const back = await send('POST', unmerge, { sourceId: source })
    expect([back.status, back.body.details ?? back.body.error]).toEqual([200, undefined])
    await vi.waitFor(async () => {
      const [, , returned] = await said(id)
      expect(returned).toBe(`customer_changed customerId ${target}>${source} by system`)
    })
  })

  test('ends with its conversation, and is in the export of the customer', async () => {
    const { tenantId, send, begin } = await newTenant()
    const store = running.service.storage.forTenant(tenantId)
    const customer = await send('POST', '/api/v1/customers', { firstName: 'Ada' })
    const customerId = customer.body.data._id
    const [id, other] = [await begin({ customerId }), await begin({ customerId })]
    await send('PUT', `/api/v1/conversations/${id}`, { subject: 'Of Ada' })
    const exported = JSON.parse((await send('GET', `/api/v1/customers/${customerId}/export`)).body)
    expect(exported.activities).toHaveLength(3)
    expect(exported.activities).toContainEqual(
      expect.objectContaining({ changes: { subject: { from: 'A lamp', to: 'Of Ada' } } }),
    )
    const left = async (conversationId: string) =>
      (await store.activities.list({ conversationId, page: 1, limit: 10 })).rows.length
    await send('DELETE', `/api/v1/conversations/${id}`, {})
    await vi.waitFor(async () => expect(await left(id)).toBe(0))
    await send('DELETE', `/api/v1/customers/${customerId}`, {})
    await vi.waitFor(async () => expect(await left(other)).toBe(0))
  })
})
