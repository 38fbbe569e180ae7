import { conversationStatuses, moment } from '@crmkit/core'

/** The search that a person has typed: words, and operators with their values in the order in which they came. */
export interface ParsedSearch {
  words: string
  from: string[]
  in: string[]
  label: string[]
  assigned: string[]
  statuses: string[]
  isUnread: boolean
  isUnassigned: boolean
  isWaiting: boolean
  hasFile: boolean
  since: string | undefined
  before: string | undefined
}

interface Token {
  /** Before the colon, in lower case; empty for a word. */
  name: string
  value: string
  /** As it was typed. */
  text: string
}

const blank = /\s/
const operatorNames = new Set(['from', 'in', 'is', 'label', 'assigned', 'has', 'before', 'after'])

/** Returns the end of the run without blanks that begins here. */
function endOfWord(text: string, from: number): number {
  let end = from
  while (end < text.length && !blank.test(text.charAt(end))) end += 1
  return end
}

const operatorLengthMax = Math.max(...[...operatorNames].map((name) => name.length))

/** Returns the operator that the word here begins with; an empty text when it begins with none. */
function nameAt(text: string, from: number): string {
  const beginning = text.slice(from, from + operatorLengthMax + 1)
  const colon = beginning.indexOf(':')
  const name = colon < 0 ? '' : beginning.slice(0, colon).toLowerCase()
  return operatorNames.has(name) ? name : ''
}

/** Splits a search at its blanks, but not within quotes. A quote that is not closed is text. */
function* tokensOf(text: string): Generator<Token> {
  const lastQuote = text.lastIndexOf('"')
  for (let at = 0; at < text.length; ) {
    if (blank.test(text.charAt(at))) {
      at += 1
      continue
    }
    const name = nameAt(text, at)
    const start = name === '' ? at : at + name.length + 1
    const isQuoted = text.charAt(start) === '"' && lastQuote > start
    const end = isQuoted ? text.indexOf('"', start + 1) + 1 : endOfWord(text, start)
    const value = isQuoted ? text.slice(start + 1, end - 1) : text.slice(start, end)
    yield { name, value: value.trim(), text: text.slice(at, end) }
    at = end
  }
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/

/** Returns a day, in UTC, or a time as it is stored; undefined for any other text. */
function momentOf(value: string): string | undefined {
  const read = moment.safeParse(dayForm.test(value) ? `${value}T00:00:00Z` : value)
  return read.success ? read.data : undefined
}

const later = (a: string | undefined, b: string) => (a === undefined || b > a ? b : a)
const earlier = (a: string | undefined, b: string) => (a === undefined || b < a ? b : a)

function readState(search: ParsedSearch, value: string): boolean {
  const word = value.toLowerCase()
  if (word === 'unread') search.isUnread = true
  else if (word === 'unassigned') search.isUnassigned = true
  else if (word === 'waiting') search.isWaiting = true
  else if ((conversationStatuses as readonly string[]).includes(word)) search.statuses.push(word)
  else return false
  return true
}

/** The operators, each of which says whether its value means anything. The same time operator twice is the wider of both. */
const operators: Readonly<Record<string, (search: ParsedSearch, value: string) => boolean>> = {
  from: (search, value) => search.from.push(value) > 0,
  in: (search, value) => search.in.push(value) > 0,
  label: (search, value) => search.label.push(value) > 0,
  assigned: (search, value) => search.assigned.push(value) > 0,
  is: readState,
  has: (search, value) => {
    if (value.toLowerCase() !== 'file') return false
    search.hasFile = true
    return true
  },
  before: (search, value) => {
    const at = momentOf(value)
    if (at !== undefined) search.before = later(search.before, at)
    return at !== undefined
  },
  after: (search, value) => {
    const at = momentOf(value)
    if (at !== undefined) search.since = earlier(search.since, at)
    return at !== undefined
  },
}

/** Reads a search. An operator that is unknown, or whose value means nothing, is text. */
export function parseSearch(text: string): ParsedSearch {
  const words: string[] = []
  const search: ParsedSearch = {
    words: '',
    from: [],
    in: [],
    label: [],
    assigned: [],
    statuses: [],
    isUnread: false,
    isUnassigned: false,
    isWaiting: false,
    hasFile: false,
    since: undefined,
    before: undefined,
  }
  for (const token of tokensOf(text)) {
    const isOperator = token.value !== '' && operators[token.name]?.(search, token.value)
    if (!isOperator) words.push(token.name === '' ? token.value : token.text)
  }
  search.words = words.filter(Boolean).join(' ')
  return search
}
