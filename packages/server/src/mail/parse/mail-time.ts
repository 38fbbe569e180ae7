/** A zone at the end of a time: `+0100`, `+01:00`, or a name such as `EST`, which `AM` is not. */
const zone = /(?:[+-]\d\d:?\d\d|[\d\s](?![ap]m$)[a-z]+)$/i

/**
 * Returns the time that a mail names, in milliseconds; NaN for none. A time without a zone is taken for UTC: that of the machine which
 * reads it says nothing about the sender. `text` is short.
 */
export function timeOfMail(text: string): number {
  const trimmed = text.trim()
  return Date.parse(zone.test(trimmed) ? trimmed : `${trimmed.replace(/(?<=\d)T(?=\d)/, ' ')} UTC`)
}
