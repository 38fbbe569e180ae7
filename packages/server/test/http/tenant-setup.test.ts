// Runs on both databases by day: what is noted once is a patch and a nested value of a row.
import { expect, test } from 'vitest'
import { doorWrites } from '../../src/shared/note-door.ts'
import { call, password } from '../support/call.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

const running = useService()
const path = '/api/tenant/setup'

interface Step {
  id: string
  done: boolean
  doneAt: string | null
  detail: string | null
}

/** A tenant with an inbox that receives mail, and its check-list. */
async function team() {
  const inbox = await makeMailInbox(running)
  const { ask } = inbox
  const read = async () => (await ask('GET', path)).body.data as { steps: Step[]; dismissedAt: string | null }
  const done = async () => (await read()).steps.filter((step) => step.done).map(({ id }) => id)
  const stepOf = async (id: string) => (await read()).steps.find((step) => step.id === id)
  return { ...inbox, read, done, stepOf }
}

async function invite(
  { ask }: Pick<Awaited<ReturnType<typeof team>>, 'ask'>,
  email: string,
): Promise<string> {
  const { inviteToken } = (await ask('POST', '/api/v1/users', { email, role: 'agent' })).body.data
  const body = { token: inviteToken, password }
  const accepted = await call(running.url, { method: 'POST', path: '/api/auth/accept-invite', body })
  expect(accepted.status).toBe(200)
  return accepted.body.data.accessToken
}

test('a new team has done nothing, and sees each step done after it was', async () => {
  const { ask, owner, read, done, stepOf, reply } = await team()
  expect(await read()).toEqual({
    steps: ['channel', 'invite', 'answer', 'notifications'].map((id) => ({
      id,
      done: false,
      doneAt: null,
      detail: null,
    })),
    dismissedAt: null,
    sampleData: null,
  })
  const widget = await switchWidgetOn(running.url, owner.token)
  const visitor = new WidgetVisitor(running.url)
  await visitor.begin(widget.key)
  expect(await done()).toEqual([])
  const { _id, message } = await visitor.ask('Is anybody there?')
  expect(await done()).toEqual(['channel'])
  expect((await stepOf('channel'))?.doneAt).toBe(message.createdAt)
  const note = { type: 'note', content: 'A note is no reply' }
  await ask('POST', `/api/v1/conversations/${_id}/messages`, note)
  expect(await done()).toEqual(['channel'])
  const answer = await reply(_id)
  expect(await done()).toEqual(['channel', 'answer'])
  expect((await stepOf('answer'))?.doneAt).toBe(answer.body.data.createdAt)
  await invite({ ask }, `joins-${_id}@example.com`)
  expect(await done()).toEqual(['channel', 'invite', 'answer'])
  await ask('PUT', path, { notifications: true })
  expect(await done()).toEqual(['channel', 'invite', 'answer', 'notifications'])
})

test('an invitation that is accepted notes the step in the same commit, the first time alone', async () => {
  const { ask, owner, stepOf } = await team()
  const { system } = running.service.storage
  const noted = async () => (await system.findTenant(owner.tenant._id))?.setup?.done.invite
  expect(await noted()).toBeUndefined()
  await invite({ ask }, `one-${owner.tenant._id}@example.com`)
  const at = await noted()
  expect(at).toEqual(expect.any(String))
  await Promise.all(
    ['two', 'three'].map((name) => invite({ ask }, `${name}-${owner.tenant._id}@example.com`)),
  )
  expect(await noted()).toBe(at)
  expect((await stepOf('invite'))?.doneAt).toBe(at)
})

test('a mail that became a conversation is a sign that the channel works, and a step that was seen done stays done', async () => {
  const { ask, receive, stepOf } = await team()
  const { conversationId } = await receive()
  const first = await stepOf('channel')
  expect(first).toMatchObject({ done: true, detail: null })
  expect((await ask('DELETE', `/api/v1/conversations/${conversationId}`)).status).toBe(200)
  expect(await stepOf('channel')).toEqual(first)
})

test('a message that a program writes is no sign of a channel', async () => {
  const { ask, inboxId, done } = await team()
  const body = { subject: 'By a program', inboxId }
  const { _id } = (await ask('POST', '/api/v1/conversations', body)).body.data
  const message = { content: 'Hi', direction: 'inbound' }
  expect((await ask('POST', `/api/v1/conversations/${_id}/messages`, message)).status).toBe(201)
  expect(await done()).toEqual([])
})

test('the list is hidden and shown again, and an empty change changes nothing', async () => {
  const { ask, read, owner } = await team()
  const hidden = await ask('PUT', path, { dismissed: true })
  expect(hidden.body.data.dismissedAt).toEqual(expect.any(String))
  const before = await running.service.storage.system.findTenant(owner.tenant._id)
  expect((await ask('PUT', path, {})).body.data).toEqual(hidden.body.data)
  expect(await running.service.storage.system.findTenant(owner.tenant._id)).toEqual(before)
  await ask('PUT', path, { dismissed: false })
  expect((await read()).dismissedAt).toBeNull()
  expect((await ask('PUT', path, { dismissed: 'yes' })).status).toBe(422)
  expect((await ask('PUT', path, { notifications: false })).status).toBe(422)
})

test('a door of an inbox that stops opens the step and the hidden list again, until it works', async () => {
  const { ask, receive, read, stepOf, store, inboxId } = await team()
  await receive()
  await ask('PUT', path, { dismissed: true })
  const doneAt = (await stepOf('channel'))?.doneAt
  const trouble = { reason: 'The server refuses the sign-in.', isSignInRefused: true }
  const now = new Date().toISOString()
  const [write] = await doorWrites(store, { door: 'server', of: inboxId }, { trouble, now })
  if (write === undefined) throw new Error('The door was not noted')
  await store.commit({ writes: [write], events: [] })
  await expect.poll(async () => (await stepOf('channel'))?.done).toBe(false)
  expect(await stepOf('channel')).toEqual({ id: 'channel', done: false, doneAt, detail: trouble.reason })
  expect((await read()).dismissedAt).toBeNull()
  // An admin who has seen it hides it again.
  expect((await ask('PUT', path, { dismissed: true })).body.data.dismissedAt).toEqual(expect.any(String))
  const row = await store.doors.find(`${inboxId}.server`)
  const longAgo = '2026-01-01T00:00:00.000Z'
  const set = { worksSince: longAgo, checkAt: longAgo }
  const over = {
    op: 'update',
    kind: 'doors',
    id: `${inboxId}.server`,
    expectVersion: row?.version ?? 0,
    set,
  } as const
  await store.commit({ writes: [over], events: [] })
  await expect.poll(async () => (await stepOf('channel'))?.done).toBe(true)
})

test('two admins change the list at once, and both changes are kept', async () => {
  const { ask } = await team()
  const changes = [{ dismissed: true }, { notifications: true }]
  const answers = await Promise.all(changes.map((body) => ask('PUT', path, body)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const { steps, dismissedAt } = (await ask('GET', path)).body.data
  expect([steps[3].done, dismissedAt !== null]).toEqual([true, true])
})
