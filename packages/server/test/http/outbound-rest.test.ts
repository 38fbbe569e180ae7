import { beforeEach, expect, test } from 'vitest'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let inbox: Awaited<ReturnType<typeof makeMailInbox>>
let eventsToken: string
beforeEach(async () => {
  inbox = await makeMailInbox(service)
  eventsToken = (await inbox.ask('POST', `/api/v1/inboxes/${inbox.inboxId}/events-token`, {})).body.data
    .eventsToken
})

let count = 0
/** Sends one mail to so many strangers, each of whom has a server that takes it. */
async function sent(recipients: number) {
  const opened = await inbox.ask('POST', '/api/v1/conversations', { subject: 'News', inboxId: inbox.inboxId })
  const to = Array.from({ length: recipients }, () => `s${++count}@example.com`)
  const { body } = await inbox.reply(opened.body.data._id, { to })
  await expect.poll(async () => (await inbox.messageOf(body.data._id)).status).toBe('sent')
  return { to, id: body.data._id as string, ref: String(body.data.email.messageId).replace(/@.*/, '') }
}

async function report(
  type: 'HardBounce' | 'SpamComplaint' | 'SoftBounce',
  ref: string,
  email = '',
): Promise<void> {
  const isComplaint = type === 'SpamComplaint'
  const event = {
    RecordType: isComplaint ? type : 'Bounce',
    Type: type,
    Email: email,
    Metadata: { crmkit: ref },
  }
  const response = await fetch(`${service.url}/api/v1/inbound/events/${eventsToken}`, {
    method: 'POST',
    body: JSON.stringify(event),
  })
  expect(response.status).toBe(200)
}

const sendingOf = async () => (await inbox.ask('GET', `/api/v1/inboxes/${inbox.inboxId}`)).body.data.sending
const release = () => inbox.ask('POST', `/api/v1/inboxes/${inbox.inboxId}/release-mail`)
const queued = async () => {
  const opened = await inbox.ask('POST', '/api/v1/conversations', { subject: 'News', inboxId: inbox.inboxId })
  const { body } = await inbox.reply(opened.body.data._id, { to: [`s${++count}@example.com`] })
  return body.data._id as string
}

test('eight addresses that do not exist let the inbox rest: its mail waits, the team knows, and a release sends it', async () => {
  const { to, ref } = await sent(20)
  for (const email of to.slice(0, 7)) await report('HardBounce', ref, email)
  await report('SoftBounce', ref, to[8])
  await report('HardBounce', ref, to[0])
  expect(await sendingOf()).toMatchObject({ state: 'active', since: null })
  await report('HardBounce', ref, to[7])
  expect(await sendingOf()).toMatchObject({
    state: 'resting',
    reason: '8 of the 20 newest recipients do not exist.',
  })
  const id = await queued()
  await expect
    .poll(async () => (await inbox.ask('GET', '/api/v1/doors')).body.data)
    .toMatchObject([{ door: 'rest', part: 'sending', inboxId: inbox.inboxId }])
  // Mail of another tenant leaves meanwhile, so the job has looked at both.
  const other = await makeMailInbox(service)
  const conversation = await other.ask('POST', '/api/v1/conversations', {
    subject: 'News',
    inboxId: other.inboxId,
  })
  const reply = await other.reply(conversation.body.data._id, { to: ['ada@example.com'] })
  await expect.poll(async () => (await other.messageOf(reply.body.data._id)).status).toBe('sent')
  expect((await inbox.messageOf(id)).status).toBe('queued')
  const released = await release()
  expect(released.body.data.sending).toEqual({ state: 'active', since: null, reason: null })
  await expect.poll(async () => (await inbox.messageOf(id)).status).toBe('sent')
  const audit = await inbox.ask('GET', '/api/tenant/audit-log')
  expect(audit.body.data.map(({ action }: { action: string }) => action)).toContain('inbox.mailReleased')
})

test('three reports of spam let it rest too, and an admin releases it once a day', async () => {
  const { to, ref } = await sent(5)
  for (const email of to.slice(0, 3)) await report('SpamComplaint', ref, email)
  expect((await sendingOf()).state).toBe('resting')
  expect((await release()).status).toBe(200)
  expect((await release()).status).toBe(200)
  // The reports before the release count no more.
  await report('SpamComplaint', ref, to[3])
  expect((await sendingOf()).state).toBe('active')
  const again = await sent(5)
  for (const email of again.to.slice(0, 3)) await report('SpamComplaint', again.ref, email)
  expect((await sendingOf()).state).toBe('resting')
  const refused = await release()
  expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE'])
})

test('only the hundred newest recipients count, over all conversations of the inbox', async () => {
  const old = await sent(7)
  for (const email of old.to) await report('HardBounce', old.ref, email)
  for (let each = 0; each < 2; each++) await sent(50)
  const fresh = await sent(3)
  await report('HardBounce', fresh.ref, fresh.to[0])
  expect((await sendingOf()).state).toBe('active')
})
