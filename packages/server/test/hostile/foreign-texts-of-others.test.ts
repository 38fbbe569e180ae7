import { expect, test } from 'vitest'
import { otherReaders } from './foreign-readers.ts'
import { expectLinearCost } from './linear-cost.ts'

/** Some seconds of processor time, which a busy machine gives in some minutes. */
const timeoutMs = 300_000

test.each(Object.entries(otherReaders))(
  '%s costs in proportion to its text',
  async (name, read) => {
    expect.hasAssertions()
    await expectLinearCost(name, read)
  },
  timeoutMs,
)
