import { test } from 'vitest'
import { checkTwoProcesses } from '../support/live-processes.ts'

test(
  'live events cross from one process to another over Redis, and never to another tenant',
  {
    timeout: 90_000,
  },
  () => checkTwoProcesses({ CRM_REDIS_URL: process.env['CRM_TEST_REDIS_URL'] ?? '' }),
)
