import { type CorpusMail, htmlMail, mail, multipart } from './corpus-mail.ts'

const calendar =
  'BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:7@example.com\nEND:VEVENT\nEND:VCALENDAR\n'
const otherCalendar = calendar.replace('UID:7', 'UID:8')
const image = { type: 'image/png', headers: ['Content-ID: <a>'], body: Buffer.from('PNG') }

function invitation(second: string): Buffer {
  const alternatives = multipart(
    'alternative',
    [
      { type: 'text/plain', body: 'Come at ten.' },
      { type: 'text/html', body: '<p>Come at ten.</p>' },
      { type: 'text/calendar; charset=UTF-8; method=REQUEST', body: calendar },
    ],
    'inner',
  )
  const file = Buffer.from(second.replaceAll('\n', '\r\n'))
  return mail(
    multipart('mixed', [
      { type: 'multipart/alternative; boundary=inner', body: alternatives.body },
      {
        type: 'application/ics; name="invite.ics"',
        headers: ['Content-Disposition: attachment; filename="invite.ics"'],
        body: file,
      },
    ]),
  )
}

const hiding = [
  'style="display:none"',
  'style="DISPLAY : none !important; color:#fff"',
  'style="max-height:0px;overflow:hidden"',
  'style="opacity:0"',
  'style="visibility: hidden"',
  'hidden',
]
const showing = [
  'style="font-size:0"',
  'style="mso-hide:all"',
  'style="max-height:0"',
  'style="overflow:hidden"',
  'style="display:block"',
  'data-hidden="1"',
]

/** Mails whose words stand where a reader of standards does not look, or where no reader sees them. */
export const layoutMails: readonly CorpusMail[] = [
  {
    name: 'layout: words behind a header that no empty line ends',
    raw: Buffer.from('From: ada@example.com\r\nSubject: Lamp\r\nthe lamp is broken\r\nsince Monday'),
    expected: { subject: 'Lamp', content: 'the lamp is broken\nsince Monday' },
  },
  {
    name: 'layout: a first part directly behind the header',
    raw: Buffer.from(
      'From: ada@example.com\nContent-Type: multipart/mixed; boundary=b\n--b\nContent-Type: text/plain\n\nthe words\n--b--\n',
    ),
    expected: { content: 'the words' },
  },
  {
    name: 'layout: a part whose header no empty line ends',
    raw: mail({
      headers: ['Content-Type: multipart/mixed; boundary=b'],
      body: '--b\nContent-Type: text/plain\nthe words\n--b\nand others\n--b--\n',
    }),
    expected: { content: 'the words\nand others' },
  },
  {
    name: 'layout: a text above HTML that is no alternative of it',
    raw: mail(
      multipart('mixed', [
        { type: 'text/plain', body: 'Scanned: <no> virus' },
        { type: 'text/html', body: '<p>My lamp is broken.</p>' },
      ]),
    ),
    expected: { content: '<p>Scanned: &lt;no&gt; virus</p><p>My lamp is broken.</p>' },
  },
  {
    name: 'layout: a text above HTML with the same words',
    raw: mail(
      multipart('mixed', [
        { type: 'text/plain', body: 'My lamp\nis broken.' },
        { type: 'text/html', body: '<p>My <b>lamp</b> is broken.</p>' },
      ]),
    ),
    expected: { content: '<p>My <b>lamp</b> is broken.</p>' },
  },
  {
    name: 'layout: a report that says its words in the status alone',
    raw: mail(
      multipart('report; report-type=delivery-status', [
        { type: 'message/delivery-status', body: 'Your mail to pat@example.net was not taken.' },
      ]),
    ),
    expected: { content: 'Your mail to pat@example.net was not taken.' },
  },
  {
    name: 'layout: an invitation that is sent as a text and as a file',
    raw: invitation(calendar),
    expected: { files: [{ filename: 'invite.ics', contentType: 'application/ics' }] },
  },
  {
    name: 'layout: two invitations',
    raw: invitation(otherCalendar),
    expected: { files: [{ filename: 'invitation.ics' }, { filename: 'invite.ics' }] },
  },
  ...hiding.map((attribute) => ({
    name: `layout: a line of a newsletter that is hidden by ${attribute}`,
    raw: htmlMail(
      `<div ${attribute}>Only <div>in</div><br> lists</div><p>News</p><span ${attribute}>x</span>!`,
    ),
    expected: { content: '<p>News</p>!' },
  })),
  ...showing.map((attribute) => ({
    name: `layout: an element that ${attribute} does not hide`,
    raw: htmlMail(`<div ${attribute}><span>Hello</span></div><p>News</p>`),
    expected: { content: /Hello/ },
  })),
  {
    name: 'layout: a mail of nothing but hidden words',
    raw: htmlMail('<div style="display:none">Hello</div>', ''),
    expected: { content: /Hello/ },
  },
  {
    name: 'layout: an image that is hidden is a file like others',
    raw: mail(
      multipart('related', [
        { type: 'text/html', body: '<div hidden><img src="cid:a"></div><p>News</p>' },
        image,
      ]),
    ),
    expected: { content: '<p>News</p>', files: [{ isInline: false }] },
  },
]
