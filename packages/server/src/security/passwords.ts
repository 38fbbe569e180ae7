import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { ComparedPassword, Passwords } from '../ports/passwords.ts'
import { createHashQueue } from './hash-queue.ts'

// OWASP's first choice for argon2id where memory is limited: 19 MiB, two passes, one thread.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const saltBytes = 16
const queueLimits = {
  // Each hash uses 19 MiB and a thread of the pool; more at the same time would block all other work.
  concurrentMax: 2,
  // A hash takes 11 ms: no caller waits for much longer than a second.
  waitingMax: 128,
  // Fewer than an address may sign in times a minute.
  waitingPerCustomerMax: 16,
}

/** The parts of an encoded hash that determine the hash of a password: settings and salt. */
interface Recipe {
  memoryCost: number
  timeCost: number
  parallelism: number
  salt: Buffer
}

const encodedHash = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$[A-Za-z0-9+/]+$/

/** Returns undefined for a text that is no hash, which no password matches. */
function recipeOf(encoded: string): Recipe | undefined {
  const [, memoryCost, timeCost, parallelism, salt = ''] = encodedHash.exec(encoded) ?? []
  if (salt === '') return undefined
  return {
    memoryCost: Number(memoryCost),
    timeCost: Number(timeCost),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
  }
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** Hashes with argon2id, a limited number at the same time. */
export function createPasswords(): Passwords {
  const queued = createHashQueue(queueLimits)

  return {
    async compare(password, hashes, caller): Promise<ComparedPassword> {
      // One recipe, as long as every hash beside another one is made with its salt.
      const recipes = new Map(hashes.map((encoded) => [JSON.stringify(recipeOf(encoded)), recipeOf(encoded)]))
      const known = [...recipes.values()].filter((recipe) => recipe !== undefined)
      const work = known.length > 0 ? known : [{ ...options, salt: randomBytes(saltBytes) }]
      const made = await Promise.all(work.map((recipe) => queued(caller, () => hash(password, recipe))))
      return {
        hash: made[0] as string,
        isRight: hashes.map((encoded) => made.some((one) => isEqual(one, encoded))),
      }
    },
  }
}
