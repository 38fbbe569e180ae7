/** The prefix of every kind of id. An id is `<prefix>_<ULID>`; to a client it is an opaque string. */
export const idPrefixes = [
  'ten',
  'idn',
  'usr',
  'inb',
  'cus',
  'con',
  'msg',
  'att',
  'key',
  'whk',
  'dlv',
  'log',
  'evt',
  'cal',
  'int',
  'ssi',
  'imp',
  'imi',
  'prq',
  'ses',
  'aud',
  'tsk',
  'mrg',
  'wss',
  'vis',
  'mail',
  'sup',
  'sml',
  'drf',
  'exp',
  'cno',
  'rep',
  'smp',
  'viw',
  'act',
  'men',
  'chg',
] as const
export type IdPrefix = (typeof idPrefixes)[number]

export interface IdFactory {
  next(prefix: IdPrefix): string
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const timeLength = 10
const randomLength = 16

function encodeTime(nowMs: number): string {
  let rest = nowMs
  let text = ''
  for (let i = 0; i < timeLength; i++) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Random bytes for so many ids are drawn at once: each call to the system costs as much as the rest of an id. */
const idsDrawn = 256
const pool = new Uint8Array(randomLength * idsDrawn)
let used = pool.length

/** Fills `digits` with random base-32 digits. No byte of the pool is used twice. */
function drawDigits(digits: Uint8Array): void {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  for (let i = 0; i < randomLength; i++) digits[i] = (pool[used++] ?? 0) % 32
}

/** Adds one to a number of base-32 digits; returns true when it overflows. */
function increment(digits: Uint8Array): boolean {
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = (digits[i] ?? 0) + 1
    digits[i] = digit % 32
    if (digit < 32) return false
  }
  return true
}

/**
 * Makes monotonic ULIDs: within one factory every id sorts after the previous one, even when the clock stops or runs
 * backwards. Ids order rows of the same millisecond; they are not secrets.
 */
export function createIdFactory(now: () => number): IdFactory {
  let lastMs = -1
  let timeText = ''
  const digits = new Uint8Array(randomLength)
  return {
    next(prefix) {
      const nowMs = now()
      if (nowMs > lastMs) {
        lastMs = nowMs
        timeText = encodeTime(nowMs)
        drawDigits(digits)
      } else if (increment(digits)) {
        lastMs += 1
        timeText = encodeTime(lastMs)
      }
      let text = `${prefix}_${timeText}`
      for (const digit of digits) text += alphabet.charAt(digit)
      return text
    },
  }
}
