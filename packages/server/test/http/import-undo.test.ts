// Runs on both databases by day: removal of many rows in pages.

import { expect, it } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const base = '/api/extcrm/integrations'

type Ask = ReturnType<typeof asker>
const asker = (token: string) => (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path, token, ...(body !== undefined && { body }) })

/** Imports a contact and a case with a description, and returns the conversation of the case. */
async function importedCase(prepare: (ask: Ask) => Promise<unknown> = async () => {}) {
  const { token } = await registerTenant(running.url)
  const ask = asker(token)
  await prepare(ask)
  const made = await ask('POST', base, { provider: 'file' })
  const path = `${base}/${made.body.data._id}`
  const upload = async (module: string, text: string) => {
    const form = { module, file: new File([text], `${module}.csv`) }
    const response = await call(running.url, { method: 'POST', path: `${path}/files`, token, form })
    expect(response.status, JSON.stringify(response.body)).toBe(201)
    return response.body.data
  }
  const finished = async () => {
    const status = async () => (await ask('GET', `${path}/import/status`)).body.data
    await expect.poll(async () => (await status()).syncStatus).toMatch(/^(idle|failed)$/)
    return (await status()).run
  }
  await upload('Contacts', 'Id,First Name,Email\n1,Ada,ada@people.test')
  await upload('Cases', 'Id,Subject,Description,Contact Id\n7,Lamp,It is broken,1')
  const mapping = { Id: 'id', Subject: 'subject', Description: 'description', 'Contact Id': 'customer' }
  await ask('PUT', `${path}/mapping`, { module: 'Cases', mapping })
  await ask('POST', `${path}/import`, {})
  const run = await finished()
  const [conversation] = (await ask('GET', '/api/v1/conversations')).body.data
  return {
    ask,
    conversation,
    write: async (body: object) => {
      const response = await ask('POST', `/api/v1/conversations/${conversation._id}/messages`, body)
      expect(response.status).toBe(201)
      return response.body.data
    },
    messages: async () => {
      const found = await ask('GET', `/api/v1/conversations/${conversation._id}/messages`)
      return (found.body.data ?? []).map(({ content }: { content: string }) => content)
    },
    undo: async () => {
      expect((await ask('POST', `${path}/imports/${run._id}/undo`)).status).toBe(202)
      const { undo } = await finished()
      const kept = await ask('GET', `${path}/imports/${run._id}/errors?severity=kept`)
      return { undo, kept: kept.body.data as { module: string; externalId: string }[] }
    },
  }
}

const inbound = { content: 'And now it smokes', direction: 'inbound' }
const note = { content: 'Call her', type: 'note' }
const reply = { content: 'We send a new one' }

it.each([
  ['one message of the customer', [inbound]],
  ['a message of the customer, then a note of an agent', [inbound, note]],
  ['a message of the customer, then a reply of an agent', [inbound, reply]],
  ['three messages of the customer', [inbound, inbound, inbound]],
  ['a reply of an agent first', [reply, inbound]],
  ['a note of an agent', [note]],
] as const)(
  'an undo keeps an imported conversation with %s, with all its messages and its customer',
  async (_, sent) => {
    const { ask, conversation, write, messages, undo } = await importedCase()
    for (const body of sent) await write(body)
    const before = await messages()
    expect(before).toHaveLength(1 + sent.length)
    const { undo: ended, kept } = await undo()
    expect(ended).toMatchObject({ status: 'done', removed: 0, kept: 2 })
    expect(kept.map(({ module, externalId }) => [module, externalId]).sort()).toEqual([
      ['Cases', expect.stringMatching(/:7$|^7$/)],
      ['Contacts', expect.stringMatching(/:1$|^1$/)],
    ])
    const found = await ask('GET', `/api/v1/conversations/${conversation._id}`)
    expect(found.body.data).toMatchObject({ customerId: { _id: expect.any(String) } })
    expect(await messages()).toEqual(before)
  },
)

it('an undo removes an imported conversation in which nobody wrote, with its description and its customer', async () => {
  const { ask, conversation, undo } = await importedCase()
  const sent = await ask('GET', `/api/v1/conversations/${conversation._id}/messages`)
  const { undo: ended, kept } = await undo()
  expect([ended, kept]).toMatchObject([{ status: 'done', removed: 2, kept: 0 }, []])
  for (const path of [
    `/api/v1/conversations/${conversation._id}`,
    `/api/v1/messages/${sent.body.data[0]._id}`,
    `/api/v1/customers/${conversation.customerId._id}`,
  ])
    expect((await ask('GET', path)).status).toBe(404)
})

it('an undo keeps an imported customer about whom somebody has written a note', async () => {
  const { ask, undo } = await importedCase()
  const [customer] = (await ask('GET', '/api/v1/customers')).body.data
  const path = `/api/v1/customers/${customer._id}`
  expect((await ask('POST', `${path}/notes`, { content: 'Call her' })).status).toBe(201)
  const { undo: ended, kept } = await undo()
  expect(ended).toMatchObject({ status: 'done', removed: 1, kept: 1 })
  expect(kept.map(({ module }) => module)).toEqual(['Contacts'])
  const notes = (await ask('GET', `${path}/notes`)).body.data
  expect(notes.map(({ content }: { content: string }) => content)).toEqual(['Call her'])
})

it.each([
  ['has never written', 0],
  ['has written', 1],
])('an undo gives a customer who %s the last contact of before', async (_, count) => {
  let path = ''
  const { ask, undo } = await importedCase(async (send) => {
    const { data } = (await send('POST', '/api/v1/customers', { email: 'ada@people.test' })).body
    path = `/api/v1/customers/${data._id}`
    const [inbox] = (await send('GET', '/api/v1/inboxes')).body.data
    const message = { content: 'Hello?', direction: 'inbound' }
    const body = { subject: 'Before', inboxId: inbox._id, customerId: data._id, message }
    if (count > 0) expect((await send('POST', '/api/v1/conversations', body)).status).toBe(201)
  })
  const conversations = (await ask('GET', '/api/v1/conversations?sort=createdAt')).body.data
  expect(conversations).toHaveLength(count + 1)
  const before = count === 0 ? null : conversations[0].lastMessageAt
  const lastContactAt = async () => (await ask('GET', path)).body.data.lastContactAt
  expect(await lastContactAt()).toBe(conversations[count].lastMessageAt)
  expect((await undo()).undo).toMatchObject({ status: 'done', kept: 0 })
  expect(await lastContactAt()).toBe(before)
})

it('the external id of an imported case names no customer: 409, and as a row of many it is refused', async () => {
  const { ask, conversation } = await importedCase()
  const [source, ...rest] = conversation.externalIds[0].split(':')
  const id = encodeURIComponent(rest.join(':'))
  const put = await ask('PUT', `/api/v1/customers/by-external-id/${source}/${id}`, { firstName: 'Kim' })
  expect([put.status, put.body.code]).toEqual([409, 'CONFLICT'])
  const customers = [
    { source, id: rest.join(':'), firstName: 'Kim' },
    { source: 'shop', id: '1', firstName: 'Lee' },
  ]
  const { data } = (await ask('PUT', '/api/v1/customers/by-external-id/bulk', { customers })).body
  expect(data).toMatchObject([
    { result: 'refused', customer: null, problems: [{ field: 'id', rule: 'conflict', in: 'body' }] },
    { result: 'created', customer: { profile: { firstName: 'Lee' } } },
  ])
})
