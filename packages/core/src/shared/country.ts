import { z } from 'zod'

/** The form of an ISO 3166 code; the server knows which of them have phone numbers of their own. */
export const countryCode = z
  .string()
  .max(2)
  .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 code such as DE')
