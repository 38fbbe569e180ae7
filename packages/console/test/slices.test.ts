import { describe, expect, it } from 'vitest'
import { makeMessage } from '../../sdk/src/testing/index.ts'
import { slicesOf } from '../src/features/thread/slices.ts'

const all = Array.from({ length: 400 }, (_, index) => makeMessage({ _id: `msg_${index}` }))
const idsOf = (slices: ReturnType<typeof slicesOf>) =>
  slices.flatMap(({ messages }) => messages.map(({ _id }) => _id))

describe('slices of a thread', () => {
  it('hold every message once and in order, at most fifty each, while pages come before and messages behind', () => {
    let from = 200
    let to = 237
    let slices = slicesOf(all.slice(from, to), [])
    for (let step = 0; step < 60; step++) {
      // Three messages at the end for each page at the beginning, some of them of another length.
      to = Math.min(all.length, to + 3)
      if (step % 7 === 0) from = Math.max(0, from - (step === 14 ? 13 : 50))
      const before = slices
      slices = slicesOf(all.slice(from, to), before)
      expect(idsOf(slices)).toEqual(all.slice(from, to).map(({ _id }) => _id))
      expect(Math.max(...slices.map(({ messages }) => messages.length))).toBeLessThanOrEqual(50)
      expect(before.filter((slice) => !slices.includes(slice)).length).toBeLessThanOrEqual(1)
    }
  })

  it('stay the same but for the one of a changed message, and of a removed one', () => {
    const before = slicesOf(all.slice(0, 200), [])
    const changed = all.slice(0, 200).with(70, { ...all[70]!, status: 'delivered' })
    const after = slicesOf(changed, before)
    expect(after.map((slice, index) => slice === before[index])).toEqual([true, false, true, true])
    const left = slicesOf(changed.toSpliced(50, 1), after)
    expect(idsOf(left)).toEqual(changed.toSpliced(50, 1).map(({ _id }) => _id))
    expect([left[0] === after[0], left.at(-1) === after[3]]).toEqual([true, true])
  })
})
