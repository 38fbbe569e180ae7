import { asciiDomain, normalizeEmail, splitEmail } from '@crmkit/core'
import type { addressParser } from 'postal-mime'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { recodeWords } from './encoded-words.ts'
import type { MailAddress } from './mail-facts.ts'
import { plainMailboxes } from './plain-mailboxes.ts'

const parser = atFirstUse<{ addressParser: typeof addressParser }>('postal-mime')

/** The most addresses that are read of one header. */
const addressesMax = 500
const nameLengthMax = 200
const headerLengthMax = 65_536

/** Returns the addresses of headers, groups included, each once; a text that is no address is left out. */
export function readAddresses(headers: readonly string[]): MailAddress[] {
  const { addressParser } = parser()
  const found = new Map<string, MailAddress>()
  for (const header of headers) {
    const list = plainMailboxes(recodeWords(header.slice(0, headerLengthMax)))
    for (const { address = '', name } of addressParser(list, { flatten: true })) {
      const own = normalizeEmail(address.trim())
      if (!isAddress(own) || found.has(own)) continue
      if (found.size >= addressesMax) return [...found.values()]
      found.set(own, { address: own, name: nameOf(name) })
    }
  }
  return [...found.values()]
}

/**
 * Returns whether a text has the form of an address. It may hold no white space, no character that quotes need, and no domain
 * beyond ASCII that UTS 46 does not allow: nobody can reply to it, and it may look like another.
 */
export function isAddress(text: string): boolean {
  return text.length <= 254 && isPlain(text) && asciiDomain(splitEmail(text)?.domain ?? '') !== null
}

function isPlain(text: string): boolean {
  return /^[^\s@<>()[\]\\,;:"\u0000-\u001f]+@[^\s@<>()\\,;:"\u0000-\u001f]+$/.test(text)
}

function nameOf(name: string): string | null {
  const plain = name
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
    .slice(0, nameLengthMax)
    .toWellFormed()
  return plain === '' ? null : plain
}
