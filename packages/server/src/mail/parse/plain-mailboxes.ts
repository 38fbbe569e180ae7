/** Characters that end a word of an address list. */
const separators = new Set([' ', '\t', ',', ';', ':', '<', '>', '"', '(', ')'])
/** No address has this character, so a mailbox that holds it names nobody. */
const unusable = '\\'

/**
 * Returns a list of mailboxes without groups and without comments inside words, in one walk, so that a parser of
 * addresses has nothing to repeat: a group in a group costs it the whole list again. A comment in the middle of an address
 * makes the address unusable: two texts that a comment divides are no domain together (RFC 5322, section 3.4.1). So do blanks
 * beside a dot of its domain, which obsolete mails have: the text before them is another domain.
 */
export function plainMailboxes(header: string): string {
  const list: string[] = []
  let nameStart = 0
  for (let at = 0; at < header.length; ) {
    const char = header.charAt(at)
    const end = endOfToken(header, at)
    if (char === ':') list.length = nameStart
    else list.push(plainToken(header, at, end))
    if (char === ',' || char === ';' || char === ':') nameStart = list.length
    at = end
  }
  return list.join('')
}

function plainToken(header: string, at: number, end: number): string {
  const char = header.charAt(at)
  if (char === ';') return ','
  if (isBlank(char) && dividesDomain(header, at, end)) return unusable
  const token = withoutRoute(header.slice(at, end))
  if (char !== '(' || !isInsideWord(header, at, end)) return token
  return `${token}${touchesAddress(header, at, end) ? unusable : ' '}`
}

const openers = new Set(['"', '<', '('])
const isBlank = (char: string) => char === ' ' || char === '\t'

function endOfBlanks(header: string, start: number): number {
  let at = start
  while (isBlank(header.charAt(at))) at += 1
  return at
}

/** Returns whether blanks stand beside a dot of a domain, with words on both sides. */
function dividesDomain(header: string, start: number, end: number): boolean {
  const isAtDot = header.charAt(start - 1) === '.' || header.charAt(end) === '.'
  if (!isAtDot || !isWord(header.charAt(end))) return false
  let from = start
  while (isWord(header.charAt(from - 1))) from -= 1
  return header.slice(from, start).includes('@')
}

const closers: Readonly<Record<string, string>> = { '"': '"', '<': '>', '(': ')' }

/** Returns the offset behind a character, or a run of blanks, or what quotes or brackets hold. */
function endOfToken(header: string, at: number): number {
  const char = header.charAt(at)
  if (openers.has(char)) return endOfEnclosed(header, at)
  return isBlank(char) ? endOfBlanks(header, at) : at + 1
}

/** Returns the offset behind a quoted text, an address in brackets or a comment; the end of the text where none ends it. */
function endOfEnclosed(header: string, start: number): number {
  const opener = header.charAt(start)
  let depth = 1
  for (let at = start + 1; at < header.length; at++) {
    const char = header.charAt(at)
    if (char === '\\') at += 1
    else if (char === closers[opener]) depth -= 1
    else if (char === '(' && opener === '(') depth += 1
    if (depth === 0) return at + 1
  }
  return header.length
}

/** An obsolete address may name the servers that its mail once went through: `<@relay.example:mary@desk.example>`. */
function withoutRoute(token: string): string {
  const end = token.startsWith('<@') ? token.indexOf(':') : -1
  return end < 0 ? token : `<${token.slice(end + 1)}`
}

const isWord = (char: string) => char !== '' && !separators.has(char)

function isInsideWord(header: string, start: number, end: number): boolean {
  return isWord(header.charAt(start - 1)) && isWord(header.charAt(end))
}

/** Returns whether the words on both sides of a comment are parts of an address. */
function touchesAddress(header: string, start: number, end: number): boolean {
  let from = start
  while (isWord(header.charAt(from - 1))) from -= 1
  let to = end
  while (isWord(header.charAt(to))) to += 1
  return header.slice(from, start).includes('@') || header.slice(end, to).includes('@')
}
