// Runs on both databases by day: of two clicks at once one counts, by a condition on a field that rows of before lack.
import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { textOf } from '../support/system-mail.ts'
import { switchWidgetOn, type Widget, WidgetVisitor } from '../support/widget-visitor.ts'

// Replies that a message offers to a visitor, and the one that the visitor clicks.

let service: RunningService
let receiver: SmtpReceiver
let certificate: TestCertificate
let inbox: MailInbox
let widget: Widget

beforeAll(async () => {
  certificate = await makeCertificate()
  service = await startService()
  copyFileSync(certificate.caFile, path.join(service.dataDir, 'webhook-ca.pem'))
  receiver = await startSmtpReceiver({ certificate })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
  certificate.remove()
})
beforeEach(async () => {
  const smtp = { host: 'localhost', port: receiver.port, security: 'starttls', user: null }
  inbox = await makeMailInbox(service, { transport: 'smtp', smtp })
  widget = await switchWidgetOn(service.url, inbox.owner.token, { replyByMail: { inboxId: inbox.inboxId } })
})

const choices = [
  { id: 'yes', label: 'Yes, please' },
  { id: 'no', label: 'No' },
]

async function beginChat(): Promise<{ visitor: WidgetVisitor; id: string }> {
  const visitor = new WidgetVisitor(service.url)
  await visitor.begin(widget.key)
  const { _id: id } = await visitor.ask('Hello')
  return { visitor, id }
}

async function offer(id: string, body: object = { choices }): Promise<string> {
  const made = await inbox.reply(id, { content: 'Shall we send it?', ...body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.data._id
}

function click(visitor: WidgetVisitor, id: string, choice: object, more: object = {}) {
  const body = { choice, clientMessageId: randomUUID(), ...more }
  return visitor.send('POST', `/api/v1/widget/conversations/${id}/messages`, body)
}

const problemsOf = ({ body }: { body: { details: { field: string; rule: string }[] } }) =>
  body.details.map(({ field, rule }) => [field, rule])

describe('a choice of a visitor', () => {
  it('is a message with the label as its text, for the visitor, the team and the events', async () => {
    const { visitor, id } = await beginChat()
    const messageId = await offer(id)
    const list = `/api/v1/widget/conversations/${id}/messages`
    const before = (await visitor.send('GET', list)).body.data
    expect(before.at(-1)).toMatchObject({ _id: messageId, choices, choice: null })
    const choice = { messageId, choiceId: 'yes' }
    const clicked = await click(visitor, id, choice)
    expect(clicked.status).toBe(201)
    expect(clicked.body.data).toMatchObject({
      content: 'Yes, please',
      direction: 'inbound',
      choice,
      choices: [],
    })
    const [stored, offered] = [await inbox.messageOf(clicked.body.data._id), await inbox.messageOf(messageId)]
    expect(stored).toMatchObject({ content: 'Yes, please', choice, choices: [] })
    expect(offered).toMatchObject({ choices, choice: null })
    expect(offered).not.toHaveProperty('chosenIn')
    const events = (await inbox.ask('GET', '/api/v1/events?limit=100')).body.data
    const named = (of: string) => events.filter(({ data }: { data: { _id: string } }) => data._id === of)
    expect(named(messageId)).toMatchObject([{ event: 'message.sent', data: { choices, choice: null } }])
    expect(named(stored._id)).toMatchObject([{ event: 'message.received', data: { choices: [], choice } }])
  })

  it('is the only one of its message: another click is a conflict, also at the same moment, and a repeat is none', async () => {
    const { visitor, id } = await beginChat()
    const messageId = await offer(id)
    const yes = { messageId, choiceId: 'yes' }
    const clientMessageId = randomUUID()
    const all = await Promise.all([
      click(visitor, id, yes, { clientMessageId }),
      ...['yes', 'no', 'no'].map((choiceId) => click(visitor, id, { messageId, choiceId })),
    ])
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    const first = all.find(({ status }) => status === 201)?.body.data
    const refused = await click(visitor, id, yes)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([409, 'CONFLICT', yes])
    const again = await click(visitor, id, first.choice, { clientMessageId: first.clientMessageId })
    expect([again.status, again.body.data]).toEqual([200, first])
    expect(await inbox.messagesOf(id)).toHaveLength(3)
  })

  it('is one that the conversation offers, and has no words of its own', async () => {
    const { visitor, id } = await beginChat()
    const other = await beginChat()
    const [messageId, foreign, plain] = [await offer(id), await offer(other.id), await offer(id, {})]
    const refusals = [
      [{ messageId, choiceId: 'perhaps' }, {}, [['choice.choiceId', 'reference']]],
      [{ messageId: foreign, choiceId: 'yes' }, {}, [['choice.messageId', 'reference']]],
      [{ messageId: plain, choiceId: 'yes' }, {}, [['choice.messageId', 'reference']]],
      [{ messageId: 'msg_unknown', choiceId: 'yes' }, {}, [['choice.messageId', 'reference']]],
      [{ messageId, choiceId: 'yes' }, { content: 'Yes!' }, [['content', 'choice']]],
    ] as const
    for (const [choice, more, problems] of refusals) {
      const refused = await click(visitor, id, choice, more)
      expect([refused.status, problemsOf(refused)]).toEqual([422, problems])
    }
    const without = await click(visitor, id, choices, { choice: null })
    expect([without.status, problemsOf(without)]).toEqual([422, [['content', 'required']]])
  })

  it('is in the export of its customer, and goes with them', async () => {
    const { visitor, id } = await beginChat()
    const messageId = await offer(id)
    const clicked = await click(visitor, id, { messageId, choiceId: 'no' })
    const { customerId } = await inbox.conversationOf(id)
    const data = await inbox.ask('GET', `/api/v1/customers/${customerId._id}/export`)
    expect(data.body).toContain(`"choice":${JSON.stringify({ messageId, choiceId: 'no' })}`)
    expect(data.body).not.toContain('chosenIn')
    const erased = await inbox.ask('DELETE', `/api/v1/customers/${customerId._id}`)
    expect(erased.status).toBe(200)
    expect((await inbox.ask('GET', `/api/v1/messages/${clicked.body.data._id}`)).status).toBe(404)
    expect((await click(visitor, id, { messageId, choiceId: 'yes' })).status).toBeGreaterThanOrEqual(401)
  })
})

describe('the choices of a message', () => {
  it('are at most six with ids of their own and labels of 1 to 40 characters, in replies alone', async () => {
    const { id } = await beginChat()
    const many = Array.from({ length: 7 }, (_, n) => ({ id: `${n}`, label: `${n}` }))
    const refusals = [
      [{ choices: many }, 'choices'],
      [{ choices: [...choices, { id: 'yes', label: 'Again' }] }, 'choices'],
      [{ choices: [{ id: 'yes', label: 'x'.repeat(41) }] }, 'choices.0.label'],
      [{ choices: [{ id: 'yes', label: ' ' }] }, 'choices.0.label'],
      [{ choices: [{ id: '', label: 'Yes' }] }, 'choices.0.id'],
      [{ choices, type: 'note' }, 'choices'],
      [{ choices, direction: 'inbound' }, 'choices'],
    ] as const
    for (const [body, field] of refusals) {
      const refused = await inbox.reply(id, body)
      expect([refused.status, problemsOf(refused)[0]?.[0]]).toEqual([422, field])
    }
    expect((await inbox.messageOf(await offer(id, { choices: many.slice(1) }))).choices).toHaveLength(6)
    const message = { content: 'Hello', type: 'note', choices }
    const begun = await inbox.ask('POST', '/api/v1/conversations', {
      subject: 'A',
      inboxId: inbox.inboxId,
      message,
    })
    expect([begun.status, problemsOf(begun)]).toEqual([422, [['message.choices', 'reply']]])
  })

  it('are a numbered list in a mail and in the transcript', async () => {
    const { _id: customerId } = (
      await inbox.ask('POST', '/api/v1/customers', { firstName: 'Ada', email: 'ada@example.com' })
    ).body.data
    const message = { content: 'Shall we **send** it?', contentType: 'markdown', choices }
    const mailed = await inbox.ask('POST', '/api/v1/conversations', {
      subject: 'A lamp',
      inboxId: inbox.inboxId,
      customerId,
      message,
    })
    expect(mailed.status, JSON.stringify(mailed.body)).toBe(201)
    const rawTo = (address: string) => receiver.mails.find(({ to }) => to.includes(address))?.raw ?? ''
    await expect.poll(() => rawTo('ada@example.com')).not.toBe('')
    const mail = textOf(rawTo('ada@example.com'))
    expect(mail).toMatch(/1\. Yes, please\r?\n2\. No/)
    expect(mail).toContain('<ol><li>Yes, please</li><li>No</li></ol>')

    const { visitor, id } = await beginChat()
    await offer(id)
    await visitor.send('PUT', '/api/v1/widget/sessions/current', { email: 'vera@example.com' })
    const asked = await visitor.send('POST', `/api/v1/widget/conversations/${id}/transcript`)
    expect(asked.status, JSON.stringify(asked.body)).toBe(200)
    await expect.poll(() => rawTo('vera@example.com')).not.toBe('')
    expect(textOf(rawTo('vera@example.com'))).toMatch(/Shall we send it\?\r?\n1\. Yes, please\r?\n2\. No/)
  })
})
