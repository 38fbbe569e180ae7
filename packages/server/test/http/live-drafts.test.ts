import { expect, it, onTestFinished } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { comeDue } from '../support/come-due.ts'
import { openLiveStream } from '../support/live-stream.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const secret = 'words that nobody has sent yet'

/** Two colleagues at one conversation; the second one has a stream with live events. */
async function openTeam() {
  const owner = await registerTenant(running.url)
  const colleague = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await call(running.url, { method, path, token: owner.token, body })
    expect(reply.body).toMatchObject({ success: true })
    return reply.body.data
  }
  const [inbox] = await send('GET', '/api/v1/inboxes')
  const { _id: id } = await send('POST', '/api/v1/conversations', { subject: 'Help', inboxId: inbox._id })
  const stream = await openLiveStream(running.url, { token: colleague.token, query: 'live=true' })
  onTestFinished(() => stream.close())
  // With this event it has begun.
  await stream.waitForType('counts.changed', 1)
  const store = running.service.storage.forTenant(owner.tenant._id)
  return { send, stream, path: `/api/v1/conversations/${id}`, conversationId: id, store }
}

it('a draft that is saved, discarded or sent is a live event for the team, which never holds its content', async () => {
  const { send, stream, path, conversationId } = await openTeam()
  const first = await send('PUT', `${path}/draft`, { content: secret })
  const [saved] = await stream.waitForType('draft.updated', 1)
  const { _id: draftId, author } = first
  expect(saved?.data).toEqual({ conversationId, draftId, author, version: 1, sendAt: null })
  await send('DELETE', `${path}/draft`)
  const [discarded] = await stream.waitForType('draft.deleted', 1)
  expect(discarded?.data).toMatchObject({ conversationId, draftId })

  const second = await send('PUT', `${path}/draft`, { content: 'This one is sent' })
  await send('POST', `${path}/drafts/${second._id}/send`, {})
  const [, sent] = await stream.waitForType('draft.deleted', 2)
  expect(sent?.data).toMatchObject({ conversationId, draftId: second._id })
  expect(JSON.stringify(stream.messages())).not.toContain(secret)
})

it('a draft that the service sends at its time is a live event, and so is one that it leaves', async () => {
  const { send, stream, path, store } = await openTeam()
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const sent = await send('PUT', `${path}/draft`, { content: 'Later', sendAt })
  await comeDue(store, sent._id)
  const [ended] = await stream.waitForType('draft.deleted', 1)
  expect(ended?.data).toMatchObject({ draftId: sent._id })

  const { _id: draftId } = await send('PUT', `${path}/draft`, { content: 'Later', sendAt })
  await send('POST', `${path}/messages`, { content: 'I am quicker', direction: 'inbound' })
  await comeDue(store, draftId)
  const left = (events: { data: { draftId: string; sendAt: string | null } }[]) =>
    events.some(({ data }) => data.draftId === draftId && data.sendAt === null)
  await expect.poll(async () => left(await stream.waitForType('draft.updated', 1))).toBe(true)
})
