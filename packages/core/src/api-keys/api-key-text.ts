import type { KeyEnvironment } from './api-key.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
const hintLength = 4
const keyPattern = /^sk_(live|test)_[0-9A-Za-z]{38}$/

/** The prefix of an API key by its environment. */
export const keyPrefixes: Readonly<Record<KeyEnvironment, string>> = {
  production: 'sk_live_',
  staging: 'sk_test_',
}

export interface NewKeyText {
  key: string
  keyPrefix: string
  keyHint: string
}

/** Makes a key: prefix, 32 base62 characters from the system's random source, 6 characters of checksum. */
export function newKeyText(environment: KeyEnvironment): NewKeyText {
  const keyPrefix = keyPrefixes[environment]
  const random = randomBase62(randomLength)
  const start = keyPrefix + random
  return { key: start + checksum(start), keyPrefix, keyHint: random.slice(-hintLength) }
}

/** Whether a text has the form and the checksum of a key. It finds mistyped keys without a lookup. */
export function isKeyText(text: string): boolean {
  return keyPattern.test(text) && text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength))
}

export function environmentOfKey(key: string): KeyEnvironment {
  return key.startsWith(keyPrefixes.production) ? 'production' : 'staging'
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 = 4 × 62: bytes from 248 on would make the first characters of the alphabet more likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

/** CRC-32 (IEEE) of an ASCII text. */
function crc32(text: string): number {
  let value = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    value = (crcTable[(value ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (value >>> 8)
  }
  return (value ^ 0xffffffff) >>> 0
}
