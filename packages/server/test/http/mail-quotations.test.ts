import { beforeEach, expect, test } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let inbox: MailInbox
beforeEach(async () => {
  inbox = await makeMailInbox(service, { displayName: 'Shop', signature: 'Greetings from **the shop**' })
})

interface Quoted {
  content: string
  email: { quotedFrom: number | null; quoted: { from: number; to: number; messageId: string | null }[] }
}
const shown = ({ content, email }: Quoted) =>
  email.quoted.toReversed().reduce((own, { from, to }) => own.slice(0, from) + own.slice(to), content)

const question = 'Which lamp is it, and where do you live?'
/** A conversation that the desk has answered. */
async function askedConversation(text = 'The lamp in our hall is broken') {
  const { conversationId } = await inbox.receive({ text })
  const { body } = await inbox.reply(conversationId, { content: question })
  const headers = [`In-Reply-To: <${body.data.email.messageId}>`, 'Subject: Re: Broken lamp']
  const receive = async (reply: string, more: readonly string[] = []) => {
    const { messageId = '' } = await inbox.receive({ text: reply, headers: [...headers, ...more] })
    return inbox.messageOf(messageId)
  }
  return { conversationId, asked: body.data, receive }
}

test('a reply is folded at the words of the desk, whose message it names, and shows the words between them [own.mail.quotations]', async () => {
  const { asked, receive } = await askedConversation()
  const below = await receive(`Own words here.\r\n\r\nOn Nov 23, 2026 Shop wrote:\r\n\r\n${question}`)
  expect(below.email.quoted).toMatchObject([{ messageId: asked._id, to: below.content.length }])
  expect(below.content.slice(0, below.email.quotedFrom)).toBe('Own words here.\n\n')
  const inline = await receive(`Inline:\r\n> Which lamp is it, and where do\r\n> you live?\r\nIn Berlin`)
  expect(shown(inline)).toBe('Inline:\nIn Berlin')
  expect(inline.email.quotedFrom).toBeNull()
})

test('a reply is folded with the signature and the own mail that the desk has sent below its words', async () => {
  const { asked, receive } = await askedConversation()
  const { createdAt } = (await inbox.messagesOf(asked.conversationId))[0]
  const intro = `On ${createdAt.slice(0, 16).replace('T', ' ')} UTC, Ada wrote:`
  const quotation = [
    question,
    '',
    '-- ',
    'Greetings from **the shop**',
    '',
    intro,
    '> The lamp in our hall is broken',
  ]
  const reply = await receive(['Blue', '', ...quotation.map((line) => `> ${line}`)].join('\r\n'))
  expect(reply.content.slice(0, reply.email.quotedFrom)).toBe('Blue\n\n')
})

test('a reply is folded with the signature of the time at which the desk wrote, also after two other ones', async () => {
  const { receive } = await askedConversation()
  const setSignature = async (signature: string | null) => {
    const email = { ...inbox.settings, signature }
    const { status, body } = await inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, { email })
    expect([status, body.data.email.signature]).toEqual([200, signature])
    // It is kept for this alone.
    expect(JSON.stringify(body)).not.toContain('earlier')
  }
  await setSignature('Many thanks for your patience')
  await setSignature('Yours, the new owners of the shop')
  const quotation = [question, '', '-- ', 'Greetings from **the shop**'].map((line) => `> ${line}`)
  const reply = await receive(['Blue', '', ...quotation].join('\r\n'))
  expect(reply.content.slice(0, reply.email.quotedFrom)).toBe('Blue\n\n')
  // Words that nobody has sent there are the customer's own.
  const other = await receive(`Blue\r\n\r\n${question}\r\n\r\n-- \r\nMany regards from my own shop`)
  expect(shown(other)).toContain('Many regards from my own shop')
})

test('the first mail of a conversation is shown whole, whatever it looks like', async () => {
  for (const text of [
    'Please handle this.\r\n\r\n---------- Forwarded message ---------\r\nFrom: Zed <zed@x.test>\r\n\r\nMy serial is 99',
    'My contract:\r\n> You pay 300 EUR',
    'Berlin\r\n________________________________\r\nHamburg',
  ]) {
    const { messageId = '' } = await inbox.receive({ text })
    expect((await inbox.messageOf(messageId)).email).toMatchObject({ quoted: [], quotedFrom: null })
  }
})

test('words of the desk that the sender has changed are shown', async () => {
  const { receive } = await askedConversation()
  const forged = await receive(`You wrote:\r\n> Which lamp is it, and where do you hide?\r\n> ${question}`)
  expect(shown(forged)).toContain('where do you hide?')
  expect(shown(forged)).not.toContain(question)
})

test('a mail never learns the words of a note, or of another conversation', async () => {
  const note = 'The customer is not to get any money back from us'
  const other = await askedConversation('My cat has eaten the cable of the lamp in June')
  const { conversationId, receive } = await askedConversation()
  const { status } = await inbox.ask('POST', `/api/v1/conversations/${conversationId}/messages`, {
    content: note,
    type: 'note',
  })
  expect(status).toBe(201)
  expect(other.conversationId).not.toBe(conversationId)
  const guess = await receive(`Hm\r\n> ${note}\r\n> My cat has eaten the cable of the lamp in June`)
  expect(guess.email.quoted).toEqual([])
})
