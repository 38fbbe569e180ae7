import { type Command, Option } from '@commander-js/extra-typings'
import type { CreateApiKey, UpdateApiKey } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import { addToList, listing, momentAfter, wholeNumber } from '../option-values.ts'
import { parsePermissions, permissionNames } from './permission-list.ts'

/** The texts and names of the options of `create` and `update`; `addKeySettings` adds those that take words of their own. */
export const keyFields = {
  name: 'the purpose of the key',
  displayName: { text: 'the name that customers read as the author of its messages', value: 'name' },
  permissions: false,
  expiresAt: 'such as 2027-01-31',
  ipWhitelist: { flag: 'allow-ip', text: 'addresses and CIDR blocks that can use the key; default: any' },
} as const

export const addKeySettings = (command: Command) =>
  command
    .addOption(
      listing(
        new Option(
          '--permissions <list>',
          `comma separated, or all: ${permissionNames.join(', ')}`,
        ).argParser(addToList),
        [...permissionNames, 'all'],
      ),
    )
    .addOption(
      new Option('--expires-in <time>', 'such as 12h, 90d or 8w')
        .argParser(momentAfter)
        .conflicts('expiresAt'),
    )
    .option('--rate-limit <limit>', "the key's own limit, such as 100/minute or 5000/1h")
    .option('--rotate-every <days>', 'mark the key for rotation after this many days, 1 to 365', wholeNumber)
    .option('--notify-before <days>', 'report the rotation this many days early; default 7', wholeNumber)

type KeySettings = ReturnType<ReturnType<typeof addKeySettings>['opts']>
type KeyFields = Pick<UpdateApiKey, 'name' | 'displayName' | 'expiresAt' | 'ipWhitelist'> &
  Pick<CreateApiKey, 'environment'>

const notifyDaysDefault = 7

/** The part of the body that the settings make; an absent setting stays absent. */
export function settingsBody({
  permissions,
  expiresIn,
  rateLimit,
  rotateEvery,
  notifyBefore,
  ...fields
}: KeySettings & KeyFields) {
  return {
    ...fields,
    permissions: permissions && parsePermissions(permissions),
    expiresAt: fields.expiresAt ?? expiresIn,
    rateLimit: rateLimit === undefined ? undefined : parseRateLimit(rateLimit),
    rotationPolicy: rotationPolicyOf(rotateEvery, notifyBefore),
  }
}

function rotationPolicyOf(
  rotateEvery: number | undefined,
  notifyBefore: number | undefined,
): CreateApiKey['rotationPolicy'] {
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
  throw usageError('--rate-limit must be like 100/minute or 5000/1h.')
}
