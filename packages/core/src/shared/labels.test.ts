import { describe, expect, it } from 'vitest'
import { labelList, mergeLabels, withLabels, withoutLabels } from './labels.ts'

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

describe('labels of a resource', () => {
  const field = 'labels'

  it('are added and removed without regard to case, and the first spelling stays', () => {
    expect(withLabels({ before: ['VIP'], labels: ['vip', 'New'], field })).toEqual(['VIP', 'New'])
    expect(withoutLabels({ before: ['VIP', 'New'], labels: ['vip', 'unknown'], field })).toEqual(['New'])
  })

  it('are refused beyond 50, in the field of the request', () => {
    const before = Array.from({ length: 50 }, (_, i) => `l${i}`)
    expect(withLabels({ before, labels: ['L0'], field })).toHaveLength(50)
    const refused = expect.objectContaining({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ field: 'tags' })],
    })
    expect(() => withLabels({ before, labels: ['more'], field: 'tags' })).toThrow(refused)
  })
})
