import { type CorpusMail, mail, multipart } from './corpus-mail.ts'

const automated: readonly (readonly [header: string, automated: boolean, noAutoReply: boolean])[] = [
  ['Auto-Submitted: auto-replied', true, false],
  ['Auto-Submitted: auto-generated', true, false],
  ['Auto-Submitted: auto-notified; owner-email="a@x.test"', true, false],
  ['auto-submitted: AUTO-REPLIED', true, false],
  ['Auto-Submitted: no', false, false],
  ['Precedence: bulk', true, false],
  ['Precedence: LIST', true, false],
  ['Precedence: junk', true, false],
  ['Precedence: auto_reply', true, false],
  ['Precedence: first-class', false, false],
  ['List-Id: News <news.example.com>', true, false],
  ['List-Unsubscribe: <https://example.com/u>', true, false],
  ['X-Autoreply: yes', true, false],
  ['X-Autorespond: yes', true, false],
  ['X-MS-Exchange-Inbox-Rules-Loop: ada@example.com', true, false],
  ['Subject: Automatic reply: Broken lamp', true, false],
  ['Subject: =?utf-8?Q?R=C3=A9ponse_automatique_=3A_lampe?=', true, false],
  ['Subject: Abwesenheitsnotiz', true, false],
  ['Subject: \u81ea\u52a8\u56de\u590d: x', true, false],
  ['Subject: Out of office supplies', false, false],
  ['Subject: Automatic replying machine', false, false],
  ['Feedback-ID: 1:campaign:ses', false, true],
  ['Return-Path: <>', false, true],
  ['Return-Path: <ada@example.com>', false, false],
  ['X-Auto-Response-Suppress: All', false, true],
  ['X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply', false, true],
  ['X-Auto-Response-Suppress: RN', false, false],
  ['X-Priority: 1', false, false],
]

const byHeader: readonly CorpusMail[] = automated.map(([header, isAutomated, noAutoReply]) => ({
  name: `machine: ${header}`,
  raw: mail({ headers: [header] }),
  expected: { automated: isAutomated, noAutoReply, bounce: null, content: 'Hello' },
}))

const calendar = (method: string) =>
  `BEGIN:VCALENDAR\nMETHOD:${method}\nBEGIN:VEVENT\nUID:1@example.com\nSUMMARY:Visit\nEND:VEVENT\nEND:VCALENDAR\n`

const calendars: readonly CorpusMail[] = ['REQUEST', 'REPLY', 'CANCEL'].map((method) => ({
  name: `calendar: ${method}`,
  raw: mail(
    multipart('alternative', [
      { type: 'text/plain', body: 'You are invited.' },
      { type: 'text/html', body: '<p>You are invited.</p>' },
      { type: `text/calendar; method=${method}; charset=utf-8`, body: calendar(method) },
    ]),
  ),
  expected: { own: 'You are invited.', contentType: 'html', files: [{ contentType: 'text/calendar' }] },
}))

const calendarFile: CorpusMail = {
  name: 'calendar: a file alone',
  raw: mail({
    headers: ['Content-Type: text/calendar; method=PUBLISH; name="visit.ics"'],
    body: calendar('PUBLISH'),
  }),
  expected: { content: '', files: [{ filename: 'visit.ics', contentType: 'text/calendar' }] },
}

const signature = Buffer.from('a signature')
const signed: readonly CorpusMail[] = [
  {
    name: 'S/MIME: signed in the clear',
    raw: mail(
      multipart('signed; protocol="application/pkcs7-signature"; micalg=sha-256', [
        { type: 'text/plain', body: 'Signed words' },
        {
          type: 'application/pkcs7-signature; name=smime.p7s',
          headers: ['Content-Disposition: attachment; filename=smime.p7s'],
          body: signature,
        },
      ]),
    ),
    expected: { content: 'Signed words', files: [{ filename: 'smime.p7s', size: signature.length }] },
  },
  {
    name: 'S/MIME: opaque',
    raw: mail({
      headers: [
        'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
        'Content-Transfer-Encoding: base64',
      ],
      body: signature.toString('base64'),
    }),
    expected: { content: '', files: [{ filename: 'smime.p7m', size: signature.length }] },
  },
  {
    name: 'PGP: signed',
    raw: mail(
      multipart('signed; protocol="application/pgp-signature"', [
        { type: 'text/plain', body: 'Signed words' },
        { type: 'application/pgp-signature; name=signature.asc', body: '-----BEGIN PGP SIGNATURE-----' },
      ]),
    ),
    expected: { content: 'Signed words', files: [{ filename: 'signature.asc' }] },
  },
  {
    name: 'PGP: encrypted',
    raw: mail(
      multipart('encrypted; protocol="application/pgp-encrypted"', [
        { type: 'application/pgp-encrypted', body: 'Version: 1' },
        { type: 'application/octet-stream; name=encrypted.asc', body: '-----BEGIN PGP MESSAGE-----' },
      ]),
    ),
    expected: {
      content: '',
      files: [{ contentType: 'application/pgp-encrypted' }, { filename: 'encrypted.asc' }],
    },
  },
  {
    name: 'winmail.dat beside a text',
    raw: mail(
      multipart('mixed', [
        { type: 'text/plain', body: 'See the file' },
        { type: 'application/ms-tnef; name="winmail.dat"', body: Buffer.from([0x78, 0x9f, 0x3e, 0x22]) },
      ]),
    ),
    expected: { content: 'See the file', files: [{ filename: 'winmail.dat', size: 4 }] },
  },
  {
    name: 'winmail.dat alone',
    raw: mail({
      headers: ['Content-Type: application/ms-tnef; name=winmail.dat', 'Content-Transfer-Encoding: base64'],
      body: 'eJ8+Ig==',
    }),
    expected: { content: '', files: [{ filename: 'winmail.dat', contentType: 'application/ms-tnef' }] },
  },
]

const tickets: readonly CorpusMail[] = [
  {
    name: 'ticket system: a reply above a line',
    raw: mail({
      headers: ['X-Loop: tickets@other.test'],
      body: '## Please reply above this line ##\n\nWe look at it.',
    }),
    expected: { loopMarks: ['tickets@other.test'] },
  },
  {
    name: 'ticket system: several loop marks',
    raw: mail({ headers: ['X-Loop: a', 'X-Loop: b'] }),
    expected: { loopMarks: ['a', 'b'] },
  },
  {
    name: 'ticket system: a Reply-To of its own',
    raw: mail({ headers: ['Reply-To: Tickets <t+12@other.test>', 'Auto-Submitted: auto-generated'] }),
    expected: { automated: true, replyTo: [{ address: 't+12@other.test', name: 'Tickets' }] },
  },
  {
    name: 'ticket system: a thread of many references',
    raw: mail({
      headers: [`References: ${Array.from({ length: 60 }, (_, n) => `<${n}@x.test>`).join('\r\n ')}`],
    }),
    expected: { references: Array.from({ length: 60 }, (_, n) => `${n}@x.test`) },
  },
]

export const machineMails: readonly CorpusMail[] = [
  ...byHeader,
  ...calendars,
  calendarFile,
  ...signed,
  ...tickets,
]
