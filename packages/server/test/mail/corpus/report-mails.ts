import { type CorpusMail, mail, multipart, type Part } from './corpus-mail.ts'
import { sentenceMails } from './sentence-mails.ts'

interface ReportForm {
  server: string
  from: string
  subject: string
  /** Lines of the report about the server. */
  perMessage: readonly string[]
  /** Lines about the recipient, in the order of this server. */
  recipient(state: State): readonly string[]
  returned: 'message/rfc822' | 'text/rfc822-headers' | 'none'
  /** Default: `MAILER-DAEMON` and `<>`. */
  headers?: readonly string[]
}

interface State {
  action: string
  status: string
}

const address = 'Nobody@Example.net'
const forms: readonly ReportForm[] = [
  {
    server: 'Postfix',
    from: 'MAILER-DAEMON@mx.example.net (Mail Delivery System)',
    subject: 'Undelivered Mail Returned to Sender',
    perMessage: [
      'Reporting-MTA: dns; mx.example.net',
      'X-Postfix-Queue-ID: 4RzX1',
      'Arrival-Date: Mon, 23 Nov 2026',
    ],
    recipient: ({ action, status }) => [
      `Final-Recipient: rfc822; ${address}`,
      `Original-Recipient: rfc822;${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Remote-MTA: dns; mx2.example.net',
      'Diagnostic-Code: smtp; 550 5.1.1 no such',
      '    mailbox',
    ],
    returned: 'message/rfc822',
  },
  {
    server: 'Exim',
    from: 'Mail Delivery System <Mailer-Daemon@mail.example.net>',
    subject: 'Mail delivery failed: returning message to sender',
    perMessage: ['Reporting-MTA: dns; mail.example.net'],
    recipient: ({ action, status }) => [
      `Action: ${action}`,
      `Final-Recipient: rfc822;${address}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; no such mailbox',
    ],
    returned: 'text/rfc822-headers',
    headers: ['X-Failed-Recipients: nobody@example.net'],
  },
  {
    server: 'sendmail',
    from: 'Mail Delivery Subsystem <MAILER-DAEMON>',
    subject: 'Returned mail: see transcript for details',
    perMessage: ['Reporting-MTA: dns; smtp.example.net', 'Received-From-MTA: DNS; localhost'],
    recipient: ({ action, status }) => [
      `Final-Recipient: RFC822; <${address}>`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: SMTP; no such mailbox',
    ],
    returned: 'message/rfc822',
  },
  {
    server: 'Exchange',
    from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615@example.net>',
    subject: 'Undeliverable: Broken lamp',
    perMessage: ['Reporting-MTA: dns;ex1.example.net'],
    recipient: ({ action, status }) => [
      `Final-Recipient: rfc822;${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp;no such mailbox',
      'X-Display-Name: Nobody',
    ],
    returned: 'message/rfc822',
  },
  {
    server: 'Google',
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    subject: 'Delivery Status Notification',
    perMessage: ['Reporting-MTA: dns; googlemail.com', 'Arrival-Date: Mon, 23 Nov 2026 02:00:00 -0800 (PST)'],
    recipient: ({ action, status }) => [
      `Final-Recipient: rfc822; ${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; no such mailbox',
      'Last-Attempt-Date: Mon, 23 Nov 2026 02:00:01 -0800 (PST)',
    ],
    returned: 'message/rfc822',
  },
  {
    server: 'Amazon SES',
    from: 'MAILER-DAEMON@eu-west-1.amazonses.com',
    subject: 'Delivery Status Notification (Failure)',
    perMessage: ['Reporting-MTA: dns; a1.smtp-out.eu-west-1.amazonses.com'],
    recipient: ({ action, status }) => [
      `Action: ${action}`,
      `Final-Recipient: rfc822; ${address}`,
      'Diagnostic-Code: smtp; no such mailbox',
      `Status: ${status}`,
    ],
    returned: 'message/rfc822',
  },
  {
    server: 'Courier',
    from: '"Courier mail server at example.net" <@>',
    subject: 'NOTICE: mail delivery status.',
    perMessage: ['Reporting-MTA: dns; courier.example.net', 'Arrival-Date: Mon, 23 Nov 2026 10:00:00 +0000'],
    recipient: ({ action, status }) => [
      `Final-Recipient: rfc822; ${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; no such mailbox',
    ],
    returned: 'text/rfc822-headers',
  },
  {
    server: 'OpenSMTPD',
    from: 'Mailer Daemon <MAILER-DAEMON@obsd.example.net>',
    subject: 'Delivery status notification',
    perMessage: ['Reporting-MTA: dns; obsd.example.net'],
    recipient: ({ action, status }) => [
      `Final-Recipient: rfc822; ${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; no such mailbox',
    ],
    returned: 'none',
  },
]

const states: readonly State[] = [
  { action: 'failed', status: '5.1.1' },
  { action: 'delayed', status: '4.4.1' },
]

function reportOf(form: ReportForm, state: State): CorpusMail {
  const status = [...form.perMessage, '', ...form.recipient(state), ''].join('\n')
  const returned: Part[] =
    form.returned === 'none'
      ? []
      : [{ type: form.returned, body: 'Message-ID: <ours.123@acme.test>\nSubject: Broken lamp\n\n' }]
  const parts = multipart('report; report-type=delivery-status', [
    { type: 'text/plain', body: 'Your mail has not arrived.' },
    { type: 'message/delivery-status', body: status },
    ...returned,
  ])
  const headers = [
    ...(form.headers ?? []),
    `From: ${form.from}`,
    `Subject: ${form.subject}`,
    ...parts.headers,
  ]
  return {
    name: `report of ${form.server}: ${state.action}`,
    raw: mail({ headers, body: parts.body }),
    expected: {
      bounce: {
        recipients: [
          {
            address: 'nobody@example.net',
            ...state,
            text: /no such\s+mailbox$/,
          },
        ],
        returnedMessageId: form.returned === 'none' ? null : 'ours.123@acme.test',
      },
    },
  }
}

const standard = (type: string, status: string, ...returned: Part[]) =>
  mail({
    ...multipart('report; report-type=delivery-status', [
      { type: 'text/plain', body: 'It has not arrived.' },
      { type, body: status },
      ...returned,
    ]),
  })
const failed = (fields: object) => ({ recipients: [fields] })

/** Reports that name their recipient in another way, or in sentences alone. */
const otherReports: readonly CorpusMail[] = [
  {
    name: 'report about an alias, which names both addresses',
    raw: standard(
      'message/delivery-status',
      'Reporting-MTA: dns; x\n\nOriginal-Recipient: rfc822;Ada@Alias.test\nFinal-Recipient: rfc822;box-17@inside.test\nAction: failed\nStatus: 5.1.1\n',
    ),
    expected: {
      automated: true,
      bounce: failed({ address: 'box-17@inside.test', originalAddress: 'ada@alias.test', status: '5.1.1' }),
    },
  },
  {
    name: 'report whose sentences are called a status too',
    raw: mail({
      ...multipart('report; report-type=delivery-status', [
        {
          type: 'message/delivery-status',
          body: 'This mail was not delivered:\n\n<nobody@example.net> is full\n',
        },
        {
          type: 'message/delivery-status',
          body: 'Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; nobody@example.net\nAction: failed\nStatus: 5.2.2\n',
        },
      ]),
    }),
    expected: { bounce: { form: 'report', ...failed({ address: 'nobody@example.net', status: '5.2.2' }) } },
  },
  {
    name: 'report with addresses beyond ASCII',
    raw: standard(
      'message/global-delivery-status',
      'Reporting-MTA: dns; x\n\nFinal-Recipient: utf-8;j\\x{F6}rg@m\u00fcnchen.example\nAction: failed\nStatus: 5.1.1\n',
      { type: 'message/global-headers', body: 'Message-ID: <ours.123@acme.test>\n' },
    ),
    expected: {
      bounce: {
        form: 'report',
        recipients: [{ address: 'j\u00f6rg@xn--mnchen-3ya.example' }],
        returnedMessageId: 'ours.123@acme.test',
      },
    },
  },
  {
    name: 'report of Exim in sentences',
    raw: mail({
      headers: [
        'From: Mail Delivery System <Mailer-Daemon@mx.test>',
        'Subject: Mail delivery failed: returning message to sender',
        'X-Failed-Recipients: nobody@example.net',
        'Return-Path: <>',
      ],
      body: 'A message that you sent could not be delivered.\n\n  nobody@example.net\n    host mx [192.0.2.1]: 550 5.1.1 User unknown\n\n------ This is a copy of the message ------\n\nTo: other@example.net\nMessage-ID: <ours.123@acme.test>\n',
    }),
    expected: {
      noAutoReply: true,
      bounce: {
        form: 'text',
        recipients: [
          { address: 'nobody@example.net', action: 'failed', status: '5.1.1', text: /User unknown/ },
        ],
        returnedMessageId: 'ours.123@acme.test',
      },
    },
  },
  {
    name: 'report of qmail in sentences',
    raw: mail({
      headers: ['From: MAILER-DAEMON@q.example.net', 'Subject: failure notice'],
      body: 'Hi. This is the qmail-send program.\n\n<nobody@example.net>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <help@acme.test>\nTo: other@example.net\n',
    }),
    expected: { bounce: { form: 'text', ...failed({ address: 'nobody@example.net', status: '5.1.1' }) } },
  },
  {
    name: 'report of a delay in sentences',
    raw: mail({
      headers: ['From: postmaster@q.example.net', 'Subject: Delivery delayed', 'Return-Path: <>'],
      body: 'Your mail to nobody@example.net is delayed. It will be retried.',
    }),
    expected: { bounce: { form: 'text', ...failed({ address: 'nobody@example.net', action: 'delayed' }) } },
  },
  {
    name: 'report of a complaint',
    raw: mail({
      ...multipart('report; report-type=feedback-report', [
        { type: 'text/plain', body: 'This is an abuse report' },
        {
          type: 'message/feedback-report',
          body: 'Feedback-Type: abuse\nVersion: 1\nOriginal-Rcpt-To: <nobody@example.net>\n',
        },
        { type: 'message/rfc822', body: 'Message-ID: <ours.123@acme.test>\n\nx\n' },
      ]),
    }),
    expected: {
      automated: true,
      bounce: {
        form: 'complaint',
        recipients: [{ address: 'nobody@example.net', action: 'complaint' }],
        returnedMessageId: 'ours.123@acme.test',
      },
    },
  },
]

/** Mails that look like a report of a mail system, and are none. */
const noReports: readonly CorpusMail[] = [
  {
    name: 'no report: a person whose parcel could not be delivered',
    raw: mail({ body: 'My parcel could not be delivered to pat@example.net.' }),
    expected: { bounce: null },
  },
  {
    name: 'no report: an absence note of a sender that wants no reply',
    raw: mail({ headers: ['Return-Path: <>'], body: 'I am away. Write to pat@example.net.' }),
    expected: { bounce: null },
  },
  {
    name: 'no report: a person of the post office',
    raw: mail({ headers: ['From: Pat <postmaster@example.net>'], body: 'ada@example.net is away.' }),
    expected: { bounce: null, automated: false },
  },
  {
    name: 'no report: a receipt that a mail was read',
    raw: mail(
      multipart('report; report-type=disposition-notification', [
        { type: 'text/plain', body: 'Your mail was read.' },
        {
          type: 'message/disposition-notification',
          body: 'Final-Recipient: rfc822;ada@example.com\nDisposition: manual-action; displayed\n',
        },
      ]),
    ),
    expected: { bounce: null, automated: true, content: 'Your mail was read.' },
  },
  {
    name: 'no report: a report that somebody forwards',
    raw: mail(
      multipart('mixed', [
        { type: 'text/plain', body: 'Look what I got' },
        {
          type: 'message/delivery-status',
          body: 'Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; a@x.test\n',
        },
      ]),
    ),
    expected: { bounce: null, content: 'Look what I got' },
  },
]

export const reportMails: readonly CorpusMail[] = [
  ...forms.flatMap((form) => states.map((state) => reportOf(form, state))),
  ...otherReports,
  ...sentenceMails,
  ...noReports,
]
