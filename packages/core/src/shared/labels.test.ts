import { expect, it } from 'vitest'
import { labelList, mergeLabels } from './labels.ts'

const parse = (labels: unknown) => labelList.safeParse(labels)

it('merges labels that differ only in case and keeps the first spelling in its position', () => {
  expect(mergeLabels(['VIP', 'new', 'vip', 'New', 'x'])).toEqual(['VIP', 'new', 'x'])
  expect(parse([' VIP ', 'vip']).data).toEqual(['VIP'])
})

it('refuses more than 50 labels, counted after merging', () => {
  const fifty = Array.from({ length: 50 }, (_, i) => `label ${i}`)
  expect(parse([...fifty, ...fifty.map((label) => label.toUpperCase())]).data).toEqual(fifty)
  expect(parse([...fifty, 'one more']).success).toBe(false)
})

it.each([['a,b'], [''], ['   '], ['x'.repeat(65)], ['a\nb'], ['a\ud800'], [7], [null]])(
  'refuses the label %j',
  (label) => {
    expect(parse([label]).success).toBe(false)
  },
)

it('accepts a label of 64 characters', () => {
  expect(parse(['x'.repeat(64)]).success).toBe(true)
})
