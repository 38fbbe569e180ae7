import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

// A draft of a program that a person edits and sends: the message names both.

const running = useService()
let token: string
let colleague: { token: string; userId: string }
let key: string
let inboxId: string
let id: string

const send = (method: string, path: string, body?: unknown, by = token) =>
  call(running.url, { method, path, token: by, body })
const draftPath = () => `/api/v1/conversations/${id}/draft`
const save = (body: object, by = token) => send('PUT', draftPath(), body, by)
const saved = async (body: object, by = token) => {
  const response = await save(body, by)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body.data
}
const drafts = async () => (await send('GET', `${draftPath()}s`)).body.data
const sendDraft = async (draftId: string, by = token) => {
  const response = await send('POST', `${draftPath()}s/${draftId}/send`, {}, by)
  expect(response.status, JSON.stringify(response.body)).toBe(201)
  return response.body.data
}
const begin = async () =>
  (await send('POST', '/api/v1/conversations', { subject: 'Help', inboxId })).body.data._id
const fileOf = async (by: string) =>
  (await upload(running.url, { token: by, file: new File(['A lamp'], 'lamp.txt') }))._id as string

beforeAll(async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  colleague = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  key = await createKey(running.url, token, ['read:conversations', 'write:conversations', 'read:customers'])
  inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
})
beforeEach(async () => {
  id = await begin()
})

test('the message names the author of the proposal, which ends in the same commit', async () => {
  const proposed = await saved({ content: 'Proposed' }, key)
  const own = await saved({ content: 'Corrected', basedOn: proposed._id })
  expect(own).toMatchObject({ content: 'Corrected', basedOn: proposed._id })
  expect(own).not.toHaveProperty('basedOnAuthor')
  const sent = await sendDraft(own._id)
  expect(sent).toMatchObject({ content: 'Corrected', sender: { type: 'user' }, draftedBy: proposed.author })
  expect(await drafts()).toEqual([])
  const { data } = (await send('GET', '/api/v1/events?types=message.sent&limit=100')).body
  const [event] = data.filter((one: { data: { _id: string } }) => one.data._id === sent._id)
  expect(event.data.draftedBy).toEqual(proposed.author)
})

test('a proposal that has ended meanwhile still names its author, and a save without the field keeps it', async () => {
  const proposed = await saved({ content: 'Proposed' }, key)
  await saved({ content: 'Corrected', basedOn: proposed._id })
  expect((await send('DELETE', `${draftPath()}s/${proposed._id}`)).status).toBe(200)
  expect(await saved({ content: 'Again' })).toMatchObject({ basedOn: proposed._id })
  const own = await saved({ content: 'And again', basedOn: proposed._id })
  const another = await saved({ content: 'Another proposal' }, key)
  expect((await sendDraft(own._id)).draftedBy).toEqual(proposed.author)
  expect(await drafts()).toEqual([another])
})

test('null drops it, and the own draft is none', async () => {
  const proposed = await saved({ content: 'Proposed' }, key)
  await saved({ content: 'Corrected', basedOn: proposed._id })
  const own = await saved({ content: 'Mine', basedOn: null })
  expect(own.basedOn).toBeNull()
  expect(await saved({ content: 'Mine', basedOn: own._id })).toMatchObject({ basedOn: null })
  expect((await sendDraft(own._id)).draftedBy).toBeNull()
  expect(await drafts()).toEqual([proposed])
})

test('a draft that is not in the conversation is a 422', async () => {
  const proposed = await saved({ content: 'Proposed' }, key)
  const here = id
  id = await begin()
  for (const basedOn of [proposed._id, 'drf_unknown']) {
    const refused = await save({ content: 'Mine', basedOn })
    expect([refused.status, refused.body.details]).toMatchObject([
      422,
      [{ field: 'basedOn', rule: 'reference' }],
    ])
  }
  id = here
  expect(await drafts()).toEqual([proposed])
})

test('files of the proposal can be named, and are then those of the own draft', async () => {
  const [kept, left] = [await fileOf(key), await fileOf(key)]
  const proposed = await saved({ content: 'Proposed', attachments: [kept, left] }, key)
  expect((await save({ content: 'Mine', attachments: [kept] })).status).toBe(422)
  const own = await saved({ content: 'Mine', attachments: [kept], basedOn: proposed._id })
  const [theirs] = (await drafts()).filter(({ _id }: { _id: string }) => _id === proposed._id)
  expect(theirs).toMatchObject({ version: 2, attachments: [{ _id: left }] })
  const sent = await sendDraft(own._id)
  expect(sent.attachments.map(({ _id }: { _id: string }) => _id)).toEqual([kept])
  // A file that nobody sent is an upload again.
  expect((await save({ content: 'Mine', attachments: [left] })).status).toBe(200)
})

test('a colleague who sends it names the author of the proposal, and not the person between', async () => {
  const theirs = await saved({ content: 'Theirs' }, colleague.token)
  const own = await saved({ content: 'Mine', basedOn: theirs._id })
  const sent = await sendDraft(own._id, key)
  expect(sent).toMatchObject({ sender: { type: 'api' }, draftedBy: { type: 'user', _id: colleague.userId } })
  const back = await saved({ content: 'Theirs' }, colleague.token)
  const mine = await saved({ content: 'Mine', basedOn: back._id })
  expect((await sendDraft(mine._id, colleague.token)).draftedBy).toEqual(mine.author)
})

test('a planned draft that is sent by the service ends the proposal too', async () => {
  const proposed = await saved({ content: 'Proposed' }, key)
  const sendAt = new Date(Date.now() + 1_000).toISOString()
  await saved({ content: 'Planned', basedOn: proposed._id, sendAt })
  const messages = async () => (await send('GET', `/api/v1/conversations/${id}/messages`)).body.data
  await expect
    .poll(messages, { timeout: 20_000 })
    .toMatchObject([{ content: 'Planned', draftedBy: proposed.author }])
  expect(await drafts()).toEqual([])
})
