import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let tenantId: TenantId
let ownerId: string
let colleague: { token: string; userId: string }
let key: string
let inboxId: string
let id: string

interface Sent {
  by?: string
  headers?: Record<string, string>
}
const send = (method: string, path: string, body?: unknown, { by = token, headers = {} }: Sent = {}) =>
  call(running.url, { method, path, token: by, body, headers })
const own = (path: string) => `/api/v1/conversations/${id}${path}`
const save = (body: object, by = token) => send('PUT', own('/draft'), body, { by })
const read = async (by = token) => (await send('GET', own('/draft'), undefined, { by })).body.data
const list = async () => (await send('GET', own('/drafts'))).body
const sendDraft = (draftId: string, body: object = {}, sent: Sent = {}) =>
  send('POST', own(`/drafts/${draftId}/send`), body, sent)
const saved = async (body: object, by = token) => {
  const response = await save(body, by)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
const messages = async () => (await send('GET', own('/messages'))).body.data
const file = async () =>
  (await upload(running.url, { token, file: new File(['A lamp'], 'lamp.txt') }))._id as string

beforeAll(async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  tenantId = owner.tenant._id
  ownerId = owner.user._id
  colleague = await addColleague(running, { tenantId, role: 'agent' })
  key = await createKey(running.url, token, ['read:conversations', 'write:conversations', 'read:customers'])
  inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
})
beforeEach(async () => {
  id = (await send('POST', '/api/v1/conversations', { subject: 'Help', inboxId })).body.data._id
})

describe('the draft of a conversation', () => {
  it('is null until its author saves one, and belongs to that author alone [own.drafts]', async () => {
    expect(await read()).toBeNull()
    const draft = await saved({ content: 'It is on its w' })
    expect(draft).toEqual({
      _id: expect.stringMatching(/^drf_/),
      tenantId,
      conversationId: id,
      author: { type: 'user', _id: ownerId, name: expect.any(String) },
      type: 'reply',
      content: 'It is on its w',
      contentType: 'text',
      attachments: [],
      to: [],
      cc: [],
      bcc: [],
      basis: { door: 'none', from: null, customerEmail: null },
      recipientsHidden: false,
      sendAt: null,
      sendUnlessReplied: true,
      basedOn: null,
      ifSeq: null,
      sendError: null,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: draft.createdAt,
    })
    expect(await read()).toEqual(draft)
    expect(await read(colleague.token)).toBeNull()
  })

  it('may be empty', async () => {
    expect(await saved({})).toMatchObject({ content: '', version: 1 })
  })

  it('is replaced as a whole, keeps its id, and gets the next version', async () => {
    const first = await saved({ content: 'Once', type: 'note', bcc: ['ada@example.com'] })
    const second = await saved({ content: 'Twice' })
    expect(second).toMatchObject({ _id: first._id, createdAt: first.createdAt, content: 'Twice', version: 2 })
    expect(second).toMatchObject({ type: 'reply', bcc: [] })
  })

  it('is refused with another expected version, and the refusal holds the draft [own.drafts]', async () => {
    const none = await save({ content: 'A', expectedVersion: 1 })
    expect([none.status, none.body.code, none.body.details]).toEqual([409, 'CONFLICT', { draft: null }])
    const draft = await saved({ content: 'A', expectedVersion: 0 })
    for (const expectedVersion of [0, 2]) {
      const refused = await save({ content: 'B', expectedVersion })
      expect([refused.status, refused.body.details]).toEqual([409, { draft }])
    }
    expect(await saved({ content: 'B', expectedVersion: 1 })).toMatchObject({ version: 2 })
    expect(await saved({ content: 'C' })).toMatchObject({ version: 3 })
  })

  it('of two first ones at the same moment, expected to be the first, exactly one is saved', async () => {
    const bodies = ['A', 'B', 'C'].map((content) => ({ content, expectedVersion: 0 }))
    const responses = await Promise.all(bodies.map((body) => save(body)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const draft = await read()
    for (const { status, body } of responses) if (status === 409) expect(body.details).toEqual({ draft })
  })

  it('of many at the same moment without a version, each is saved after the other', async () => {
    const responses = await Promise.all(['A', 'B', 'C', 'D'].map((content) => save({ content })))
    const versions = responses.map(({ body }) => body.data.version)
    expect(versions.sort()).toEqual([1, 2, 3, 4])
    expect((await list()).data).toHaveLength(1)
  })

  it('shows nothing in it that runs in the browser of a colleague', async () => {
    const draft = await saved({ content: '<b>Hi</b><script>alert(1)</script>', contentType: 'html' })
    expect(draft.content).toBe('<b>Hi</b>')
    expect((await saved({ content: '<script>alert(1)</script>', contentType: 'html' })).content).toBe('')
  })

  it('has at most 65,536 characters', async () => {
    expect((await save({ content: 'a'.repeat(65_536) })).status).toBe(200)
    const { status, body } = await save({ content: 'a'.repeat(65_537) })
    expect([status, body.details[0]]).toMatchObject([422, { field: 'content', rule: 'max' }])
  })

  it('changes nothing of the conversation and is no event', async () => {
    const before = (await send('GET', own(''))).body.data
    const draft = await saved({ content: 'It is on its way' })
    await send('DELETE', own(`/drafts/${draft._id}`))
    expect((await send('GET', own(''))).body.data).toEqual(before)
  })

  it('is deleted with its conversation', async () => {
    const draft = await saved({ content: 'It is on its way' })
    await send('DELETE', own(''), {})
    expect((await send('GET', own('/drafts'))).status).toBe(404)
    const store = running.service.storage.forTenant(tenantId)
    await expect.poll(() => store.drafts.find(draft._id)).toBeUndefined()
  })
})

describe('the exports', () => {
  it('of a user hold the drafts and what others have sent of them, and of a customer those about the customer', async () => {
    const customer = (await send('POST', '/api/v1/customers', { firstName: 'Ada' })).body.data
    await send('PUT', own(''), { customerId: customer._id })
    const sent = await saved({ content: 'Sent by a colleague' }, colleague.token)
    const message = (await sendDraft(sent._id)).body.data
    const draft = await saved({ content: 'Not sent' }, colleague.token)
    const exported = async (path: string, by: string) =>
      JSON.parse((await send('GET', path, undefined, { by })).body)
    const ofUser = await exported('/api/data-privacy/export', colleague.token)
    expect(ofUser.drafts).toContainEqual(expect.objectContaining({ _id: draft._id, content: 'Not sent' }))
    expect(ofUser.messagesDrafted).toContainEqual(expect.objectContaining({ _id: message._id }))
    const ofCustomer = await exported(`/api/v1/customers/${customer._id}/export`, token)
    expect(ofCustomer.drafts).toMatchObject([{ _id: draft._id, content: 'Not sent' }])
  })
})

describe('deleting a draft', () => {
  it('succeeds with and without a draft', async () => {
    await saved({ content: 'A' })
    for (let times = 0; times < 2; times++) expect((await send('DELETE', own('/draft'))).status).toBe(200)
    expect(await read()).toBeNull()
  })

  it('of somebody else is for an admin, and of an API key for everybody who may write', async () => {
    const [mine, theirs, proposed] = [
      await saved({ content: 'Mine' }),
      await saved({ content: 'Theirs' }, colleague.token),
      await saved({ content: 'Proposed' }, key),
    ]
    expect(proposed.author).toMatchObject({ type: 'api' })
    expect((await list()).data).toEqual([mine, theirs, proposed])
    const remove = (draftId: string, by: string) =>
      send('DELETE', own(`/drafts/${draftId}`), undefined, { by })
    for (const by of [colleague.token, key]) {
      const refused = await remove(mine._id, by)
      expect([refused.status, refused.body.code]).toEqual([403, 'PERMISSION_DENIED'])
    }
    expect((await remove(proposed._id, colleague.token)).status).toBe(200)
    expect((await remove(theirs._id, token)).status).toBe(200)
    expect((await remove(mine._id, token)).status).toBe(200)
    expect((await remove(mine._id, token)).status).toBe(404)
  })

  it('is not possible by the path of another conversation', async () => {
    const { _id } = await saved({ content: 'Mine' })
    const other = (await send('POST', '/api/v1/conversations', { subject: 'Other', inboxId })).body.data._id
    expect((await send('DELETE', `/api/v1/conversations/${other}/drafts/${_id}`)).status).toBe(404)
    expect((await send('POST', `/api/v1/conversations/${other}/drafts/${_id}/send`, {})).status).toBe(404)
    expect(await read()).not.toBeNull()
  })
})

describe('sending a draft', () => {
  it('makes a message of it and ends it; a repeated request gets the same message [own.drafts]', async () => {
    const { _id } = await saved({ content: 'It is on its way', contentType: 'markdown' })
    const first = await sendDraft(_id)
    expect(first.status).toBe(201)
    expect(first.body.data).toMatchObject({
      type: 'reply',
      direction: 'outbound',
      content: 'It is on its way',
      contentType: 'markdown',
      sender: { type: 'user', _id: ownerId },
      clientMessageId: _id,
      draftedBy: null,
    })
    expect(await read()).toBeNull()
    const again = await sendDraft(_id)
    expect([again.status, again.body.data]).toEqual([200, first.body.data])
    expect(await messages()).toEqual([first.body.data])
  })

  it('makes a note of a note', async () => {
    const { _id } = await saved({ content: 'She called twice', type: 'note' })
    expect((await sendDraft(_id)).body.data).toMatchObject({ type: 'note', direction: 'internal' })
  })

  it('is reported as a reply is', async () => {
    const { _id } = await saved({ content: 'It is on its way' }, key)
    const message = (await sendDraft(_id)).body.data
    const logged = async () => {
      const { data } = (await send('GET', '/api/v1/events?types=message.sent&limit=100')).body
      return data.filter((event: { data: { _id: string } }) => event.data._id === message._id)
    }
    await expect.poll(logged).toHaveLength(1)
    expect((await logged())[0].data).toMatchObject({
      content: 'It is on its way',
      draftedBy: { type: 'api' },
    })
    expect((await send('GET', own(''))).body.data).toMatchObject({
      seq: 1,
      messageCount: 1,
      unread: { count: 0 },
    })
  })

  it('names the author where somebody else sends it [own.drafts]', async () => {
    const proposed = await saved({ content: 'Proposed' }, key)
    const sent = (await sendDraft(proposed._id)).body.data
    expect(sent.sender).toMatchObject({ type: 'user', _id: ownerId })
    expect(sent.draftedBy).toEqual(proposed.author)
    expect((await send('GET', `/api/v1/messages/${sent._id}`)).body.data).toEqual(sent)
    const theirs = await saved({ content: 'Theirs' }, colleague.token)
    expect((await sendDraft(theirs._id, {}, { by: key })).body.data).toMatchObject({
      sender: { type: 'api' },
      draftedBy: { type: 'user', _id: colleague.userId },
    })
  })

  it('is refused with another expected version than the sender has read', async () => {
    const { _id } = await saved({ content: 'Once' }, key)
    const draft = await saved({ content: 'Twice' }, key)
    const refused = await sendDraft(_id, { expectedVersion: 1 })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([409, 'CONFLICT', { draft }])
    expect((await sendDraft(_id, { expectedVersion: 2 })).status).toBe(201)
  })

  it('is refused while it is empty', async () => {
    const { _id } = await saved({})
    const { status, body } = await sendDraft(_id)
    expect([status, body.details[0]]).toMatchObject([422, { field: 'content', rule: 'required' }])
    expect(await read()).not.toBeNull()
  })

  it('of files alone is sent, in whatever markup', async () => {
    const { _id } = await saved({ contentType: 'html', attachments: [await file()] })
    const sent = await sendDraft(_id)
    expect([sent.status, sent.body.data]).toMatchObject([201, { content: '', attachments: [{ size: 6 }] }])
  })

  it('with If-Conversation-Seq is refused after a reply of a colleague, and the draft stays', async () => {
    const { _id } = await saved({ content: 'Mine', attachments: [await file()] })
    const written = await send('POST', own('/messages'), { content: 'Theirs' }, { by: colleague.token })
    const headers = { 'If-Conversation-Seq': '0' }
    const refused = await sendDraft(_id, {}, { headers })
    const { _id: messageId, createdAt: at, sender: by } = written.body.data
    expect([refused.status, refused.body.details]).toEqual([409, { by, at, messageId, seq: 1 }])
    expect(await read()).toMatchObject({ _id, version: 1 })
    const forced = await sendDraft(_id, {}, { headers: { ...headers, Force: 'true' } })
    expect(forced.status).toBe(201)
    expect((await sendDraft(_id, {}, { headers })).status).toBe(200)
  })

  it('with If-Conversation-Seq is never refused for a note', async () => {
    await send('POST', own('/messages'), { content: 'Theirs' }, { by: colleague.token })
    const { _id } = await saved({ content: 'Mine', type: 'note' })
    expect((await sendDraft(_id, {}, { headers: { 'If-Conversation-Seq': '0' } })).status).toBe(201)
  })

  it('by several people at the same moment sends it once', async () => {
    for (let round = 0; round < 5; round++) {
      const { _id } = await saved({ content: `Round ${round}` }, key)
      const senders = [token, colleague.token, key, token]
      const responses = await Promise.all(senders.map((by) => sendDraft(_id, {}, { by })))
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
      expect(new Set(responses.map(({ body }) => body.data._id)).size).toBe(1)
      expect(await messages()).toHaveLength(round + 1)
    }
  })

  it('while its author saves it sends one of the two texts, and loses none', async () => {
    for (let round = 0; round < 8; round++) {
      const { _id, version } = await saved({ content: 'Before' }, key)
      const [sent, changed] = await Promise.all([
        sendDraft(_id, { expectedVersion: version }),
        save({ content: 'After', expectedVersion: version }, key),
      ])
      if (sent.status === 201) {
        expect(sent.body.data.content).toBe('Before')
        expect([changed.status, changed.body.details]).toEqual([409, { draft: null }])
      } else {
        expect([sent.status, sent.body.details.draft.content]).toEqual([409, 'After'])
        expect(changed.status).toBe(200)
        await sendDraft(_id)
      }
    }
  })

  it('of an unknown id is 404, also when a message has that id as its clientMessageId', async () => {
    await send('POST', own('/messages'), { content: 'Hello', clientMessageId: 'mine' })
    for (const draftId of ['mine', 'drf_01J8ZZZZZZZZZZZZZZZZZZZZZZ'])
      expect((await sendDraft(draftId)).status).toBe(404)
  })
})

describe('the files of a draft', () => {
  const store = () => running.service.storage.forTenant(tenantId)
  const dueOf = async (fileId: string) => {
    const due = await running.service.storage.system.across.dueAttachments.due(
      '2999-01-01T00:00:00.000Z',
      1000,
    )
    return due.some(({ row }) => row._id === fileId)
  }

  it('stay as long as the draft names them, and go to its message [own.drafts]', async () => {
    const fileId = await file()
    expect(await dueOf(fileId)).toBe(true)
    const draft = await saved({ content: 'See the file', attachments: [fileId] })
    expect(draft.attachments).toMatchObject([{ _id: fileId, filename: 'lamp.txt', size: 6 }])
    expect(await dueOf(fileId)).toBe(false)
    expect(await saved({ content: 'See it', attachments: [fileId] })).toMatchObject({ version: 2 })
    const sent = (await sendDraft(draft._id)).body.data
    expect(sent.attachments).toEqual(draft.attachments)
    expect(await store().attachments.find(fileId)).toMatchObject({ messageId: sent._id, draftId: null })
    expect((await send('GET', `/api/v1/attachments/${fileId}`)).body).toBe('A lamp')
  })

  it('are refused to every other draft and message', async () => {
    const fileId = await file()
    await saved({ attachments: [fileId] })
    for (const response of [
      await save({ attachments: [fileId] }, key),
      await send('POST', own('/messages'), { content: 'Hi', attachments: [fileId] }),
    ])
      expect([response.status, response.body.details[0]]).toMatchObject([
        422,
        { field: 'attachments.0', rule: 'reference' },
      ])
  })

  it('are uploads without a message again when the draft drops them or is deleted', async () => {
    const [first, second] = [await file(), await file()]
    await saved({ attachments: [first, second] })
    await saved({ attachments: [second] })
    expect([await dueOf(first), await dueOf(second)]).toEqual([true, false])
    await send('DELETE', own('/draft'))
    expect(await dueOf(second)).toBe(true)
    expect(
      (await send('POST', own('/messages'), { content: 'Hi', attachments: [first, second] })).status,
    ).toBe(201)
  })

  it('are deleted with the conversation', async () => {
    const fileId = await file()
    await saved({ attachments: [fileId] })
    await send('DELETE', own(''), {})
    expect((await send('GET', `/api/v1/attachments/${fileId}`)).status).toBe(404)
    await expect.poll(() => store().attachments.find(fileId)).toBeUndefined()
  })
})
