import type { Customer } from '@crmkit/core'
import { foldCase } from '@crmkit/core/vocabulary'

/*
 * The meaning of a search, for every storage adapter alike. A text is folded once when it is stored; a search
 * is folded and split into terms. Fields are kept apart by line ends, which no term can hold.
 */

const wordCharacter = /[\p{L}\p{N}]/u
const phoneTerm = /^[+().\-/\d]*$/
const shortTermLengthMax = 2
/** Twice a message's content: folding makes some characters eighteen, and a text of nothing else would fill the index. */
export const searchTextLengthMax = 131_072

export interface SearchTerm {
  text: string
  /** In characters (code points), not code units. */
  length: number
  /** The digits of a term that looks like part of a phone number; null when they add nothing. */
  digits: string | null
}

/** Control characters become blanks: no index or engine may take one for an end or a mark. */
function foldText(text: string): string {
  return foldCase(text.toWellFormed()).replace(/[\u0000-\u001f\u007f]/g, ' ')
}

type Person = Pick<Customer, 'profile'>
export type PersonPart = 'name' | 'email' | 'phone' | 'company'

const personParts: Readonly<Record<PersonPart, (person: Person) => (string | null)[]>> = {
  name: ({ profile }) => [profile.firstName, profile.lastName],
  email: ({ profile }) => [profile.email],
  phone: ({ profile }) => [profile.phone],
  company: ({ profile }) => [profile.company],
}

const digitsOf = ({ profile }: Person) => profile.phone?.replace(/\D/g, '') ?? ''

export function customerSearchText(person: Person): string {
  const { name, email, phone, company } = personParts
  const fields = [...name(person), ...email(person), ...phone(person), ...company(person)]
  return [...fields.map((field) => foldText(field ?? '')), digitsOf(person)].filter(Boolean).join('\n')
}

/** The part of a customer's text that a caller may search. */
export function personText(person: Person, parts: readonly PersonPart[]): string {
  const fields = parts.flatMap((part) => personParts[part](person)).map((field) => foldText(field ?? ''))
  const digits = parts.includes('phone') ? digitsOf(person) : ''
  return [...fields, digits].filter(Boolean).join('\n')
}

/** Of a conversation's subject or a message's content. */
export function plainSearchText(text: string): string {
  return foldText(text).slice(0, searchTextLengthMax).toWellFormed()
}

export function searchTerms(search: string): SearchTerm[] {
  const texts = new Set(foldText(search).split(/\s+/).filter(Boolean))
  return [...texts].map((text) => {
    const digits = phoneTerm.test(text) ? text.replace(/\D/g, '') : ''
    return { text, length: [...text].length, digits: digits.length > 2 && digits !== text ? digits : null }
  })
}

/** Whether a word begins here: at the start, or after anything that is no letter or digit. */
function isWordStart(text: string, index: number): boolean {
  if (index === 0) return true
  const before = text.slice(Math.max(0, index - 2), index)
  const last = [...before].at(-1) ?? ''
  return !wordCharacter.test(last)
}

function hasWordStart(text: string, term: string): boolean {
  for (let index = text.indexOf(term); index >= 0; index = text.indexOf(term, index + 1)) {
    if (isWordStart(text, index)) return true
  }
  return false
}

function hasTerm(text: string, { text: term, length, digits }: SearchTerm): boolean {
  if (length <= shortTermLengthMax) return hasWordStart(text, term)
  return text.includes(term) || (digits !== null && text.includes(digits))
}

/** Whether every term occurs in a folded text: anywhere, or at a word's start when it has one or two characters. */
export function matchesText(text: string, terms: readonly SearchTerm[]): boolean {
  return terms.every((term) => hasTerm(text, term))
}

/** The first one and two characters of every word: short terms are found by them. */
export function wordStarts(text: string): string[] {
  const starts = new Set<string>()
  let isAfterWord = false
  const characters = [...text]
  characters.forEach((character, index) => {
    if (!isAfterWord && !/\s/.test(character)) {
      starts.add(character)
      const next = characters[index + 1]
      if (next !== undefined && !/\s/.test(next)) starts.add(character + next)
    }
    isAfterWord = wordCharacter.test(character)
  })
  return [...starts]
}

/** Yields the places of a term in a folded text, as start and end: all of them, by the rule of `matchesText`. */
export function* placesOf(
  text: string,
  { text: term, length, digits }: SearchTerm,
): Generator<[number, number]> {
  const isShort = length <= shortTermLengthMax
  for (const wanted of digits === null ? [term] : [term, digits]) {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      if (!isShort || isWordStart(text, at)) yield [at, at + wanted.length]
    }
  }
}
