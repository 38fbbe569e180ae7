import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Returns a phone number in E.164; null for one that cannot be compared: it is none, or its country is unknown. */
export function toE164(phone: string | null, country: string | null): string | null {
  if (phone === null) return null
  const isInternational = phone.trimStart().startsWith('+')
  const known = country !== null && isSupportedCountry(country) ? (country as CountryCode) : undefined
  if (!isInternational && known === undefined) return null
  const parsed = parsePhoneNumberFromString(phone, known)
  return parsed?.isPossible() ? parsed.number : null
}
