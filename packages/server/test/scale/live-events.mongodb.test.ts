import { test } from 'vitest'
import { checkTwoProcesses } from '../support/live-processes.ts'

test(
  'live events cross from one process to another without Redis, and never to another tenant',
  {
    timeout: 90_000,
  },
  () => checkTwoProcesses(),
)
