import { hash, verify } from '@node-rs/argon2'
import type { Passwords } from '../features/handler.ts'

// OWASP's first choice for argon2id where memory is limited: 19 MiB, two passes, a parallelism of one.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each hash uses 19 MiB and a thread of the pool; more at the same time would block all other work. */
const concurrentMax = 2

/** Hashes with argon2id, a limited number at the same time. */
export function createPasswords(): Passwords {
  const limit = createLimit(concurrentMax)
  // The hash for unknown e-mails, so that both responses take the same time.
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
      // The slot goes to the next waiting call directly, so that a new call cannot take it first.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
