/** Returns the text of the HTML of a mail, with a marker for each kind of element. */
function textOf(html: string, { bold, item, link }: { bold: string; item: string; link: boolean }): string {
  return numbered(html.replace(/\r?\n/g, ' '))
    .replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g, link ? '$2 \u0001$1\u0002' : '$2')
    .replace(/<\/?(?:strong|b)>/g, bold)
    .replace(/ ?<li[^>]*> ?/g, `\n${item}`)
    .replace(/<blockquote[^>]*>|<\/blockquote>|<\/?div[^>]*>|<\/?ul>|<\/li>/g, '\n')
    .replace(/ ?<p[^>]*> ?/g, '\n')
    .replace(/<\/p>/g, '\n')
    .replace(/<br ?\/?> ?/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\u0001/g, '<')
    .replace(/\u0002/g, '>')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The items of a list with numbers, as every program shows them. */
function numbered(html: string): string {
  return html.replace(/<ol>(.*?)<\/ol>/g, (_, items: string) => {
    let number = 0
    return items.replace(/ ?<li[^>]*> ?/g, () => `\n${++number}. `)
  })
}

/** As Gmail writes it: bold words in stars, links behind their words. */
export const markedText = (html: string) => textOf(html, { bold: '*', item: '   - ', link: true })
/** As Outlook writes it. */
export const unmarkedText = (html: string) => textOf(html, { bold: '', item: '  *   ', link: true })
/** The words alone. */
export const plainOf = (html: string) => textOf(html, { bold: '', item: '', link: false })

export function wrapped(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const lines: string[] = []
      let open = ''
      for (const word of line.split(' ')) {
        if (open !== '' && open.length + word.length + 1 > columns) {
          lines.push(open)
          open = word
        } else open = open === '' ? word : `${open} ${word}`
      }
      return [...lines, open]
    })
    .join('\n')
}

/** Lines of at most 72 characters, whose continuations end in a space (RFC 3676). */
export function flowed(text: string): string {
  return text
    .split('\n')
    .map((line) => wrapped(line, 72).split('\n').join(' \n'))
    .join('\n')
}

export const quotedText = (text: string) =>
  text
    .split('\n')
    .map((line) => (/^(?:>|$)/.test(line) ? `>${line}` : `> ${line}`))
    .join('\n')
