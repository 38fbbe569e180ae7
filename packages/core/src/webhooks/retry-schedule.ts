import type { RetryPolicy } from './webhook.ts'

const linearStepMs = 5000
const exponentialBaseMs = 1000

/**
 * Milliseconds from the end of the failed attempt `n` (from 1) to the next one: 2, 4, 8, 16 … s or
 * 5, 10, 15 … s. Null when `maxRetries` is used up. Source: specification 6.3, rule 5.
 */
export function retryDelayMs(policy: RetryPolicy, attempt: number): number | null {
  if (attempt > policy.maxRetries) return null
  return policy.backoffStrategy === 'linear' ? linearStepMs * attempt : exponentialBaseMs * 2 ** attempt
}
