import { type CorpusMail, mail, multipart } from './corpus-mail.ts'

const text = 'Content-Type: text/plain; charset=utf-8'
const base64 = 'Content-Transfer-Encoding: base64'
const printable = 'Content-Transfer-Encoding: quoted-printable'

const encodings: readonly CorpusMail[] = [
  {
    name: 'form: lines end in LF alone',
    raw: mail({ newline: '\n', body: 'a\nb' }),
    expected: { content: 'a\nb' },
  },
  { name: 'form: no body', raw: mail({ body: '' }), expected: { content: '', isFolded: false } },
  {
    name: 'form: nothing but headers, without an empty line',
    raw: Buffer.from('From: ada@example.com\r\nSubject: Broken lamp'),
    expected: { subject: 'Broken lamp', content: '' },
  },
  {
    name: 'form: an envelope line of a mailbox',
    raw: Buffer.concat([Buffer.from('From ada@example.com Mon Nov 23 10:00:00 2026\r\n'), mail({})]),
    expected: { from: [{ address: 'ada@example.com', name: 'Ada Lovelace' }], content: 'Hello' },
  },
  {
    name: 'form: quoted-printable with soft breaks',
    raw: mail({ headers: [text, printable], body: 'Gr=C3=BC=\n=C3=9Fe =3D =E2=82=AC=20' }),
    expected: { content: 'Grüße = €' },
  },
  {
    name: 'form: quoted-printable that is broken',
    raw: mail({ headers: [text, printable], body: 'a=ZZb=\nc = d=c3=bc' }),
    expected: { content: /ü/ },
  },
  {
    name: 'form: base64 with white space and rubbish at its end',
    raw: mail({ headers: [text, base64], body: 'R3LD\n vMOf\tZQ==\n\n' }),
    expected: { content: 'Grüße' },
  },
  {
    name: 'form: base64 without its padding',
    raw: mail({ headers: [text, base64], body: 'R3LDvMOfZQ' }),
    expected: { content: 'Grüße' },
  },
  {
    name: 'form: an unknown transfer encoding',
    raw: mail({ headers: [text, 'Content-Transfer-Encoding: x-unknown'], body: 'as it is' }),
    expected: { content: 'as it is' },
  },
  {
    name: 'form: eight bits without a declaration',
    raw: mail({ body: Buffer.from('Grüße') }),
    expected: { content: 'Grüße' },
  },
  {
    name: 'form: flowed text',
    raw: mail({ headers: [`${text}; format=flowed`], body: 'One \nline.\n\n> quoted \n> words\n' }),
    expected: { content: 'One line.\n\n> quoted words' },
  },
  {
    name: 'form: flowed text without its spaces',
    raw: mail({ headers: [`${text}; format=flowed; delsp=yes`], body: '日本 \n語' }),
    expected: { content: '日本語' },
  },
  {
    name: 'form: control characters',
    raw: mail({ headers: [text], body: 'a\u0000b\u0007c\u001b[31md' }),
    expected: { content: 'abc[31md' },
  },
  {
    name: 'form: HTML that declares its charset itself',
    raw: mail({
      headers: ['Content-Type: text/html'],
      body: Buffer.from('<meta charset="windows-1251"><p>\xcf\xf0\xe8</p>', 'latin1'),
    }),
    expected: { content: '<p>При</p>' },
  },
  {
    name: 'form: HTML that is empty beside a text',
    raw: mail(
      multipart('alternative', [
        { type: 'text/plain', body: 'the words' },
        { type: 'text/html', body: '<html><body><br></body></html>' },
      ]),
    ),
    expected: { content: 'the words', contentType: 'text' },
  },
  {
    name: 'form: a footer of a list below HTML',
    raw: mail(
      multipart('mixed', [
        { type: 'text/html', body: '<p>the words</p>' },
        { type: 'text/plain', body: 'a footer' },
      ]),
    ),
    expected: { content: '<p>the words</p><p>a footer</p>' },
  },
  {
    name: 'form: HTML that wants to run and to load',
    raw: mail({
      headers: ['Content-Type: text/html'],
      body: '<script>x()</script><p onclick="x()">a</p><img src="http://track.test/p.gif"><style>b{}</style><a href="javascript:x()">c</a>',
    }),
    expected: { content: /^(?![\s\S]*(?:script|onclick|src|style))/ },
  },
]

const addresses: readonly (readonly [
  name: string,
  headers: readonly string[],
  expected: CorpusMail['expected'],
])[] = [
  [
    'a quoted name with a comma',
    ['From: "Lovelace, Ada" <Ada@Example.com>'],
    { from: [{ address: 'ada@example.com', name: 'Lovelace, Ada' }] },
  ],
  ['an address alone', ['From: ada@example.com'], { from: [{ address: 'ada@example.com', name: null }] }],
  [
    'a comment as name',
    ['From: ada@example.com (Ada)'],
    { from: [{ address: 'ada@example.com', name: 'Ada' }] },
  ],
  [
    'an address in the name',
    ['From: "boss@acme.test" <eve@example.net>'],
    { from: [{ address: 'eve@example.net', name: 'boss@acme.test' }] },
  ],
  [
    'an encoded comma that is no separator',
    ['From: =?utf-8?Q?Ada=2C_boss=40acme.test?= <ada@example.com>'],
    { from: [{ address: 'ada@example.com', name: 'Ada, boss@acme.test' }] },
  ],
  [
    'two senders in one header',
    ['From: ada@example.com, bob@example.com'],
    {
      from: [
        { address: 'ada@example.com', name: null },
        { address: 'bob@example.com', name: null },
      ],
    },
  ],
  [
    'two From headers',
    ['From: ada@example.com', 'From: bob@example.com'],
    {
      from: [
        { address: 'ada@example.com', name: null },
        { address: 'bob@example.com', name: null },
      ],
    },
  ],
  ['no sender', ['From: undisclosed'], { from: [] }],
  ['an empty sender', ['From:'], { from: [] }],
  [
    'a group',
    ['To: Team: a@x.test, b@x.test; , c@x.test'],
    {
      to: [
        { address: 'a@x.test', name: null },
        { address: 'b@x.test', name: null },
        { address: 'c@x.test', name: null },
      ],
    },
  ],
  ['an empty group', ['To: undisclosed-recipients:;'], { to: [] }],
  [
    'an address twice',
    ['To: A@x.test, a@x.test', 'Cc: b@x.test'],
    { to: [{ address: 'a@x.test', name: null }], cc: [{ address: 'b@x.test', name: null }] },
  ],
  [
    'an international domain',
    ['From: ada@münchen.example'],
    { from: [{ address: 'ada@xn--mnchen-3ya.example', name: null }] },
  ],
  [
    'a line break that is hidden in an encoded name',
    ['From: =?utf-8?Q?A=0D=0ABcc:_x@x.test?= <ada@example.com>'],
    { from: [{ address: 'ada@example.com', name: 'A Bcc: x@x.test' }] },
  ],
  [
    'where it was delivered',
    ['Delivered-To: one@acme.test', 'X-Original-To: two@acme.test'],
    { deliveredTo: ['one@acme.test', 'two@acme.test'] },
  ],
]

const subjects: readonly (readonly [name: string, header: string, subject: string])[] = [
  ['folded', 'a\r\n b', 'a b'],
  ['of words without white space between them', '=?utf-8?Q?a?==?utf-8?Q?b?=', 'ab'],
  ['of words with white space between them', '=?utf-8?Q?a?= =?utf-8?Q?b?=', 'ab'],
  ['with a character in two words', '=?utf-8?B?w7w=?= =?utf-8?B?ww==?= =?utf-8?B?nw==?=', 'üß'],
  ['with spaces in a word', '=?utf-8?Q?a b?=', 'a b'],
  ['with a question mark in a word', '=?utf-8?Q?why??=', 'why?'],
  ['with text around a word', 'Re: =?iso-8859-1?Q?Gr=FC=DFe?= (2)', 'Re: Grüße (2)'],
  ['that is no word', '=?utf-8?X?a?=', '=?utf-8?X?a?='],
  ['in raw UTF-8', 'Grüße', 'Grüße'],
  ['empty', '', ''],
  ['with a language', '=?utf-8*de?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
]

const names: readonly (readonly [name: string, disposition: string, filename: string | null])[] = [
  ['plain', 'attachment; filename=a.pdf', 'a.pdf'],
  ['in quotes', 'attachment; filename="a b.pdf"', 'a b.pdf'],
  ['encoded', "attachment; filename*=utf-8''Gr%C3%BC%C3%9Fe.pdf", 'Grüße.pdf'],
  ['in pieces', 'attachment; filename*0="long "; filename*1="name.pdf"', 'long name.pdf'],
  ['in encoded pieces', "attachment; filename*0*=utf-8''Gr%C3%BC; filename*1*=%C3%9Fe.pdf", 'Grüße.pdf'],
  ['as words', 'attachment; filename="=?utf-8?B?R3LDvMOfZS5wZGY=?="', 'Grüße.pdf'],
  ['a path', 'attachment; filename="../../etc/passwd"', 'passwd'],
  ['a Windows path', 'attachment; filename="C:\\\\temp\\\\a.pdf"', 'a.pdf'],
  ['missing', 'attachment', 'document.pdf'],
]

const files: readonly CorpusMail[] = names.map(([name, disposition, filename]) => ({
  name: `file: name ${name}`,
  raw: mail(
    multipart('mixed', [
      { type: 'text/plain', body: 'See' },
      {
        type: 'application/pdf',
        headers: [`Content-Disposition: ${disposition}`],
        body: Buffer.from('%PDF'),
      },
    ]),
  ),
  expected: { content: 'See', files: [{ filename, contentType: 'application/pdf', size: 4 }] },
}))

const inner = 'From: bob@example.com\nSubject: Inner\nMessage-ID: <inner@example.com>\n\nInner words'
const trees: readonly CorpusMail[] = [
  {
    name: 'file: an image inside HTML',
    raw: mail(
      multipart('related', [
        { type: 'text/html', body: '<p>See <img src="cid:logo@1"></p>' },
        {
          type: 'image/png; name=logo.png',
          headers: ['Content-ID: <logo@1>', 'Content-Disposition: inline'],
          body: Buffer.from('PNG'),
        },
      ]),
    ),
    expected: {
      content: /^<p>See <img src="[^"]*" alt="" \/><\/p>$/,
      files: [{ filename: 'logo.png', contentId: 'logo@1', isInline: true }],
    },
  },
  {
    name: 'file: a mail inside a mail is a file, and its headers are not ours',
    raw: mail(
      multipart('mixed', [
        { type: 'text/plain', body: 'Forwarded' },
        { type: 'message/rfc822', body: inner },
      ]),
    ),
    expected: {
      content: 'Forwarded',
      messageId: null,
      from: [{ address: 'ada@example.com', name: 'Ada Lovelace' }],
      files: [{ filename: 'Inner.eml', contentType: 'message/rfc822' }],
    },
  },
  {
    name: 'file: a text with a name is a file',
    raw: mail(
      multipart('mixed', [
        { type: 'text/plain', body: 'Words' },
        { type: 'text/plain; name=log.txt', body: 'a log' },
      ]),
    ),
    expected: { content: 'Words', files: [{ filename: 'log.txt' }] },
  },
  {
    name: 'file: an empty one is none',
    raw: mail(
      multipart('mixed', [
        { type: 'text/plain', body: 'Words' },
        { type: 'image/png', body: '' },
      ]),
    ),
    expected: { content: 'Words' },
  },
  {
    name: 'file: alternatives around a file and a text',
    raw: (() => {
      const related = multipart(
        'related',
        [
          { type: 'text/html', body: '<p>HTML</p>' },
          { type: 'image/png', headers: ['Content-ID: <1>'], body: Buffer.from('P') },
        ],
        'inner',
      )
      return mail(
        multipart('alternative', [
          { type: 'text/plain', body: 'text' },
          { type: 'multipart/related; boundary=inner', body: related.body },
        ]),
      )
    })(),
    expected: { content: '<p>HTML</p>', files: [{ contentId: '1', isInline: false }] },
  },
]

export const formMails: readonly CorpusMail[] = [
  ...encodings,
  ...addresses.map(([name, headers, expected]) => ({
    name: `address: ${name}`,
    raw: mail({ headers }),
    expected,
  })),
  ...subjects.map(([name, header, subject]) => ({
    name: `subject ${name}`,
    raw: mail({ headers: [`Subject: ${header}`] }),
    expected: { subject },
  })),
  ...files,
  ...trees,
]
