import { hash } from 'node:crypto'
import { Failure } from '@crmkit/core'
import type { Clock } from '../ports/clock.ts'
import type { AttemptCounter, AttemptWait, RateLimiter } from '../ports/rate-limiter.ts'
import type { SignInAttempt, SignInAttempts, VerifyAttempt } from '../ports/sign-in-attempts.ts'
import { type AddressGroup, addressGroup } from '../shared/address-block.ts'
import { isoTime } from '../shared/clock.ts'
import {
  accountAttemptRule,
  attemptRule,
  knownAddressMs,
  networkAttemptRules,
} from '../shared/limit-rules.ts'

interface Parts {
  limiter: Pick<RateLimiter, 'beginAttempt' | 'withdrawAttempt' | 'remember' | 'remembered'>
  clock: Clock
  /** False: no attempt has to wait. */
  isOn: boolean
  /** A password was given that is that of none of these identities. */
  onFailure(identityIds: readonly string[]): void
  /** An attempt was refused because too many failed before it. */
  onWait(identityIds: readonly string[]): void
}

/**
 * Delays repeated wrong passwords, by account and address first, so that a stranger at another address cannot lock the
 * owner out, and later by account alone. A success withdraws its own attempt and no failure: an e-mail can have identities
 * of several people, and the success of one must not allow more guesses at another.
 */
export function createSignInAttempts({ limiter, clock, isOn, onFailure, onWait }: Parts): SignInAttempts {
  const inOrder = createKeyedMutex()

  async function attempt({ account, identityIds, address }: SignInAttempt, verify: VerifyAttempt) {
    const group = addressGroup(address)
    const { own, wider } = countersOf(account, group)
    const knownIds = new Map(identityIds.map((id) => [keyOf('known', id, group.name), id]))
    const known = await limiter.remembered([...knownIds.keys()])
    let counters = [own, ...wider]
    let tried = identityIds
    let wait = await limiter.beginAttempt(counters)
    if (wait !== undefined && known.length > 0) {
      counters = [own]
      tried = known.flatMap((key) => knownIds.get(key) ?? [])
      wait = await limiter.beginAttempt(counters)
    }
    if (wait !== undefined) {
      onWait(identityIds)
      throw mustWait(wait, clock.nowMs())
    }
    let isFailure = false
    try {
      const caller = { address, isKnown: known.length > 0 }
      const result = await verify({ identityIds: tried, caller })
      isFailure = result.isFailure
      if (isFailure) onFailure(identityIds)
      for (const id of result.rightIds) await limiter.remember(keyOf('known', id, group.name), knownAddressMs)
    } finally {
      // Also when the password could not be checked.
      if (!isFailure) await limiter.withdrawAttempt(counters)
    }
  }

  return {
    async make(who, verify) {
      const { account, address, identityIds } = who
      if (!isOn) {
        const { isFailure } = await verify({ identityIds, caller: { address, isKnown: false } })
        if (isFailure) onFailure(identityIds)
        return
      }
      // Sequentially: otherwise correct attempts at the same moment would delay each other.
      await inOrder(keyOf(account, addressGroup(address).name), () => attempt(who, verify))
    },
  }
}

function keyOf(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts))
}

function countersOf(
  account: string,
  { name, networks }: AddressGroup,
): { own: AttemptCounter; wider: AttemptCounter[] } {
  const ofNetworks = networks.map((network) => ({
    id: keyOf(account, network.name),
    rule: networkAttemptRules[network.prefix],
  }))
  return {
    own: { id: keyOf(account, name), rule: attemptRule },
    wider: [...ofNetworks, { id: keyOf(account), rule: accountAttemptRule }],
  }
}

function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work)
    const settled = mine.catch(() => undefined)
    last.set(key, settled)
    try {
      return await mine
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}

function mustWait({ waitMs, counter }: AttemptWait, nowMs: number): Failure {
  const seconds = Math.ceil(waitMs / 1000)
  return new Failure('RATE_LIMIT_EXCEEDED', `Too many failed attempts; try again in ${seconds} s`, {
    extra: { limit: counter.rule.freeFailures, resetAt: isoTime(nowMs + waitMs) },
    headers: { 'Retry-After': `${seconds}` },
  })
}
