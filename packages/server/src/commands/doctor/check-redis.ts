import { examineRedis } from '../../main/compose/parts.ts'
import type { Check } from './check.ts'

export const checkRedis: Check = {
  subject: 'redis',
  run: ({ config: { redisUrl } }) =>
    redisUrl === undefined
      ? [{ outcome: 'ok', sentence: 'Jobs and limits live in one process: no Redis is set.' }]
      : examineRedis(redisUrl),
}
