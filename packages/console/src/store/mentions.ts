import type { User } from '@crmkit/sdk'
import { locale } from '../strings/strings.ts'
import { nameOfUser } from './names.ts'

/** The place of a name in a text that people see. */
interface Place {
  readonly userId: string
  readonly from: number
  readonly to: number
}

/** A note as people see it: the service stores `@[usr_…]` at each place. */
export interface NamedText {
  readonly text: string
  readonly places: readonly Place[]
}

const idPattern = /@\[(usr_[0-9A-Z]{26})\]/g

/** Shows the mentions of a stored note by name. Ids of nobody stay as they are. */
export function named(content: string, users: readonly User[]): NamedText {
  const places: Place[] = []
  let text = ''
  let at = 0
  for (const { 0: found, 1: userId = '', index } of content.matchAll(idPattern)) {
    const user = users.find(({ _id }) => _id === userId)
    if (user === undefined) continue
    text += content.slice(at, index)
    const from = text.length
    text += `@${nameOfUser(user)}`
    places.push({ userId, from, to: text.length })
    at = index + found.length
  }
  return { text: text + content.slice(at), places }
}

/** The text of a draft or a message as people read it. */
export function readable(
  { type, content }: { readonly type: string; readonly content: string },
  users: readonly User[],
): string {
  return type === 'note' ? named(content, users).text : content
}

/** The note as the service stores it. */
export function storedOf({ text, places }: NamedText): string {
  let content = ''
  let at = 0
  for (const { userId, from, to } of places) {
    content += `${text.slice(at, from)}@[${userId}]`
    at = to
  }
  return content + text.slice(at)
}

/** Puts a text in the place of a part of a note; a mention that it touches becomes plain text. */
export function replaced({ text, places }: NamedText, from: number, to: number, by: string): NamedText {
  const moved = by.length - (to - from)
  return {
    text: text.slice(0, from) + by + text.slice(to),
    places: places.flatMap((place) => {
      if (place.to <= from) return [place]
      return place.from >= to ? [{ ...place, from: place.from + moved, to: place.to + moved }] : []
    }),
  }
}

/** The note after a person has edited its text; the cursor stands behind the edit. */
export function edited(before: NamedText, text: string, cursor: number): NamedText {
  const old = before.text
  const shorter = Math.min(old.length, text.length)
  let end = 0
  const endMax = Math.min(shorter, text.length - cursor)
  while (end < endMax && old.at(-1 - end) === text.at(-1 - end)) end += 1
  let start = 0
  while (start < shorter - end && old[start] === text[start]) start += 1
  return replaced(before, start, old.length - end, text.slice(start, text.length - end))
}

/** Puts the name of a user in the place of a part of a note. `cursor` stands behind it and a space. */
export function withMention(
  note: NamedText,
  { from, to, user }: { readonly from: number; readonly to: number; readonly user: User },
): NamedText & { readonly cursor: number } {
  const name = `@${nameOfUser(user)}`
  const end = from + name.length
  const { text, places } = replaced(note, from, to, /^\s/.test(note.text.slice(to)) ? name : `${name} `)
  const added = { userId: user._id, from, to: end }
  return { text, places: [...places, added].sort((a, b) => a.from - b.from), cursor: end + 1 }
}

/** More characters behind an `@` are no name. */
const queryMax = 40

/** The beginning of a name that is typed behind an `@`. */
export interface MentionQuery {
  /** Where the `@` stands. */
  readonly from: number
  readonly name: string
}

/** Returns the query before the cursor; undefined: none. The `@` of an e-mail address begins none. */
export function mentionQuery({ text, places }: NamedText, cursor: number): MentionQuery | undefined {
  const from = cursor === 0 ? -1 : text.lastIndexOf('@', cursor - 1)
  if (from < 0 || /[\w.+-]/.test(text.charAt(from - 1))) return undefined
  const name = text.slice(from + 1, cursor)
  const isName = name.length <= queryMax && !name.includes('\n')
  return isName && !places.some((place) => place.from === from) ? { from, name } : undefined
}

/** The active colleagues with a name of which a word begins so, whatever its case and accents. */
export function mentionable(users: readonly User[], myId: string, query: string): User[] {
  const { compare } = new Intl.Collator(locale, { sensitivity: 'base', usage: 'search' })
  const beginsSo = (name: string) =>
    [0, ...[...name.matchAll(/[\s-]/g)].map(({ index }) => index + 1)].some(
      (at) => compare(name.slice(at, at + query.length), query) === 0,
    )
  return users
    .filter((user) => user.isActive && user._id !== myId && beginsSo(nameOfUser(user)))
    .sort((a, b) => nameOfUser(a).localeCompare(nameOfUser(b), locale))
}
