/** A zone at the end of a time: `+0100`, `+01:00`, or a name such as `EST`, which `AM` is not. */
const zone = /(?:[+-]\d\d:?\d\d|[\d\s](?![ap]m$)[a-z]+)$/i

/** Zones that programs name beside those of RFC 5322; a name that means two zones is in none. */
const zonesByName: Readonly<Record<string, string>> = {
  AEDT: '+1100',
  AEST: '+1000',
  BST: '+0100',
  CEST: '+0200',
  CET: '+0100',
  EEST: '+0300',
  EET: '+0200',
  HKT: '+0800',
  JST: '+0900',
  KST: '+0900',
  MSK: '+0300',
  NZDT: '+1300',
  NZST: '+1200',
  SGT: '+0800',
  WEST: '+0100',
  WET: '+0000',
}

/**
 * Returns the time that a mail names, in milliseconds; NaN for none. A time without a zone is taken for UTC: that of the machine which
 * reads it says nothing about the sender. `text` is short.
 */
export function timeOfMail(text: string): number {
  const trimmed = text
    .trim()
    .replace(/(?<=\d )[a-z]{3,4}$/i, (name) => zonesByName[name.toUpperCase()] ?? name)
  return Date.parse(zone.test(trimmed) ? trimmed : `${trimmed.replace(/(?<=\d)T(?=\d)/, ' ')} UTC`)
}
