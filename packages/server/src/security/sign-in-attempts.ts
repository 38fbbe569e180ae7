import { hash } from 'node:crypto'
import { Failure } from '@crmkit/core'
import type { SignInAttempts } from '../features/handler.ts'
import type { Clock } from '../ports/clock.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import { addressGroup } from '../shared/address-block.ts'
import { isoTime } from '../shared/clock.ts'
import { attemptRule } from '../shared/limit-rules.ts'

interface Parts {
  limiter: Pick<RateLimiter, 'attemptWaitMs' | 'noteFailedAttempt' | 'forgetFailedAttempts'>
  clock: Clock
  /** False: no attempt has to wait. */
  isOn: boolean
}

/**
 * Delays repeated wrong passwords by account and address, so that a stranger at another address cannot lock the owner
 * out. Attempts of one address at one account run one after the other, so that simultaneous guesses are delayed too.
 */
export function createSignInAttempts({ limiter, clock, isOn }: Parts): SignInAttempts {
  const last = new Map<string, Promise<unknown>>()

  async function attempt(id: string, verify: () => Promise<boolean>): Promise<boolean> {
    const waitMs = await limiter.attemptWaitMs(id)
    if (waitMs > 0) throw mustWait(waitMs, clock.nowMs())
    const isRight = await verify()
    if (isRight) await limiter.forgetFailedAttempts(id)
    else await limiter.noteFailedAttempt(id)
    return isRight
  }

  return {
    async check({ account, address }, verify) {
      if (!isOn) return verify()
      const id = hash('sha256', JSON.stringify([account, addressGroup(address)]))
      const mine = (last.get(id) ?? Promise.resolve()).then(() => attempt(id, verify))
      const settled = mine.catch(() => undefined)
      last.set(id, settled)
      try {
        return await mine
      } finally {
        if (last.get(id) === settled) last.delete(id)
      }
    },
  }
}

function mustWait(waitMs: number, nowMs: number): Failure {
  const seconds = Math.ceil(waitMs / 1000)
  return new Failure('RATE_LIMIT_EXCEEDED', `Too many failed attempts; try again in ${seconds} s`, {
    extra: { limit: attemptRule.freeFailures, resetAt: isoTime(nowMs + waitMs) },
    headers: { 'Retry-After': `${seconds}` },
  })
}
