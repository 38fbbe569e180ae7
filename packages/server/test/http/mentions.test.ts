// Runs on both databases by day: who has read what is found by computed columns.

import { beforeEach, expect, test } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague, type Colleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { openLiveStream } from '../support/live-stream.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
let bob: Colleague
let eve: Colleague
let inboxId: string
let id: string

const send = (method: string, path: string, body?: unknown, token = owner.token) =>
  call(running.url, { method, path, token, body })
const data = async (method: string, path: string, body?: unknown, token = owner.token) => {
  const response = await send(method, path, body, token)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
const note = (content: string, token = owner.token) =>
  data('POST', `/api/v1/conversations/${id}/messages`, { content, type: 'note' }, token)
const mentionsOf = (colleague: Colleague, query = '') =>
  data('GET', `/api/v1/users/me/mentions${query}`, undefined, colleague.token)
const readUpTo = (colleague: Colleague, body: object = {}) =>
  data('POST', `/api/v1/conversations/${id}/read`, body, colleague.token)
const countOf = async (colleague: Colleague) => {
  const path = '/api/v1/conversations/counts?view=mentions'
  return (await data('GET', path, undefined, colleague.token)).views.mentions
}
const events = async () => (await send('GET', '/api/v1/events?limit=100')).body.data

beforeEach(async () => {
  owner = await registerTenant(running.url)
  const tenantId: TenantId = owner.tenant._id
  bob = await addColleague(running, { tenantId, role: 'agent' })
  eve = await addColleague(running, { tenantId, role: 'agent' })
  inboxId = (await data('GET', '/api/v1/inboxes'))[0]._id
  id = (await data('POST', '/api/v1/conversations', { subject: 'A lamp', inboxId }))._id
})

test('a note mentions users of the team: each has a mention, an event after that of the note, and a count', async () => {
  const stranger = 'usr_01J8ZQ4W7N0000000000000000'
  const written = await note(`@[${bob.userId}] @[${owner.user._id}] @[${stranger}] @[${bob.userId}] look`)
  expect(written.mentions).toEqual([bob.userId])
  const [mention, ...others] = await mentionsOf(bob)
  expect(others).toEqual([])
  expect(mention).toEqual({
    _id: expect.stringMatching(/^men_/),
    tenantId: owner.tenant._id,
    conversationId: id,
    messageId: written._id,
    userId: bob.userId,
    by: owner.user._id,
    at: written.createdAt,
    readAt: null,
  })
  expect([await countOf(bob), await countOf(eve)]).toEqual([
    { total: 1, unread: null, isEstimate: false },
    { total: 0, unread: null, isEstimate: false },
  ])
  const last = (await events()).slice(-2)
  expect(last.map(({ event }: { event: string }) => event)).toEqual(['note.created', 'mention.created'])
  expect(last[1].data).toEqual(mention)
})

test('a list with `include=note` has the text of each note and the subject', async () => {
  const written = await note(`@[${bob.userId}] look`)
  const notes = async () => (await mentionsOf(bob, '?include=note')).map((row: { note: unknown }) => row.note)
  expect(await notes()).toEqual([{ subject: 'A lamp', content: `@[${bob.userId}] look` }])
  await data('PUT', `/api/v1/conversations/${id}`, { subject: 'Two lamps' })
  expect(await notes()).toEqual([{ subject: 'Two lamps', content: written.content }])
  expect(await mentionsOf(eve, '?include=note')).toEqual([])
  expect((await send('GET', '/api/v1/users/me/mentions?include=user', undefined, bob.token)).status).toBe(422)
})

test('a reply and a message of a customer mention nobody, whatever they say', async () => {
  const at = `/api/v1/conversations/${id}/messages`
  for (const body of [{}, { direction: 'inbound' }]) {
    const written = await data('POST', at, { content: `@[${bob.userId}]`, ...body })
    expect(written.mentions).toEqual([])
  }
  expect(await mentionsOf(bob)).toEqual([])
})

test('a note that begins a conversation, the note of a key and a note that was a draft mention users too', async () => {
  const content = `For @[${bob.userId}]`
  const message = { content, type: 'note' }
  await data('POST', '/api/v1/conversations', { subject: 'First', inboxId, message })
  const key = await createKey(running.url, owner.token, ['write:conversations', 'read:conversations'])
  await note(content, key)
  const draft = await data('PUT', `/api/v1/conversations/${id}/draft`, message)
  await data('POST', `/api/v1/conversations/${id}/drafts/${draft._id}/send`, {})
  const found = await mentionsOf(bob)
  expect(found.map(({ by }: { by: string | null }) => by)).toEqual([owner.user._id, null, owner.user._id])
})

test('a mention is read with its note: by a look up to it, or by writing behind it', async () => {
  await note(`First @[${bob.userId}]`)
  await note(`Second @[${bob.userId}] @[${eve.userId}]`)
  const unread = async (of: Colleague) => (await mentionsOf(of, '?unread=true')).length
  expect([await unread(bob), await unread(eve)]).toEqual([2, 1])
  await readUpTo(bob, { seq: 1 })
  expect([await unread(bob), (await countOf(bob)).total]).toEqual([1, 1])
  const [read] = await mentionsOf(bob, '?unread=false')
  expect(read.readAt).toEqual(expect.any(String))
  await readUpTo(bob)
  expect([await unread(bob), (await mentionsOf(bob)).length]).toEqual([0, 2])
  await note('On it', eve.token)
  expect([await unread(eve), (await countOf(eve)).total]).toEqual([0, 0])
})

test('notes at the same moment mention each with its own place, so that a look at the first leaves the second', async () => {
  const written = await Promise.all([
    note(`One @[${bob.userId}]`),
    note(`Two @[${bob.userId}]`),
    note('Three'),
  ])
  expect(written).toHaveLength(3)
  await readUpTo(bob, { seq: 0 })
  expect(await mentionsOf(bob, '?unread=true')).toHaveLength(2)
  await readUpTo(bob, { seq: 3 })
  expect(await mentionsOf(bob, '?unread=true')).toEqual([])
})

test('a stream counts mentions as they come, are read, and end with their conversation', async () => {
  const stream = await openLiveStream(running.url, { token: bob.token, query: 'live=true' })
  try {
    const total = () => stream.counts()['mentions']?.total
    await expect.poll(total).toBe(0)
    await note(`One @[${bob.userId}]`)
    await expect.poll(total).toBe(1)
    await readUpTo(bob)
    await expect.poll(total).toBe(0)
    await note(`Two @[${bob.userId}]`)
    await expect.poll(total).toBe(1)
    await data('DELETE', `/api/v1/conversations/${id}`).catch(() => {})
    await expect.poll(total).toBe(0)
  } finally {
    stream.close()
  }
})

test('a mention in a conversation that was merged is read by a look at its target to the end', async () => {
  const { _id: customerId } = await data('POST', '/api/v1/customers', { firstName: 'Kim' })
  const begin = async () =>
    (await data('POST', '/api/v1/conversations', { subject: 'A lamp', inboxId, customerId }))._id
  const [target, source] = [await begin(), await begin()]
  id = source
  await note(`Look @[${bob.userId}]`)
  await data('POST', `/api/v1/conversations/${target}/merge`, { sourceId: source })
  id = target
  await note('Behind it')
  await readUpTo(bob, { seq: 1 })
  expect(await mentionsOf(bob, '?unread=true')).toHaveLength(1)
  await readUpTo(bob)
  expect(await mentionsOf(bob, '?unread=true')).toEqual([])
})

test('mentions end with their conversation and with their user; of who wrote them a removed user stays as an id', async () => {
  await note(`@[${bob.userId}]`, eve.token)
  await note(`@[${eve.userId}]`)
  expect((await send('DELETE', `/api/v1/users/${eve.userId}`)).status).toBe(200)
  const store = running.service.storage.forTenant(owner.tenant._id)
  const left = async (userId: string) =>
    (await store.mentions.listRows({ userId, page: 1, limit: 10 })).rows.map(({ by }) => by)
  await expect.poll(() => left(eve.userId)).toEqual([])
  expect(await left(bob.userId)).toEqual([eve.userId])
  expect((await send('DELETE', `/api/v1/conversations/${id}`)).status).toBe(200)
  await expect.poll(() => left(bob.userId)).toEqual([])
})

test('nobody sees the mentions of another user, and a key has none', async () => {
  await note(`@[${bob.userId}]`)
  expect(await mentionsOf(eve)).toEqual([])
  const key = await createKey(running.url, owner.token, ['read:conversations'])
  expect((await send('GET', '/api/v1/users/me/mentions', undefined, key)).status).toBe(403)
})
