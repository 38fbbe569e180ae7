import { expect, it } from 'vitest'
import { TypingPace } from './typing-pace.ts'

it('lets one sign in three seconds through for each conversation, and the end of one that went through', () => {
  const pace = new TypingPace()
  const isDue = (nowMs: number, isTyping = true, conversationId = 'con_1') =>
    pace.isDue({ conversationId, isTyping }, nowMs)
  expect(isDue(0, false)).toBe(false)
  expect([isDue(0), isDue(2_999), isDue(3_000)]).toEqual([true, false, true])
  expect(isDue(3_000, true, 'con_2')).toBe(true)
  expect([isDue(3_001, false), isDue(3_002, false), isDue(3_003)]).toEqual([true, false, false])
})
