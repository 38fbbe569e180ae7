import { describe, expect, it } from 'vitest'
import { findQuotations, type KnownText, quotedEnd } from './quotations.ts'

const asked = 'Which lamp is it, and where do you live?'
const text = (content: string, messageId = 'msg_1'): KnownText => ({
  messageId,
  parts: [{ content, contentType: 'text' }],
})
const thread = {
  texts: [
    text(asked),
    text('The lamp in our hall is broken since Monday. It was delivered in May.', 'msg_0'),
  ],
  addresses: ['help@shop.test', 'ada@example.com'],
  names: ['Shop', 'Ada'],
}

/** Returns the content with `[` and `]` around each quotation. */
function folded(content: string, contentType = 'text', given = thread): string {
  const parts: string[] = []
  let at = 0
  for (const { from, to } of findQuotations(content, contentType, given)) {
    parts.push(content.slice(at, from), '[', content.slice(from, to), ']')
    at = to
  }
  return parts.join('') + content.slice(at)
}
const unmarked = (content: string) => content.replace(/[[\]]/g, '')

const quotations: Record<string, string> = {
  'below an announcement with `>`':
    'The blue one.\n\n[On Mon, Nov 23, 2026 at 10:00 AM Shop <help@shop.test> wrote:\n> Which lamp is it, and where do you\n> live?]',
  'below an announcement of two lines':
    'Thanks!\n[On Mon, Nov 23, 2026 at 10:00 AM The Very Long Name Of A Team\n<help@shop.test> wrote:\n\n> Which lamp is it, and where do you live?]',
  'without `>`': `Own words.\n\n[On Nov 23, 2026 Shop wrote:\n\n${asked}]`,
  'of Zoho': `Own words.\n\n[---- On Mon, 23 Nov 2026 10:00:00 +0000 Shop wrote ----\n\n${asked}]`,
  'below headers in Czech': `Own words.\n\n[Od: Shop\nOdesl\u00e1no: pond\u011bl\u00ed 23. listopadu 2026 10:00\nKomu: Ada\nP\u0159edm\u011bt: Lamp\n\n${asked}]`,
  'below headers in Chinese': `\u84dd\u8272\u7684\n\n[\u53d1\u4ef6\u4eba\uff1aShop\n\u53d1\u9001\u65f6\u95f4\uff1a2026\u5e7411\u670823\u65e5 10:00\n\u6536\u4ef6\u4eba\uff1aAda\n\n${asked}]`,
  'below a line that says so': `Ok\n\n[-----Original Message-----\nFrom: Shop\nSent: Monday, November 23, 2026 10:00\nTo: Ada\n\n${asked}]`,
  'without any announcement': `Own words.\n\n[> ${asked}]`,
  'in other case, quotes and line breaks': `Yes\n\n[> WHICH LAMP is it,\n> and "where" do\n> you live]`,
  'with words in between, and two messages':
    'Inline:\n[> Which lamp is it, and where do you live?\n]\nThe blue one\n[>> The lamp in our hall is broken since Monday.\n>> It was delivered in May.\n]\nIn June!',
}

describe('a mail of a conversation', () => {
  for (const [name, content] of Object.entries(quotations)) {
    it(`is folded at what the conversation holds, ${name}`, () => {
      expect(folded(unmarked(content))).toBe(content)
    })
  }

  const own: Record<string, string> = {
    'a changed number':
      'You wrote:\n> We will pay you back 500 EUR in ten days from now on, without any fee.',
    'a changed sentence': '> Which lamp is it, and where do I live?',
    'words behind the quotation on its line': `> ${asked} In Berlin`,
    'a symbol behind the quotation': `> ${asked} \u{1f44d}`,
    'a quotation that nobody wrote': 'My contract says:\n> You pay 300 EUR\n> within ten days\n',
    'two orders that a line divides':
      'Send one to Berlin\n________________________________\nSend one to Hamburg',
    'a table of pipes': 'Prices\n| a | 230 |\n| b | 12 |',
    'lines of a form': 'Von: Ada\nDatum: 2026-11-23 10:00\nNachricht: bitte melden',
    'lines of a shell': 'I run\n> npm start\n> node x.js',
    'a few common words': 'where do you live?\nIn Berlin',
  }
  for (const [name, content] of Object.entries(own)) {
    it(`shows ${name}`, () => {
      const given = {
        ...thread,
        texts: [
          ...thread.texts,
          text('We will pay you back 50 EUR in ten days from now on, without any fee.'),
        ],
      }
      expect(folded(content, 'text', given)).toBe(content)
    })
  }

  it('folds a few first words below their announcement, and a few that go on where a quotation ends', () => {
    const long = 'Hello Ada,\n\nWhich lamp is it?\n\nWhere do you live, and when may we come to look at it?'
    const content =
      '[On Nov 23, 2026 Shop wrote:\nHello Ada,\n]Yes\n[Which lamp is it?\n]Blue\n[Where do you live, and when may we come to look at it?\n]Berlin'
    expect(folded(unmarked(content), 'text', { ...thread, texts: [text(long)] })).toBe(content)
    const alone = 'Which lamp is it?\nBlue'
    expect(folded(alone, 'text', { ...thread, texts: [text(long)] })).toBe(alone)
  })

  it('folds a link behind its words when it leads to where the thread is, and no other one', () => {
    const content = (link: string) => `Ok\n\n> Which lamp is it, and where <${link}> do you live?`
    const known = text(asked.replace('where', '[where](https://shop.test/where)'))
    const given = { ...thread, texts: [known] }
    const wrapped = 'https://safe.example/?url=https%3A%2F%2Fshop.test%2Fwhere&data=1'
    for (const link of ['https://shop.test/where', wrapped])
      expect(folded(content(link), 'text', given)).toBe(content(link).replace(/>.*$/, '[$&]'))
    expect(folded(content('https://photos.test/1'), 'text', given)).toBe(content('https://photos.test/1'))
    const sent = '> Where is the photo of the lamp in your hall that you took?\n<https://shop.test/photo>'
    const asking = text('Where is the photo of the lamp in your hall that you took?')
    expect(folded(sent, 'text', { ...given, texts: [known, asking] })).toMatch(
      /\]<https:\/\/shop.test\/photo>$/,
    )
  })

  it('folds words that seem to begin in the announcement', () => {
    const known = text('Dear Ada,\n\nplease send us the number of the lamp. Yours, who wrote:\n\nDear Bob')
    const content =
      'Ok\n\n[On Nov 23, 2026 Shop, who wrote:\n\n> Dear Ada,\n> please send us the number of the lamp.]'
    expect(folded(unmarked(content), 'text', { ...thread, texts: [known] })).toBe(content)
  })

  it('folds the lines that a program has marked under an announcement with an address of the conversation', () => {
    const content = 'Yes\n\n[On Mon, Nov 23, 2026 at 10:00 Shop <help@shop.test> wrote:\n> Is it?]'
    expect(folded(unmarked(content))).toBe(content)
    const stranger = 'Yes\n\nOn Mon, Nov 23, 2026 at 10:00 Eve <eve@other.test> wrote:\n> Is it?'
    expect(folded(stranger)).toBe(stranger)
    const answered = `${unmarked(content)}\n\nIt is.`
    expect(folded(answered)).toBe(answered)
  })

  it('is shown whole when it is nothing but a quotation', () => {
    expect(folded(`> ${asked}`)).toBe(`> ${asked}`)
  })

  it('knows a reply as it was sent: with its signature and with the mail below it', () => {
    const texts: KnownText[] = [
      {
        messageId: 'msg_2',
        parts: ['Done.', 'Greetings from the Shop', 'On 2026-11-23 10:00 UTC, Ada wrote:', 'Lamp broken'].map(
          (content) => ({ content, contentType: 'text' }),
        ),
      },
    ]
    const content =
      'Thanks\n\n[> Done.\n>\n> -- \n> Greetings from the Shop\n>\n> On 2026-11-23 10:00 UTC, Ada wrote:\n>> Lamp broken]'
    expect(folded(unmarked(content), 'text', { ...thread, texts })).toBe(content)
    expect(findQuotations(unmarked(content), 'text', { ...thread, texts })).toMatchObject([
      { messageId: 'msg_2' },
    ])
  })

  it('in a language without blanks is folded by its characters', () => {
    const question =
      '\u3069\u306e\u30e9\u30f3\u30d7\u3067\u3059\u304b\u3001\u4f4f\u6240\u3092\u6559\u3048\u3066\u304f\u3060\u3055\u3044\u3002'
    const content = `\u9752\u3067\u3059\u3002\n\n[2026\u5e7411\u670823\u65e5 10:00 Shop <help@shop.test>:\n> ${question}]`
    expect(folded(unmarked(content), 'text', { ...thread, texts: [text(question)] })).toBe(content)
  })
})

const html: Record<string, string> = {
  'of Gmail':
    '<div dir="ltr">Blue</div><br />[<div><div dir="ltr">On Mon, Nov 23, 2026 at 10:00 AM Shop &lt;<a href="mailto:help@shop.test">help@shop.test</a>&gt; wrote:<br /></div><blockquote><div>Which lamp is it,<br />and where do you live?</div></blockquote></div>]',
  'of Outlook': `<div><p>Blue</p>[<div style="color:#000"><p><b>From:</b> Shop<br /><b>Sent:</b> Monday, November 23, 2026 10:00<br /><b>To:</b> Ada<br /><b>Subject:</b> Lamp</p></div><p>${asked}</p>]</div>`,
  'with words inside of the container': `<div>Inline</div><div>[<blockquote>${asked}</blockquote>]<div>Blue, serial 4711.</div>[<blockquote>The lamp in our hall is broken since Monday. It was delivered in May.</blockquote>]<div>June</div></div>`,
  'with words in the paragraph of the quotation': `<p>[${asked}]<br /><b>Blue</b><br /></p>`,
}

describe('a mail in HTML', () => {
  for (const [name, content] of Object.entries(html)) {
    it(`is folded ${name}, in whole elements and texts`, () => {
      expect(folded(unmarked(content), 'html')).toBe(content)
    })
  }

  it('knows the numbers of a list in HTML, which a text has in its words', () => {
    const known: KnownText = {
      messageId: 'msg_1',
      parts: [{ content: '<ol start="3"><li>Pull it</li><li>Take a photo</li></ol>', contentType: 'html' }],
    }
    const given = { ...thread, texts: [known] }
    expect(folded('Ok\n> 3. Pull it\n> 4. Take a photo', 'text', given)).toBe(
      'Ok\n[> 3. Pull it\n> 4. Take a photo]',
    )
    const changed = 'Ok\n> 3. Pull it\n> 5. Take a photo'
    expect(folded(changed, 'text', given)).toBe(changed)
  })

  it('shows a few words in the container of a quotation, though the desk has said them too', () => {
    const known = text(
      'Is the lamp blue or is the lamp red? Please tell us by Friday, and add a photo of it.',
    )
    const content = `<blockquote>[<p>Is the lamp blue or is the lamp red? Please tell us by Friday, and add a photo of it.</p>]<p>is the lamp red</p></blockquote>`
    expect(folded(unmarked(content), 'html', { ...thread, texts: [known] })).toBe(content)
  })

  it('shows an image between two quotations', () => {
    const content = `<p>See</p>[<p>${asked}</p>]<p><img src="/a" /></p>`
    expect(folded(unmarked(content), 'html')).toBe(content)
  })

  it('ends in its last quotation when no own words follow', () => {
    const content = `<div><p>Blue</p><p>${asked}</p><br /></div>`
    const found = findQuotations(content, 'html', thread)
    expect(quotedEnd(content, found)).toBe(content.indexOf(`<p>${asked}`))
    const answered = `<p>Blue</p><p>${asked}</p><p>x</p>`
    expect(quotedEnd(answered, findQuotations(answered, 'html', thread))).toBeNull()
  })
})
