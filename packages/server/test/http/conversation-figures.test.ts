// Runs on both databases by day: counts that follow every change.
import type { ConversationFigures } from '@crmkit/core'
import { describe, expect, it } from 'vitest'
import { countPage } from '../../src/features/analytics/figures/count-conversations.ts'
import type { Write } from '../../src/ports/change.ts'
import type { ConversationRecord } from '../../src/storage/kinds/conversations.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
const path = '/api/v1/analytics/conversations'
const hourMs = 3_600_000

async function newTeam() {
  const { token, tenant } = await registerTenant(running.url)
  const tenantId = tenant._id as TenantId
  const store = running.service.storage.forTenant(tenantId)
  const ask = async (method: string, to: string, body?: object) => {
    const { status, body: response } = await call(running.url, { method, path: to, token, body })
    expect([to, status < 300]).toEqual([to, true])
    return response.data
  }
  const me: string = (await ask('GET', '/api/v1/users/me'))._id
  const inboxId: string = (await ask('GET', '/api/v1/inboxes'))[0]._id
  return {
    token,
    tenantId,
    store,
    ask,
    me,
    inboxId,
    add: (more: object = {}) => ask('POST', '/api/v1/conversations', { subject: 'Help', inboxId, ...more }),
    /** Stores a conversation as it was at other times. */
    async addStored(from: string, set: Partial<ConversationRecord>) {
      const { version: _, ...row } = (await store.conversations.find(from)) ?? fail()
      const stored: ConversationRecord = { ...row, externalIds: [], labels: [], ...set }
      await store.commit({ writes: [{ op: 'insert', kind: 'conversations', row: stored }], events: [] })
    },
    /** The figures, once every change of before is counted. */
    async figures(query = ''): Promise<ConversationFigures[]> {
      await counted(tenantId)
      return (await call(running.url, { path: `${path}${query}`, token })).body.data
    },
  }
}

function fail(): never {
  throw new Error('There is no such row')
}

async function counted(tenantId: TenantId): Promise<void> {
  const { dueFigures } = running.service.storage.system.across
  await expect.poll(() => dueFigures.of(tenantId, 1), { timeout: 30_000 }).toEqual([])
}

function withFigures(data: readonly ConversationFigures[]): [string | null, number, number, number][] {
  return data
    .map(({ key, created, closed, firstResponse }): [string | null, number, number, number] => [
      key,
      created,
      closed,
      firstResponse.count,
    ])
    .filter(([, ...counts]) => counts.some((count) => count !== 0))
}

describe('Figures of conversations', () => {
  it('follow each change of channel, assignee, labels and state, and a deletion takes all of it back', async () => {
    const { add, ask, figures, me, inboxId } = await newTeam()
    const one = await add({ channel: 'email', labels: ['VIP', 'bug'] })
    await add({ channel: 'chat', labels: ['vip'], assignedTo: me })
    const of = async (groupBy: string) => withFigures(await figures(`?groupBy=${groupBy}`))
    expect(await of('channel')).toEqual([
      ['chat', 1, 0, 0],
      ['email', 1, 0, 0],
    ])
    expect(await of('inbox')).toEqual([[inboxId, 2, 0, 0]])
    const byChannel = async (groupBy: string) =>
      (await figures(`?groupBy=${groupBy}`)).map(({ createdByChannel }) => createdByChannel)
    expect((await byChannel('day')).slice(-2)).toEqual([{}, { chat: 1, email: 1 }])
    expect(await byChannel('channel')).toEqual([null, null])
    expect(await of('agent')).toEqual([
      [null, 1, 0, 0],
      [me, 1, 0, 0],
    ])
    expect(await of('label')).toEqual([
      ['VIP', 2, 0, 0],
      ['bug', 1, 0, 0],
    ])
    const at = `/api/v1/conversations/${one._id}`
    await ask('PUT', at, { assignedTo: me, labels: ['bug'], status: 'closed' })
    await ask('POST', `${at}/messages`, { content: 'Hello' })
    expect(await of('agent')).toEqual([[me, 2, 1, 1]])
    expect(await of('label')).toEqual([
      ['bug', 1, 1, 1],
      ['vip', 1, 0, 0],
    ])
    await ask('PUT', at, { status: 'open' })
    expect(await of('agent')).toEqual([[me, 2, 0, 1]])
    await ask('DELETE', at)
    expect(await of('agent')).toEqual([[me, 1, 0, 0]])
    expect(await of('label')).toEqual([['vip', 1, 0, 0]])
    expect(await of('day')).toEqual([[new Date().toISOString().slice(0, 10), 1, 0, 0]])
  })

  it('lose the conversations of an erased customer, whatever was counted before, and hold nothing of them', async () => {
    const { add, ask, figures, store, tenantId } = await newTeam()
    const customer = await ask('POST', '/api/v1/customers', { firstName: 'Ada' })
    const other = await ask('POST', '/api/v1/customers', { firstName: 'Grace' })
    const mine = await add({ customerId: customer._id, labels: ['private'] })
    await add({ customerId: other._id })
    const moved = await add({ customerId: other._id })
    await figures()
    await ask('PUT', `/api/v1/conversations/${moved._id}`, { customerId: customer._id })
    await ask('DELETE', `/api/v1/customers/${customer._id}`)
    expect(withFigures(await figures('?groupBy=channel'))).toEqual([['email', 1, 0, 0]])
    expect(await figures('?groupBy=label')).toEqual([])
    expect(await store.figureShares.find(mine._id)).toBeUndefined()
    expect(await running.service.storage.system.countRows({ kind: 'figureShares', tenantId })).toBe(1)
  })

  it('count merged conversations once, and each again after an unmerge', async () => {
    const { add, ask, figures } = await newTeam()
    const { _id: customerId } = await ask('POST', '/api/v1/customers', { firstName: 'Ada' })
    const [target, source] = [await add({ customerId }), await add({ customerId })]
    const at = `/api/v1/conversations/${target._id}`
    await ask('POST', `${at}/merge`, { sourceId: source._id })
    expect(withFigures(await figures('?groupBy=channel'))).toEqual([['email', 1, 0, 0]])
    await ask('POST', `/api/v1/conversations/${source._id}/unmerge`)
    expect(withFigures(await figures('?groupBy=channel'))).toEqual([['email', 2, 0, 0]])
  })

  it('measure the time from the first inbound message to the first response, within 5 %', async () => {
    const { add, addStored, figures } = await newTeam()
    const { _id, createdAt } = await add()
    const later = (ms: number) => new Date(Date.parse(createdAt) + ms).toISOString()
    const waits = [60_000, 90_000, 600_000, 7_200_000, 86_400_000 * 3]
    for (const [index, waitMs] of waits.entries())
      await addStored(_id, { _id: `con_w${index}`, firstResponseAt: later(waitMs) })
    const [{ firstResponse } = fail()] = await figures('?groupBy=channel')
    expect(firstResponse.count).toBe(5)
    expect(Math.abs((firstResponse.p50Ms ?? 0) / 600_000 - 1)).toBeLessThan(0.05)
    expect(Math.abs((firstResponse.p90Ms ?? 0) / (86_400_000 * 3) - 1)).toBeLessThan(0.05)
  })

  it('count an imported history at its own times, and nothing that is older than the figures are kept', async () => {
    const { add, addStored, figures } = await newTeam()
    const { _id } = await add()
    const ago = (days: number) => new Date(Date.now() - days * 24 * hourMs).toISOString()
    await addStored(_id, { _id: 'con_old', createdAt: ago(40), closedAt: ago(35), status: 'closed' })
    await addStored(_id, { _id: 'con_ancient', createdAt: ago(900), closedAt: ago(2), status: 'closed' })
    const [start, end] = [ago(41).slice(0, 10), ago(0).slice(0, 10)]
    expect(withFigures(await figures(`?startDate=${start}&endDate=${end}`))).toEqual([
      [ago(40).slice(0, 10), 1, 0, 0],
      [ago(35).slice(0, 10), 0, 1, 0],
      [ago(2).slice(0, 10), 0, 1, 0],
      [end, 1, 0, 0],
    ])
  })

  it('are those of the days and hours of a zone, and a zone of half an hour is rounded', async () => {
    const { add, addStored, figures } = await newTeam()
    const { _id } = await add()
    const year = new Date().getUTCFullYear() - 1
    // In Berlin it is one hour later before the clocks go forward on the last Sunday of March, and two afterwards.
    const sunday = new Date(Date.UTC(year, 2, 31))
    sunday.setUTCDate(31 - sunday.getUTCDay())
    const day = sunday.toISOString().slice(0, 10)
    await addStored(_id, { _id: 'con_night', createdAt: `${day}T00:30:00.000Z` })
    await addStored(_id, { _id: 'con_morning', createdAt: `${day}T01:30:00.000Z` })
    await addStored(_id, { _id: 'con_evening', createdAt: `${day}T22:10:00.000Z` })
    const range = `startDate=${day}&endDate=${day}`
    const hours = async (zone: string) =>
      withFigures(await figures(`?groupBy=hourOfWeek&${range}&timeZone=${zone}`)).map(([key]) => Number(key))
    expect(await hours('Europe/Berlin')).toEqual([6 * 24 + 1, 6 * 24 + 3])
    expect(await hours('UTC')).toEqual([6 * 24, 6 * 24 + 1, 6 * 24 + 22])
    // 00:00–01:00 is 05:30–06:30 in Kolkata, and its middle 06:00.
    expect(await hours('Asia/Kolkata')).toEqual([6 * 24 + 6, 6 * 24 + 7])
    expect(await figures(`?groupBy=hourOfWeek&${range}`)).toHaveLength(168)
  })

  it('leave restricted users out by agent alone, and name deleted ones together', async () => {
    const { add, ask, figures, me, store } = await newTeam()
    const users = []
    for (const name of ['one', 'two'])
      users.push(
        await ask('POST', '/api/v1/users', {
          email: `${name}@${me.slice(4).toLowerCase()}.example`,
          role: 'agent',
        }),
      )
    for (const { _id } of users) {
      const { _id: id } = await add()
      const { version: expectVersion = 0 } = (await store.conversations.find(id)) ?? {}
      const set = { assignedTo: _id, status: 'closed', closedAt: new Date().toISOString() } as const
      const write: Write = { op: 'update', kind: 'conversations', id, expectVersion, set }
      await store.commit({ writes: [write], events: [] })
      await ask('DELETE', `/api/v1/users/${_id}`)
    }
    await add({ assignedTo: me })
    const { version: expectVersion = 0 } = (await store.users.find(me)) ?? {}
    expect(withFigures(await figures('?groupBy=agent'))).toEqual([
      ['former member', 2, 2, 0],
      [me, 1, 0, 0],
    ])
    const restrict = {
      op: 'update',
      kind: 'users',
      id: me,
      expectVersion,
      set: { processingRestricted: true },
    } as const
    await store.commit({ writes: [restrict], events: [] })
    expect(withFigures(await figures('?groupBy=agent'))).toEqual([['former member', 2, 2, 0]])
    expect(withFigures(await figures('?groupBy=channel'))).toEqual([['email', 3, 2, 0]])
  })

  it('hold each change once, however many processes count at the same moment', async () => {
    const { add, ask, figures, tenantId } = await newTeam()
    const { storage } = running.service
    const made = []
    for (let round = 0; round < 5; round++) {
      made.push(await add({ labels: ['bulk'] }))
      await Promise.all(
        Array.from({ length: 4 }, () => countPage({ storage, now: new Date().toISOString() }, tenantId)),
      )
    }
    for (const { _id } of made.slice(0, 2)) await ask('DELETE', `/api/v1/conversations/${_id}`)
    await Promise.all([1, 2].map(() => countPage({ storage, now: new Date().toISOString() }, tenantId)))
    expect(withFigures(await figures('?groupBy=label'))).toEqual([['bulk', 3, 0, 0]])
  })

  it('are those of one tenant, and an API key needs the permission', async () => {
    const [one, other] = [await newTeam(), await newTeam()]
    await one.add()
    expect(withFigures(await one.figures('?groupBy=channel'))).toHaveLength(1)
    expect(await other.figures('?groupBy=channel')).toEqual([])
    const key = await createKey(running.url, one.token, ['read:conversations'])
    expect((await call(running.url, { path, token: key })).status).toBe(403)
  })

  it('without parameters are those of the last 30 days, with zeros, oldest first', async () => {
    const { figures } = await newTeam()
    const days = await figures()
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toEqual({
      key: new Date().toISOString().slice(0, 10),
      created: 0,
      createdByChannel: {},
      closed: 0,
      firstResponse: { count: 0, p50Ms: null, p90Ms: null },
    })
  })

  it.each([
    ['startDate=yesterday', 'startDate'],
    ['endDate=2026-02-30', 'endDate'],
    ['startDate=2026-02-02&endDate=2026-02-01', 'endDate'],
    ['startDate=2020-01-01&endDate=2020-02-01', 'startDate'],
    ['startDate=2025-11-01&endDate=2026-11-10', 'startDate'],
    ['groupBy=customer', 'groupBy'],
    ['timeZone=Mars/Olympus', 'timeZone'],
    ['timeZone=%2B02:00', 'timeZone'],
  ])('refuse %s and name the parameter', async (query, field) => {
    const { token } = await registerTenant(running.url)
    const { status, body } = await call(running.url, { path: `${path}?${query}`, token })
    expect([status, body.details?.[0].field]).toEqual([422, field])
  })
})
