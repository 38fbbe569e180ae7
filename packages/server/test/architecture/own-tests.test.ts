import { operations } from '@crmkit/core'
import { expect, it } from 'vitest'
import {
  downloadHandlers,
  pollHandlers,
  streamHandlers,
  systemHandlers,
  tenantHandlers,
} from '../../src/features/handlers.ts'
import { readOwnTests, untestedOperations } from './own-tests.ts'

it('a test of its own calls every operation, beside the generated tests', () => {
  const tests = readOwnTests()
  const handlers = {
    ...tenantHandlers,
    ...systemHandlers,
    ...streamHandlers,
    ...downloadHandlers,
    ...pollHandlers,
  }
  expect(tests.length).toBeGreaterThan(30)
  expect(untestedOperations(operations, { tests, handlers }).join('\n')).toBe('')
})
