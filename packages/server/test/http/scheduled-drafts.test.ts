// Runs on both databases by day: work that is due across tenants.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant, upload } from '../support/call.ts'
import { comeDue as comeDueIn } from '../support/come-due.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let tenantId: TenantId
let ownerId: string
let colleague: { token: string; userId: string }
let inboxId: string
let id: string

const send = (method: string, path: string, body?: unknown, by = token) =>
  call(running.url, { method, path, token: by, body })
const own = (path = '') => `/api/v1/conversations/${id}${path}`
const save = (body: object, by = token) => send('PUT', own('/draft'), body, by)
const say = (body: object, by = token) => send('POST', own('/messages'), body, by)
const draftOf = async (by = token) => (await send('GET', own('/draft'), undefined, by)).body.data
const messages = async () => (await send('GET', own('/messages'))).body.data
const after = (ms: number) => new Date(Date.now() + ms).toISOString()
const dayMs = 24 * 3_600_000
const store = () => running.service.storage.forTenant(tenantId)

/** Saves a draft that is far from due, for what happens until then. */
async function schedule(body: object = {}, by = token): Promise<string> {
  const response = await save({ content: 'Later', sendAt: after(dayMs), ...body }, by)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data._id
}

const comeDue = (draftId: string) => comeDueIn(store(), draftId)
const sentOf = async (draftId: string) =>
  (await messages()).find((message: { clientMessageId: string }) => message.clientMessageId === draftId)
const untilStopped = (by = token) => expect.poll(async () => (await draftOf(by))?.sendError)
const untilSent = (draftId: string) => expect.poll(() => sentOf(draftId)).toBeDefined()

beforeAll(async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  tenantId = owner.tenant._id
  ownerId = owner.user._id
  colleague = await addColleague(running, { tenantId, role: 'agent' })
  inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
})
beforeEach(async () => {
  id = (await send('POST', '/api/v1/conversations', { subject: 'Help', inboxId })).body.data._id
})

describe('the time of a draft', () => {
  it('is in the future', async () => {
    const { status, body } = await save({ content: 'Later', sendAt: after(-1) })
    expect([status, body.details]).toMatchObject([422, [{ field: 'sendAt', rule: 'future' }]])
  })

  it('is at most 366 days away', async () => {
    const { status, body } = await save({ content: 'Later', sendAt: after(366 * dayMs + 60_000) })
    expect([status, body.details]).toMatchObject([422, [{ field: 'sendAt', rule: 'max' }]])
    expect((await save({ content: 'Later', sendAt: after(366 * dayMs - 60_000) })).status).toBe(200)
  })

  it('needs a text or a file', async () => {
    for (const draft of [{}, { content: '<script></script>', contentType: 'html' }]) {
      const { status, body } = await save({ ...draft, sendAt: after(dayMs) })
      expect([status, body.details]).toMatchObject([422, [{ field: 'content', rule: 'required' }]])
    }
  })

  it('is shown, and is removed when the draft is replaced without one', async () => {
    const sendAt = after(dayMs)
    expect((await save({ content: 'Later', sendAt })).body.data).toMatchObject({ sendAt, sendError: null })
    expect((await save({ content: 'Later' })).body.data).toMatchObject({ sendAt: null })
  })
})

describe('a draft whose time has come', () => {
  it('is sent by itself, in the name of its author, who has then read it, and is reported [own.scheduledDrafts]', async () => {
    const { _id, author } = (await save({ content: 'Later', sendAt: after(300) })).body.data
    await untilSent(_id)
    expect(await sentOf(_id)).toMatchObject({ sender: author, content: 'Later', draftedBy: null })
    expect(await draftOf()).toBeNull()
    expect((await send('GET', own())).body.data).toMatchObject({ seq: 1, unread: { count: 0 } })
    const isReported = async () =>
      JSON.stringify((await send('GET', '/api/v1/events?types=message.sent&limit=100')).body).includes(_id)
    await expect.poll(isReported).toBe(true)
  })

  it('of an API key is sent in the name of the key', async () => {
    const key = await createKey(running.url, token, ['write:conversations', 'read:conversations'])
    const draftId = await schedule({}, key)
    await comeDue(draftId)
    await untilSent(draftId)
    expect((await sentOf(draftId)).sender).toMatchObject({ type: 'api' })
  })

  it('takes its files along', async () => {
    const file = await upload(running.url, { token, file: new File(['A lamp'], 'lamp.txt') })
    const draftId = await schedule({ attachments: [file._id] })
    await comeDue(draftId)
    await untilSent(draftId)
    expect((await sentOf(draftId)).attachments).toEqual([file])
  })

  it('is sent with files alone', async () => {
    const file = await upload(running.url, { token, file: new File(['A lamp'], 'lamp.txt') })
    const draftId = await schedule({ content: '', attachments: [file._id] })
    await comeDue(draftId)
    await untilSent(draftId)
    expect(await sentOf(draftId)).toMatchObject({ content: '', attachments: [file] })
  })

  it.each([
    ['a message of the customer', { content: 'Hello?', direction: 'inbound' }],
    ['a reply of a colleague', { content: 'I did it' }],
  ])('is not sent after %s, and says so [own.scheduledDrafts]', async (_, body) => {
    const draftId = await schedule()
    await say(body, colleague.token)
    await comeDue(draftId)
    await untilStopped().toBe('REPLIED')
    expect(await draftOf()).toMatchObject({ _id: draftId, content: 'Later', sendAt: null })
    expect(await messages()).toHaveLength(1)
    // A new save has seen what was written.
    await schedule()
    expect(await draftOf()).toMatchObject({ sendError: null })
    await comeDue(draftId)
    await untilSent(draftId)
  })

  it.each([
    ['a note of a colleague', { content: 'I am on it', type: 'note' }, true],
    ['a reply of its own author', { content: 'One more thing' }, false],
  ])('is sent after %s', async (_, body, isColleague) => {
    const draftId = await schedule()
    await say(body, isColleague ? colleague.token : token)
    await comeDue(draftId)
    await untilSent(draftId)
  })

  it('is sent whatever was written, where sendUnlessReplied is false', async () => {
    const draftId = await schedule({ sendUnlessReplied: false })
    await say({ content: 'Hello?', direction: 'inbound' }, colleague.token)
    await say({ content: 'I did it' }, colleague.token)
    await comeDue(draftId)
    await untilSent(draftId)
  })

  it.each([
    ['a reply', { content: 'I did it' }],
    ['a note', { content: 'I am on it', type: 'note' }],
  ])(
    'is not sent after %s of a colleague that its author has not read, where ifSeq says so',
    async (_, body) => {
      const draftId = await schedule({ sendUnlessReplied: false, ifSeq: 0 })
      await say({ content: 'Hello?', direction: 'inbound' }, colleague.token)
      await say(body, colleague.token)
      await comeDue(draftId)
      await untilStopped().toBe('REPLIED')
      expect(await draftOf()).toMatchObject({ _id: draftId, ifSeq: 0, sendAt: null })
      // Its author has read everything by now.
      await schedule({ sendUnlessReplied: false, ifSeq: 2 })
      await comeDue(draftId)
      await untilSent(draftId)
    },
  )

  it('with ifSeq is sent after messages of the customer and of its own author', async () => {
    const draftId = await schedule({ sendUnlessReplied: false, ifSeq: 0 })
    await say({ content: 'Hello?', direction: 'inbound' }, colleague.token)
    await say({ content: 'One more thing' })
    await comeDue(draftId)
    await untilSent(draftId)
  })

  it('is not sent while its author is inactive, or may not write any more, or the key is revoked [own.scheduledDrafts]', async () => {
    const leaver = await addColleague(running, { tenantId, role: 'agent' })
    const draftId = await schedule({}, leaver.token)
    expect((await send('PUT', `/api/v1/users/${leaver.userId}`, { isActive: false })).status).toBe(200)
    await comeDue(draftId)
    const errorOf = async () => (await store().drafts.find(draftId))?.sendError
    await expect.poll(errorOf).toBe('AUTHOR_GONE')
    const key = await createKey(running.url, token, ['write:conversations', 'read:conversations'])
    const proposed = await schedule({}, key)
    const { rows } = await store().apiKeys.list({ isActive: true, page: 1, limit: 1 })
    await send('DELETE', `/api/tenant/api-keys/${rows[0]?._id}`)
    await comeDue(proposed)
    await expect.poll(async () => (await store().drafts.find(proposed))?.sendError).toBe('AUTHOR_GONE')
    const demoted = await addColleague(running, { tenantId, role: 'agent' })
    const last = await schedule({}, demoted.token)
    await send('PUT', `/api/v1/users/${demoted.userId}`, { role: 'viewer' })
    await comeDue(last)
    await expect.poll(async () => (await store().drafts.find(last))?.sendError).toBe('AUTHOR_GONE')
    expect(await messages()).toEqual([])
  })

  it('is deleted with its author', async () => {
    const leaver = await addColleague(running, { tenantId, role: 'agent' })
    const draftId = await schedule({}, leaver.token)
    expect((await send('DELETE', `/api/v1/users/${leaver.userId}`)).status).toBe(200)
    await expect.poll(() => store().drafts.find(draftId)).toBeUndefined()
    expect(await messages()).toEqual([])
  })

  it('waits while the tenant is suspended, and is sent when it is resumed', async () => {
    const draftId = await schedule()
    const { system } = running.service.storage
    const suspend = async (isSuspended: boolean) => {
      const { version } = (await system.findTenant(tenantId))!
      const write = {
        op: 'update',
        kind: 'tenants',
        id: tenantId,
        expectVersion: version,
        set: { isSuspended },
      } as const
      await system.commit(tenantId, { writes: [write], events: [] })
    }
    await suspend(true)
    await comeDue(draftId)
    const isPostponed = async () => ((await store().drafts.find(draftId))?.dueAt ?? '') > after(30_000)
    await expect.poll(isPostponed).toBe(true)
    expect(await store().drafts.find(draftId)).toMatchObject({ version: 2, sendError: null })
    await suspend(false)
    await comeDue(draftId)
    await expect.poll(async () => store().drafts.find(draftId)).toBeUndefined()
    const { rows } = await store().messages.list({ conversationId: id, page: 1, limit: 1 })
    expect(rows).toMatchObject([{ clientMessageId: draftId, sender: { _id: ownerId } }])
  })

  it('that no message can be made of stays, and names the code of the error', async () => {
    const draftId = await schedule({ to: ['ada@example.com'] })
    await comeDue(draftId)
    await untilStopped().toBe('VALIDATION_ERROR')
    const taken = await schedule()
    await say({ content: 'Mine', clientMessageId: taken })
    await comeDue(taken)
    await untilStopped().toBe('CONFLICT')
  })

  it('is sent once, also by a person at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const draftId = await schedule()
      const [, sent] = await Promise.all([
        comeDue(draftId).catch(() => undefined),
        send('POST', own(`/drafts/${draftId}/send`), {}, colleague.token),
      ])
      expect([200, 201]).toContain(sent.status)
      expect(await messages()).toHaveLength(round + 1)
    }
  })
})

describe('the draft of an e-mail', () => {
  let mail: MailInbox
  let conversationId: string
  const addresses = (list: readonly { address: string }[]) => list.map(({ address }) => address)
  const put = (body: object) => mail.ask('PUT', `/api/v1/conversations/${conversationId}/draft`, body)

  beforeAll(async () => {
    mail = await makeMailInbox(running)
  })
  beforeEach(async () => {
    conversationId = (await mail.receive())['conversationId'] ?? ''
  })

  it('is sent to the recipients that it names', async () => {
    const named = { to: ['bob@example.com'], cc: ['carol@example.com'], bcc: ['dan@example.com'] }
    const draft = (await put({ content: 'Hello', ...named })).body.data
    expect(draft).toMatchObject(named)
    const { status, body } = await mail.ask(
      'POST',
      `/api/v1/conversations/${conversationId}/drafts/${draft._id}/send`,
      {},
    )
    expect([status, body.data.status]).toEqual([201, 'queued'])
    const { to, cc, bcc } = body.data.email
    expect({ to: addresses(to), cc: addresses(cc), bcc: addresses(bcc) }).toEqual(named)
  })

  it('goes at its time to everyone to whom a reply would go', async () => {
    const { _id } = (await put({ content: 'Hello', sendAt: after(300) })).body.data
    const sent = async () => {
      const { body } = await mail.ask('GET', `/api/v1/conversations/${conversationId}/messages`)
      return body.data.find((message: { clientMessageId: string }) => message.clientMessageId === _id)
    }
    await expect.poll(sent).toBeDefined()
    expect(addresses((await sent()).email.to)).toEqual(['ada@example.com'])
  })
})
