import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { ComparedPassword, Passwords } from '../features/handler.ts'
import { createHashQueue } from './hash-queue.ts'

// OWASP's first choice for argon2id where memory counts: 19 MiB, two passes, one thread.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const saltBytes = 16
const queueLimits = {
  // Each hash holds 19 MiB and a thread of the pool; more at once would only starve everything else.
  concurrentMax: 2,
  // A hash takes 11 ms: nobody waits for much longer than a second.
  waitingMax: 128,
  // Fewer than an address may sign in times a minute.
  waitingPerCustomerMax: 16,
}

/** Everything of an encoded hash that decides what a password becomes: settings and salt. */
interface Recipe {
  memoryCost: number
  timeCost: number
  parallelism: number
  salt: Buffer
}

const encodedHash = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$[A-Za-z0-9+/]+$/

/** Undefined for a text that is no hash, which is no password's. */
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

/** Argon2id, a bounded number at once. */
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
