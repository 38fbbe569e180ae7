import { expect, test } from 'vitest'
import {
  DamagedRow,
  ifReadable,
  type LeftOutRow,
  onLeftOut,
  readable,
  withoutDamage,
} from './readable-rows.ts'

const row = { _id: 'con_1', tenantId: 'ten_1', subject: 'Help', status: 'open' }

test('a row of an earlier version gets the defaults that its kind declares, and null where a text may be missing', () => {
  const { participants, seq, customFields, page, previousConversationId } = readable('conversations', {
    ...withoutDamage('conversations', row),
    participants: undefined,
    seq: undefined,
    customFields: undefined,
    page: undefined,
    previousConversationId: undefined,
  })
  expect([participants, seq, customFields, page, previousConversationId]).toEqual([[], 0, {}, null, null])
})

test('two rows never share a default', () => {
  const [first, second] = [1, 2].map(() =>
    readable('customers', { ...withoutDamage('customers', row), tags: undefined as string[] | undefined }),
  )
  first?.tags?.push('vip')
  expect(second?.tags).toEqual([])
})

test('a row without a field that nothing stands in for is damaged: by id an error, in a list left out and reported', () => {
  const reported: LeftOutRow[] = []
  const stop = onLeftOut((left) => reported.push(left))
  const read = () => readable('conversations', { ...row })
  expect(read).toThrow(DamagedRow)
  expect([...ifReadable(read), ...ifReadable(() => 'whole')]).toEqual(['whole'])
  stop()
  expect(reported).toEqual([
    { kind: 'conversations', id: 'con_1', reason: expect.stringMatching(/the stored row has no \w+/) },
  ])
})
