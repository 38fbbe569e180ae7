import { type CorpusMail, htmlMail, mail } from './corpus-mail.ts'

const quote = '> Is the lamp still broken?\n>\n> Your team\n'
/** The lines that mail programs write above a quotation in text. */
const announcements: readonly (readonly [program: string, line: string])[] = [
  ['Gmail in English', 'On Mon, Nov 23, 2026 at 10:00 AM Help <help@acme.test> wrote:'],
  [
    'Gmail on two lines',
    'On Mon, Nov 23, 2026 at 10:00 AM The Very Long Name Of A Team\n<help@acme.test> wrote:',
  ],
  ['Gmail in German', 'Am Mo., 23. Nov. 2026 um 10:00 Uhr schrieb Help <help@acme.test>:'],
  ['Gmail in French', 'Le lun. 23 nov. 2026 à 10:00, Help <help@acme.test> a écrit :'],
  ['Gmail in Spanish', 'El lun, 23 nov 2026 a las 10:00, Help (<help@acme.test>) escribió:'],
  ['Gmail in Portuguese', 'Em seg., 23 de nov. de 2026 às 10:00, Help <help@acme.test> escreveu:'],
  ['Gmail in Italian', 'Il giorno lun 23 nov 2026 alle ore 10:00 Help <help@acme.test> ha scritto:'],
  ['Gmail in Dutch', 'Op ma 23 nov. 2026 om 10:00 schreef Help <help@acme.test>:'],
  ['Gmail in Swedish', 'Den mån 23 nov. 2026 kl 10:00 skrev Help <help@acme.test>:'],
  ['Gmail in Russian', 'пн, 23 нояб. 2026 г. в 10:00, Help <help@acme.test> пишет:'],
  ['Apple Mail', 'On 23. Nov 2026, at 10:00, Help <help@acme.test> wrote:'],
  ['Thunderbird', 'On 23.11.26 10:00, Help wrote:'],
  ['mutt', 'On Mon, Nov 23, 2026 at 10:00:00AM +0000, Help wrote:'],
  ['Yahoo', 'On Monday, November 23, 2026, 10:00 AM, Help <help@acme.test> wrote:'],
  ['Roundcube', 'On 2026-11-23 10:00, Help wrote:'],
  ['an old program without an announcement', ''],
]

const inText: readonly CorpusMail[] = announcements.map(([program, line]) => ({
  name: `reply in text: ${program}`,
  raw: mail({
    headers: ['Content-Type: text/plain; charset=utf-8'],
    body: `Yes, it is.\n\nGreetings\n\n${line}${line === '' ? '' : '\n'}${quote}`,
  }),
  expected: { contentType: 'text', own: 'Yes, it is.\n\nGreetings', isFolded: true },
}))

const words = '<p>Yes, it is.</p>'
const quotedHtml = '<p>Is the lamp still broken?</p>'
const htmlReplies: readonly (readonly [program: string, html: string])[] = [
  [
    'Gmail',
    `<div dir="ltr">${words}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Nov 23, 2026 at 10:00 AM, Help wrote:<br></div><blockquote class="gmail_quote">${quotedHtml}</blockquote></div>`,
  ],
  [
    'Gmail with its new container',
    `<div dir="ltr">${words}</div><br><div class="gmail_quote gmail_quote_container"><div class="gmail_attr">On Mon, Nov 23, 2026 at 10:00 AM, Help wrote:</div><blockquote>${quotedHtml}</blockquote></div>`,
  ],
  [
    'Apple Mail',
    `<html><body>${words}<br><blockquote type="cite"><div>On 23. Nov 2026, at 10:00, Help wrote:</div>${quotedHtml}</blockquote></body></html>`,
  ],
  [
    'Outlook',
    `<div class="WordSection1">${words}<div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Help<br><b>Sent:</b> Monday, November 23, 2026 10:00<br><b>To:</b> Ada<br><b>Subject:</b> Lamp</p></div></div>${quotedHtml}</div>`,
  ],
  [
    'Outlook in German',
    `<div>${words}<div style="border-top:solid"><p><b>Von:</b> Help<br><b>Gesendet:</b> Montag, 23. November 2026<br><b>An:</b> Ada</p></div>${quotedHtml}</div>`,
  ],
  [
    'Outlook on the web',
    `<div>${words}</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Help &lt;help@acme.test&gt;<br><b>Sent:</b> Monday, November 23, 2026 10:00<br><b>To:</b> Ada<br><b>Subject:</b> Lamp</div><div>${quotedHtml}</div>`,
  ],
  [
    'Thunderbird',
    `${words}<div class="moz-cite-prefix">On 23.11.26 10:00, Help wrote:<br></div><blockquote type="cite">${quotedHtml}</blockquote>`,
  ],
  [
    'Yahoo',
    `<div>${words}</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Monday, November 23, 2026, 10:00 AM, Help wrote:</div>${quotedHtml}</div>`,
  ],
  [
    'Proton',
    `<div>${words}</div><div class="protonmail_quote">On Monday, November 23, 2026, 10:00 AM, Help wrote:<br><blockquote type="cite">${quotedHtml}</blockquote></div>`,
  ],
  [
    'Zoho',
    `<div>${words}</div><div class="zmail_extra"><div>---- On Mon, 23 Nov 2026 10:00:00 +0000 Help wrote ----</div><blockquote>${quotedHtml}</blockquote></div>`,
  ],
  ['a ticket system', `${words}<p>On 2026-11-23 Help wrote:</p><blockquote>${quotedHtml}</blockquote>`],
]

const inHtml: readonly CorpusMail[] = htmlReplies.map(([program, html]) => ({
  name: `reply in HTML: ${program}`,
  raw: htmlMail(html),
  expected: { contentType: 'html', own: 'Yes, it is.', isFolded: true },
}))

/** Words around a quotation are shown. */
const answered: readonly CorpusMail[] = [
  ['below the quotation', `On Monday, November 23, 2026, 10:00 AM, Help wrote:\n${quote}\nYes, it is.`],
  ['on both sides of it', `Yes,\n\n${quote}\n\nit is.`],
].map(([name = '', body = '']) => ({
  name: `reply in text: ${name}`,
  raw: mail({ headers: ['Content-Type: text/plain; charset=utf-8'], body }),
  expected: { own: name === 'below the quotation' ? 'Yes, it is.' : 'Yes,\n\n\n\nit is.', isFolded: true },
}))

/** A fold that hides words of the customer is worse than none. */
const open: readonly (readonly [name: string, body: string])[] = [
  ['between quotations', '> Is it broken?\nYes.\n> Since when?\nSince Monday.'],
  ['nothing but a quotation', quote],
  ['that looks like headers', 'My details:\nFrom: Berlin\nTo: Hamburg'],
  ['that speaks of writing', 'As the manual wrote:\nplug it in.'],
  ['with a comparison', 'if (a > b) then\n  > 3 volts are enough, or not?\nWhat do you think?'],
  ['with a signature', 'It is broken.\n-- \nAda\n+49 40 123'],
  [
    'with a line of underscores',
    'Order 1: the lamp\n____________________________\nOrder 2: to Hamburg, please',
  ],
  ['with lines of hyphens', 'First\n------\nSecond'],
]

const unfolded: readonly CorpusMail[] = open.map(([name, body]) => ({
  name: `reply that is not folded: ${name}`,
  raw: mail({ headers: ['Content-Type: text/plain; charset=utf-8'], body }),
  expected: { isFolded: false, content: body.trim() },
}))

export const replyMails: readonly CorpusMail[] = [...inText, ...inHtml, ...answered, ...unfolded]
