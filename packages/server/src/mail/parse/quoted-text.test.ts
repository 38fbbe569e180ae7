import { describe, expect, it } from 'vitest'
import { quotedFromInText } from './quoted-text.ts'
import { safeMailHtml } from './safe-mail-html.ts'

/** `|` stands where the quoted text begins. */
const folded: Record<string, string> = {
  'below an announcement in English':
    'Thanks!\n\n|On Mon, 1 Jan 2024 at 10:00, Ada <a@example.com> wrote:\n> Hi\n> you\n',
  'below an announcement in two lines':
    'Thanks!\n\n|On Mon, 1 Jan 2024 at 10:00, Ada Lovelace\n<a@example.com> wrote:\n\n> Hi',
  'below an announcement in German': 'Danke\n\n|Am 01.01.24 um 10:00 schrieb Ada:\n> Hallo',
  'below an announcement in French': 'Merci\n\n|Le lun. 1 janv. 2024, Ada a écrit :\n> Salut',
  'right below words of the customer': 'Thanks!\n|On Mon, 1 Jan 2024, Ada wrote:\n> Hi',
  'below words that speak of writing': 'I liked what you wrote:\n|> Hi',
  'without an announcement': 'Yes\n|> Is it?\n>\n> > No',
  'below the headers of Outlook':
    'Fine.\n\n|From: Ada <a@example.com>\nSent: Monday\nTo: Bob\nSubject: Re\n\nHi Bob',
  'below the headers of a German Outlook': 'Gut.\n\n|Von: Ada\nGesendet: Montag\nAn: Bob\n\nHallo',
  'below a line that says so': 'Ok\n\n|-----Original Message-----\nFrom: Ada\n\nHi',
  'below a line of underscores': 'Ok\n\n|________________________________\nFrom: Ada\nHi',
}

const notFolded: Record<string, string> = {
  'with replies between the quotations': '> Is it?\nYes\n> And that?\nNo',
  'with its reply below the quotation': 'On Monday Ada wrote:\n> Is it?\n\nYes it is.',
  'that is nothing but a quotation': '> only\n> this',
  'that quotes nothing': 'My code:\n  if (a > b) c\nFrom: the beginning',
  'that speaks of writing': 'She wrote:\nplease come',
}

describe('a reply in text', () => {
  for (const [name, text] of Object.entries(folded)) {
    it(`is folded at its quotation ${name}`, () => {
      expect(quotedFromInText(text.replace('|', ''))).toBe(text.indexOf('|'))
    })
  }
  for (const [name, text] of Object.entries(notFolded)) {
    it(`is not folded ${name}`, () => {
      expect(quotedFromInText(text)).toBeNull()
    })
  }
})

const foldedHtml: Record<string, string> = {
  'of Gmail':
    '<div dir="ltr">Thanks</div><br>|<div class="gmail_quote"><div class="gmail_attr">On x, Ada wrote:<br></div><blockquote class="gmail_quote">Hi</blockquote></div>',
  'of Apple Mail': '<html><body>Thanks<br>|<blockquote type="cite">Hi</blockquote></body></html>',
  'of Thunderbird':
    '<p>Thanks</p>|<div class="moz-cite-prefix">Am 1.1. schrieb Ada:</div><blockquote type="cite">Hi</blockquote>',
  'of Outlook':
    '<div><p>Thanks</p>|<div style="border-top:solid"><p><b>From:</b> Ada<br><b>Sent:</b> Monday<br></p></div><p>Hi</p></div>',
  'below an announcement': '<p>Thanks</p>|<p>On x, Ada wrote:</p><blockquote>Hi</blockquote>',
}

describe('a reply in HTML', () => {
  for (const [name, source] of Object.entries(foldedHtml)) {
    it(`is folded at the quotation ${name}`, () => {
      const { html, quotedFrom } = safeMailHtml(source.replace('|', ''))
      const own = html.slice(0, quotedFrom ?? 0).replace(/<[^>]*>/g, '')
      expect({ own, isFolded: quotedFrom !== null }).toEqual({ own: 'Thanks', isFolded: true })
      expect(html.slice(quotedFrom ?? 0)).toMatch(/^<(div|blockquote|p)>/)
    })
  }

  it('is not folded where words follow the quotation or stand in between', () => {
    expect(safeMailHtml('<blockquote>Is it?</blockquote><p>Yes</p>').quotedFrom).toBeNull()
    expect(
      safeMailHtml('<p>a</p><blockquote>q</blockquote><p>b</p><blockquote>q</blockquote>').quotedFrom,
    ).toBeNull()
  })

  it('runs nothing and loads nothing', () => {
    const source =
      '<script>x()</script><p onclick="x()" style="background:url(http://x)">a<img src="http://x/p.png"></p><a href="javascript:x()">b</a><iframe src="http://x"></iframe><svg onload="x()">'
    const { html } = safeMailHtml(source)
    expect(html).not.toMatch(/script|onclick|style|src|iframe|svg/)
    expect(html).toContain('<img data-remote="http://x/p.png" alt="" />')
  })

  it('that is longer than a message may be is cut and closed', () => {
    const { html, truncated } = safeMailHtml(`<div><b>${'word '.repeat(30_000)}</b></div>`)
    expect(truncated).toBe(true)
    expect(html.length).toBeLessThanOrEqual(65_536)
    expect(html.endsWith('</b>')).toBe(true)
  })
})
