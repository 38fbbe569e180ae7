import { expect, test } from 'vitest'
import { mentionedIdsOf, mentionedUsersMax } from './mention.ts'

const idOf = (number: number) => `usr_${String(number).padStart(26, 'A')}`

test('a text mentions each user once, in its order; other texts stay texts', () => {
  const [ada, bob] = [idOf(1), idOf(2)]
  expect(mentionedIdsOf(`@[${bob}] and @[${ada}], again @[${bob}]`)).toEqual([bob, ada])
  for (const text of [
    `@${ada}`,
    `[${ada}]`,
    '@[usr_1]',
    `@[cus_${ada.slice(4)}]`,
    `@[${ada} `,
    `@[${ada.toLowerCase()}]`,
    '',
  ])
    expect(mentionedIdsOf(text), text).toEqual([])
})

test(`a text mentions at most ${mentionedUsersMax} users`, () => {
  const all = Array.from({ length: mentionedUsersMax + 5 }, (_, index) => idOf(index))
  expect(mentionedIdsOf(all.map((id) => `@[${id}]`).join(' '))).toEqual(all.slice(0, mentionedUsersMax))
})
