import { z } from 'zod'
import { rule } from '../shared/rule.ts'

/** E.164: a plus sign, then at most 15 digits, the first of which is not 0. The shortest numbers in use have 7. */
const e164 = /^\+[1-9]\d{6,14}$/

export function isPhoneNumber(text: string): boolean {
  return e164.test(text)
}

const phoneForm = rule('phone', 'must be a phone number in E.164 form, such as +15551234567')

/** A phone number in a request. Blanks, dots, dashes and brackets, which people type, are removed. */
export const phoneNumber = z
  .string()
  .max(40)
  .overwrite((text) => text.replace(/[\s().-]/g, ''))
  .refine(isPhoneNumber, phoneForm)
