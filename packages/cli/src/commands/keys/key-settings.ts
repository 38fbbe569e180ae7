import { Option } from '@commander-js/extra-typings'
import type { CreateApiKey } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import { addToList, isoMoment, momentAfter, wholeNumber } from '../option-values.ts'

/** What `create` and `update` both take. */
export interface KeySettings {
  readonly name?: string | undefined
  readonly permissions?: readonly string[] | undefined
  readonly expiresAt?: string | undefined
  readonly expiresIn?: string | undefined
  readonly rateLimit?: string | undefined
  readonly allowIp?: readonly string[] | undefined
  readonly rotateEvery?: number | undefined
  readonly notifyBefore?: number | undefined
}

export const expiryOptions = () => [
  new Option('--expires-in <time>', 'such as 12h, 90d or 8w').argParser(momentAfter).conflicts('expiresAt'),
  new Option('--expires-at <time>', 'such as 2027-01-31').argParser(isoMoment),
]

export const limitOptions = () => [
  new Option('--rate-limit <limit>', "the key's own limit, such as 100/minute or 5000/1h"),
  new Option('--allow-ip <list>', 'addresses and CIDR blocks that may use it; default: any').argParser(
    addToList,
  ),
  new Option('--rotate-every <days>', 'a reminder: due for rotation after so many days, 1 to 365').argParser(
    wholeNumber,
  ),
  new Option('--notify-before <days>', 'due soon so many days before; default 7').argParser(wholeNumber),
]

const notifyDaysDefault = 7

/** The body's part that these settings make; an absent setting stays absent. */
export function settingsBody(
  settings: KeySettings,
): Pick<CreateApiKey, 'expiresAt' | 'ipWhitelist' | 'rateLimit' | 'rotationPolicy'> {
  const { expiresAt, expiresIn, rateLimit, allowIp: ipWhitelist } = settings
  return {
    expiresAt: expiresAt ?? expiresIn,
    ipWhitelist,
    rateLimit: rateLimit === undefined ? undefined : parseRateLimit(rateLimit),
    rotationPolicy: rotationPolicyOf(settings),
  }
}

function rotationPolicyOf({ rotateEvery, notifyBefore }: KeySettings): CreateApiKey['rotationPolicy'] {
  if (rotateEvery === undefined) {
    if (notifyBefore === undefined) return undefined
    throw usageError('--notify-before needs --rotate-every.')
  }
  const notifyDaysBefore = notifyBefore ?? Math.min(notifyDaysDefault, rotateEvery - 1)
  return { enabled: true, intervalDays: rotateEvery, notifyDaysBefore }
}

function parseRateLimit(text: string): { requests: number; window: string } {
  const [, requests, window] = /^(\d{1,7})\/(.+)$/.exec(text) ?? []
  if (requests && window) return { requests: Number(requests), window: window.trim() }
  throw usageError('--rate-limit is not like 100/minute or 5000/1h.')
}
