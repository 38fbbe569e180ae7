import { isEmail } from '@crmkit/core'

/** Of the values that the beginning of a file shows, as many must be e-mail addresses. */
const shareMin = 0.8

/** Returns the headers of the columns that hold e-mail addresses. */
export function emailColumnsOf(headers: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  return headers.filter((_, at) => {
    const texts = rows.flatMap((row) => {
      const value = row[at]
      return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []
    })
    return texts.length > 0 && texts.filter(isEmail).length >= shareMin * texts.length
  })
}
