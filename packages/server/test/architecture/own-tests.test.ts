import { operations } from '@crmkit/core'
import { expect, it } from 'vitest'
import {
  downloadHandlers,
  streamHandlers,
  systemHandlers,
  tenantHandlers,
} from '../../src/features/handlers.ts'
import { readOwnTests, untestedOperations } from './own-tests.ts'

it('every operation is called by a test of its own, beside those that are generated', () => {
  const tests = readOwnTests()
  const handlers = { ...tenantHandlers, ...systemHandlers, ...streamHandlers, ...downloadHandlers }
  expect(tests.length).toBeGreaterThan(30)
  expect(untestedOperations(operations, { tests, handlers }).join('\n')).toBe('')
})
