import { describe, expect, it } from 'vitest'
import { makeUser } from '../../sdk/src/testing/index.ts'
import {
  edited,
  mentionable,
  mentionQuery,
  named,
  readable,
  storedOf,
  withMention,
} from '../src/store/mentions.ts'

const idOf = (number: number) => `usr_${String(number).padStart(26, 'A')}`
const person = (number: number, firstName: string, isActive = true) =>
  makeUser({ _id: idOf(number), firstName, lastName: null, isActive })
const [ada, ben, bén] = [person(1, 'Ada'), person(2, 'Ben'), person(3, 'Bénédicte Fry')]
const users = [ada, ben, bén]
const stored = `Ask @[${ben._id}] and @[${ada._id}].`

describe('a note with mentions', () => {
  it('is shown by names and stored by ids; ids of nobody, and those of a reply, stay', () => {
    const shown = named(stored, users)
    expect(shown.text).toBe('Ask @Ben and @Ada.')
    expect(storedOf(shown)).toBe(stored)
    expect(named(`@[${idOf(9)}]`, users).text).toBe(`@[${idOf(9)}]`)
    expect(readable({ type: 'reply', content: stored }, users)).toBe(stored)
  })

  it('keeps the mentions that an edit does not touch, at every place and of every length', () => {
    const before = named(stored, users)
    for (let from = 0; from <= before.text.length; from++)
      for (let to = from; to <= before.text.length; to++)
        for (const typed of ['', '@', 'Ben', 'a long text']) {
          const text = before.text.slice(0, from) + typed + before.text.slice(to)
          const after = edited(before, text, from + typed.length)
          const kept = before.places.filter((place) => place.to <= from || place.from >= to)
          const ids = after.places.map(({ userId }) => userId)
          expect(after.text).toBe(text)
          expect(ids).toEqual(expect.arrayContaining(kept.map(({ userId }) => userId)))
          // Every mention that is left has its whole name.
          expect(named(storedOf(after), users).text).toBe(text)
        }
  })

  it('gets a mention in the place of the query, with a space behind it', () => {
    const note = edited(named(stored, users), 'Ask @Ben and @Ada. @bé', 22)
    const query = mentionQuery(note, 22)
    expect(query).toEqual({ from: 19, name: 'bé' })
    const next = withMention(note, { from: 19, to: 22, user: bén })
    expect([next.text, next.cursor]).toEqual(['Ask @Ben and @Ada. @Bénédicte Fry ', 34])
    expect(storedOf(next)).toBe(`${stored} @[${bén._id}] `)
  })
})

describe('the text before the cursor', () => {
  it.each([
    ['@', ''],
    ['Ask @be', 'be'],
    ['(@Ben Fr', 'Ben Fr'],
    ['問@ben', 'ben'],
    ['ada@example', undefined],
    ['@ben\n', undefined],
    [`@${'b'.repeat(41)}`, undefined],
    ['', undefined],
  ])('%j asks for %j', (text, name) => {
    expect(mentionQuery({ text, places: [] }, text.length)?.name).toBe(name)
  })

  it('asks for nobody in a mention', () => {
    expect(mentionQuery(named(stored, users), 8)).toBeUndefined()
  })

  it('finds active colleagues by the beginning of each word, whatever its case and accents', () => {
    const all = [...users, person(4, 'Άννα'), person(5, 'Anna-Ören'), person(6, 'Benno', false)]
    const find = (query: string) => mentionable(all, ada._id, query).map(({ _id }) => _id)
    expect(find('BEN')).toEqual([ben._id, bén._id])
    expect(find('fry')).toEqual([bén._id])
    expect(find('αν')).toEqual([idOf(4)])
    expect(find('or')).toEqual([idOf(5)])
    expect(find('')).toHaveLength(4)
    expect(find('ry')).toEqual([])
  })
})
