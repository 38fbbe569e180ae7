import type * as PhoneNumbers from 'libphonenumber-js/min'
import { atFirstUse } from '../../shared/at-first-use.ts'

const phoneNumbers = atFirstUse<typeof PhoneNumbers>('libphonenumber-js/min')

/** Parsing costs 20 µs, and planning a page asks several times for the same number. */
const parsedMax = 2_000
const parsed = new Map<string, string | null>()

/** Returns a phone number in E.164; null for one that cannot be compared: it is none, or its country is unknown. */
export function toE164(phone: string | null, country: string | null): string | null {
  if (phone === null) return null
  const isInternational = phone.trimStart().startsWith('+')
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneNumbers()
  const known =
    country !== null && isSupportedCountry(country) ? (country as PhoneNumbers.CountryCode) : undefined
  if (!isInternational && known === undefined) return null
  const key = `${known ?? ''} ${phone}`
  const before = parsed.get(key)
  if (before !== undefined) return before
  const found = parsePhoneNumberFromString(phone, known)
  const number = found?.isPossible() ? found.number : null
  if (parsed.size >= parsedMax) parsed.clear()
  parsed.set(key, number)
  return number
}
