import type * as PhoneNumbers from 'libphonenumber-js/min'
import { atFirstUse } from './at-first-use.ts'

const phoneNumbers = atFirstUse<typeof PhoneNumbers>('libphonenumber-js/min')

/** Parsing costs 20 µs, and planning a page asks several times for the same number. */
const parsedMax = 2_000
const parsed = new Map<string, string | null>()

/** Whether an ISO 3166 code is that of a country with phone numbers. */
export function isPhoneCountry(country: string): boolean {
  return phoneNumbers().isSupportedCountry(country)
}

/**
 * Returns a phone number in E.164; null for one that cannot be compared: it is none, its country is unknown, or an extension says
 * that many people are behind it.
 */
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
  const number = found?.isPossible() && found.ext === undefined ? found.number : null
  if (parsed.size >= parsedMax) parsed.clear()
  parsed.set(key, number)
  return number
}

/**
 * Returns the digits by which a number in E.164 may be written: whole, as its country writes it, and without the digit that some
 * countries put before it. They end differently where the number is short.
 */
export function writtenForms(phone: string): string[] {
  const parsedPhone = phoneNumbers().parsePhoneNumberFromString(phone)
  if (parsedPhone === undefined) return [phone]
  return [phone, parsedPhone.formatNational(), parsedPhone.nationalNumber]
}

/**
 * Returns the form in which numbers of a tenant are compared, E.164; null for one that equals no other. Without a country, a number
 * is read as one with its own country code, because it then equals nothing but the same digits.
 */
export function comparablePhone(phone: string | null, country: string | null): string | null {
  const read = toE164(phone, country)
  if (read !== null || phone === null || country !== null || phone.trimStart().startsWith('+')) return read
  return toE164(`+${phone.replace(/\D/g, '').replace(/^00/, '')}`, null)
}
