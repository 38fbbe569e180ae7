import { hash, verify } from '@node-rs/argon2'
import type { Passwords } from '../features/handler.ts'

// OWASP's first choice for argon2id where memory counts: 19 MiB, two passes, one delivery queue.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each hash holds 19 MiB and a thread of the pool; more at once would only starve everything else. */
const concurrentMax = 2

/** Argon2id, a bounded number at once. */
export function createPasswords(): Passwords {
  const limit = createLimit(concurrentMax)
  // Verified against when an e-mail is unknown, so that both answers take the same time.
  let decoy: Promise<string> | undefined
  return {
    hash: (password) => limit(() => hash(password, options)),
    async verify(stored, password) {
      decoy ??= limit(() => hash('a password that nobody has', options))
      const against = stored ?? (await decoy)
      const isRight = await limit(() => verify(against, password))
      return stored !== undefined && isRight
    },
  }
}

function createLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The place is handed on rather than freed, so that a newcomer cannot slip in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
