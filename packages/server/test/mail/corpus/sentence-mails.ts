import { type CorpusMail, mail, multipart } from './corpus-mail.ts'

const recipient = 'pat@example.net'
/** Reports in sentences, as programs of thirty years write them. */
const sentences: readonly (readonly [name: string, headers: readonly string[], body: string])[] = [
  [
    'under a title of hyphens',
    ['From: MAILER-DAEMON@mx.example.net', 'Subject: Returned mail: User unknown'],
    `   ----- Transcript of session follows -----\n550 <${recipient}>... User unknown\n\n   ----- Unsent message follows -----\nFrom: help@acme.test\nTo: other@example.net`,
  ],
  [
    'below the headers of the mail',
    ['From: postmaster@mx.example.net', 'Subject: Undeliverable: Lamp'],
    `Your message:\n   From:    help@acme.test\n   Subject: Lamp\n\ncould not be delivered to:\n   ${recipient}\n\n--- End ---\nother@example.net`,
  ],
  [
    'that name nobody, above a mail to one recipient',
    ['From: MAILER-DAEMON@mx.example.net', 'Subject: Returned mail'],
    `421 Deferred\n\n----- Unsent message -----\nFrom: help@acme.test\nTo: Pat <${recipient}>`,
  ],
  [
    'of a sender that wants no reply, under the subject of the mail',
    ['Return-Path: <>', 'From: admin@mx.example.net', 'Subject: Lamp'],
    `Your message did not reach the following recipient(s):\n${recipient}`,
  ],
  [
    'of a mail delivery system',
    ['From: Mail.Delivery.System@mx.example.net', 'Subject: Notice'],
    `Your mail to ${recipient} was refused.`,
  ],
  [
    'under a subject in encoded words',
    ['From: postmaster@mx.example.net', 'Subject: =?utf-8?B?VW56dXN0ZWxsYmFyOiBMYW1wZQ==?='],
    `${recipient} gibt es nicht.`,
  ],
  [
    'of a daemon without a domain',
    ['From: Mail Delivery <MAILER-DAEMON>', 'Subject: Notice'],
    `${recipient} is unknown.`,
  ],
]

const returnedMail = 'Message-ID: <1@acme.test>\nTo: pat@example.net\nSubject: Lamp\n\nHello'
/** Reports that no standard describes, and complaints in the form of one provider. */
export const sentenceMails: readonly CorpusMail[] = [
  ...sentences.map(([name, headers, body]) => ({
    name: `report in sentences: ${name}`,
    raw: mail({ headers: [...headers, 'Content-Type: text/plain; charset=utf-8'], body }),
    expected: { bounce: { form: 'text', recipients: [{ address: recipient }] } },
  })),
  {
    name: 'report: a status in a mail of a daemon that is no report by its type',
    raw: (() => {
      const parts = multipart('mixed', [
        { type: 'text/plain; name=problems.txt', body: 'The following address had problems.' },
        { type: 'message/delivery-status', body: `Original-Recipient: <${recipient}>\nAction: failed\n` },
        { type: 'message/rfc822', body: returnedMail },
      ])
      return mail({ ...parts, headers: ['From: mailer-daemon@mx.example.net', ...parts.headers] })
    })(),
    expected: {
      bounce: { form: 'report', recipients: [{ address: recipient }], returnedMessageId: '1@acme.test' },
    },
  },
  {
    name: 'complaint: a mail that Outlook.com returns',
    raw: (() => {
      const parts = multipart('mixed', [
        { type: 'message/rfc822', body: `X-HmXmrOriginalRecipient: ${recipient}\n${returnedMail}` },
      ])
      return mail({
        ...parts,
        headers: ['Subject:  complaint about message from 192.0.2.7', ...parts.headers],
      })
    })(),
    expected: {
      bounce: { form: 'complaint', recipients: [{ address: recipient }], returnedMessageId: '1@acme.test' },
    },
  },
]
