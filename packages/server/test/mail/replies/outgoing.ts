import { buffer } from 'node:stream/consumers'
import { completeEmail, type Inbox, type Message } from '@crmkit/core'
import { composeMail, introOf, signatureOf } from '../../../src/mail/out/compose-mail.ts'
import { markdownHtml } from '../../../src/mail/out/markdown-html.ts'
import { readBody } from '../../../src/mail/parse/mail-body.ts'
import { readTree } from '../../../src/mail/parse/mail-tree.ts'
import type { QuotedThread } from '../../../src/mail/parse/quotations.ts'
import { plainTextOf } from '../../../src/shared/plain-text.ts'
import type { Language } from './languages.ts'
import type { SentMail } from './programs.ts'

const desk = { name: 'Acme Help', address: 'help@acme.test' }
const customer = { name: 'Ada Lovelace', address: 'ada@example.com' }
const createdAt = '2026-11-23T09:00:00.000Z'
const agent = { firstName: 'Grace', lastName: 'Hopper' }

/** The kinds of mail that a desk sends into a conversation. */
export const templates = {
  text: { contentType: 'text', isQuoting: true, isSigned: true },
  html: { contentType: 'html', isQuoting: true, isSigned: true },
  markdown: { contentType: 'markdown', isQuoting: true, isSigned: true },
  'short text': { contentType: 'text', isQuoting: false, isSigned: false },
  'automatic reply': { contentType: 'text', isQuoting: false, isSigned: false },
} as const
export type Template = keyof typeof templates

const signature =
  '**{{agent.firstName}} {{agent.lastName}}**\n{{inbox.name}} · [shop.test](https://shop.test)'

/** Returns a mail of the desk in the form in which it left, and what its conversation holds. */
export async function sentMail(
  { reply, short, first }: Language,
  template: Template,
): Promise<{ mail: SentMail; thread: QuotedThread }> {
  const { contentType, isQuoting, isSigned } = templates[template]
  const html = markdownHtml(reply)
  const isShort = template === 'short text'
  const content = isShort
    ? short
    : contentType === 'markdown'
      ? reply
      : contentType === 'html'
        ? html
        : plainTextOf(html)
  const inbox = {
    name: 'Acme Help',
    email: { ...completeEmail(undefined), signature: isSigned ? signature : null },
  } as unknown as Inbox
  const quoted = {
    content: first,
    contentType: 'text' as const,
    sender: { type: 'customer' as const, _id: 'cus_1', name: customer.name },
    createdAt,
  }
  const message = {
    _id: 'msg_1',
    content,
    contentType,
    createdAt,
    email: {
      from: desk,
      to: [customer],
      cc: [],
      replyTo: 'help+c1.abcdefghijkl@acme.test',
      subject: 'Re: Lamp',
      messageId: 'm1@acme.test',
      inReplyTo: null,
    },
  } as unknown as Message
  const raw = await buffer(
    composeMail({
      message,
      inbox,
      agent,
      quoted: isQuoting ? { ...quoted, attachments: [] } : undefined,
      references: [],
      providerHeaders: {},
      loopMark: 'mark',
      attachments: [],
      links: [],
      endsAtSeconds: 0,
    }),
  )
  const body = readBody(readTree(raw))
  const sent = signatureOf(inbox, agent)
  const parts = [
    { content, contentType },
    ...(sent === null ? [] : [{ content: sent.text, contentType: 'text' }]),
    ...(isQuoting ? [{ content: introOf(quoted), contentType: 'text' }, quoted] : []),
  ]
  return {
    mail: { text: body.text ?? '', html: body.html ?? '', subject: 'Re: Lamp', desk, customer },
    thread: {
      texts: [
        { messageId: 'msg_1', parts },
        { messageId: 'msg_0', parts: [quoted] },
      ],
      addresses: [desk.address, customer.address],
      names: [desk.name, customer.name],
    },
  }
}
