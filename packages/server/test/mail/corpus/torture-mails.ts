import { type CorpusMail, mail, multipart } from './corpus-mail.ts'

const many = (count: number, text: string) => text.repeat(count)

/** Mails that no honest program writes, and that are read anyway. */
export const tortureMails: readonly CorpusMail[] = [
  {
    name: 'torture: a boundary that never ends',
    raw: mail({ headers: ['Content-Type: multipart/mixed; boundary=b'], body: '--b\n\nthe words\n' }),
    expected: { content: 'the words' },
  },
  {
    name: 'torture: a boundary that is the beginning of another one',
    raw: mail({
      headers: ['Content-Type: multipart/mixed; boundary=b'],
      body: '--b\n\none\n--bc\nstill one\n--b--\n',
    }),
    expected: { content: /still one/ },
  },
  {
    name: 'torture: lines that end with CR alone',
    raw: mail({
      headers: ['Content-Type: multipart/mixed; boundary=b'],
      body: '--b\n\nthe words\nof two lines\n--b\nContent-Type: text/csv; name=a.csv\nContent-Transfer-Encoding: base64\n\nYQ1i\n--b--\n',
      newline: '\r',
    }),
    expected: {
      from: [{ address: 'ada@example.com', name: 'Ada Lovelace' }],
      subject: 'Broken lamp',
      content: 'the words\nof two lines',
      files: [{ filename: 'a.csv', size: 3 }],
    },
  },
  {
    name: 'torture: a multipart mail without a boundary',
    raw: mail({ headers: ['Content-Type: multipart/mixed'], body: 'the words' }),
    expected: { from: [{ address: 'ada@example.com', name: 'Ada Lovelace' }] },
  },
  {
    name: 'torture: 5,000 links',
    raw: mail({
      headers: ['Content-Type: text/html'],
      body: many(5_000, '<a href="https://x.test/">x</a> '),
    }),
    expected: { contentType: 'html', truncated: true },
  },
  {
    name: 'torture: a text that is longer than a message may be',
    raw: mail({ body: many(30_000, 'words ') }),
    expected: { truncated: true, contentType: 'text' },
  },
  {
    name: 'torture: a line of a megabyte',
    raw: mail({ body: many(1_000_000, 'x') }),
    expected: { truncated: true },
  },
  {
    name: 'torture: a thousand recipients',
    raw: mail({ headers: [`To: ${Array.from({ length: 1_000 }, (_, n) => `a${n}@x.test`).join(',\r\n ')}`] }),
    expected: { content: 'Hello' },
  },
  {
    name: 'torture: a header without a colon, and one without a name',
    raw: mail({ headers: ['no colon here', ': no name', 'X Y: a space in the name'] }),
    expected: { subject: 'Broken lamp', content: 'Hello' },
  },
  {
    name: 'torture: bytes of no charset in a header',
    raw: Buffer.concat([
      Buffer.from('Subject: a'),
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from('b\r\n'),
      mail({}),
    ]),
    expected: { content: 'Hello' },
  },
  {
    name: 'torture: a date of the year 275,760',
    raw: mail({ headers: ['Date: Sat, 13 Sep 275760 00:00:00 GMT'] }),
    expected: { date: null },
  },
  {
    name: 'torture: a date that is none',
    raw: mail({ headers: ['Date: yesterday evening'] }),
    expected: { date: null, dateText: 'yesterday evening' },
  },
  {
    name: 'torture: a Message-ID with white space and brackets',
    raw: mail({ headers: ['Message-ID: < a b@x.test > <c@x.test>'] }),
    expected: { messageId: 'c@x.test' },
  },
  {
    name: 'torture: a Message-ID without brackets',
    raw: mail({ headers: ['Message-ID: a@x.test', 'In-Reply-To: b@x.test'] }),
    expected: { messageId: 'a@x.test', inReplyTo: ['b@x.test'] },
  },
  {
    name: 'torture: In-Reply-To as a sentence',
    raw: mail({ headers: ['In-Reply-To: Your mail of Monday <b@x.test> from Help'] }),
    expected: { inReplyTo: ['b@x.test'] },
  },
  {
    name: 'torture: two subjects',
    raw: mail({ headers: ['Subject: first', 'Subject: second'] }),
    expected: { subject: 'first' },
  },
  {
    name: 'torture: half of a character at the end of a word',
    raw: mail({ headers: ['Subject: =?utf-16?B?2D0=?= end'] }),
    expected: { subject: /end/ },
  },
  {
    name: 'torture: a prototype as parameter',
    raw: mail(
      multipart('mixed; __proto__=x; constructor=y', [
        { type: 'text/plain; __proto__="a"; charset=utf-8', body: 'the words' },
      ]),
    ),
    expected: { content: 'the words' },
  },
  {
    name: 'torture: HTML of a thousand open tags at one level',
    raw: mail({ headers: ['Content-Type: text/html'], body: `${many(1_000, '<br>')}<p>end</p>` }),
    expected: { content: /end/ },
  },
  {
    name: 'torture: only white space',
    raw: mail({ body: ' \n\t\n\u00a0' }),
    expected: { isFolded: false },
  },
  {
    name: 'torture: two results of authentication, of which the topmost counts',
    raw: mail({
      headers: ['Authentication-Results: mx.acme.test; dmarc=fail', 'Authentication-Results: x; dmarc=pass'],
    }),
    expected: { authenticationResults: 'mx.acme.test; dmarc=fail' },
  },
]
