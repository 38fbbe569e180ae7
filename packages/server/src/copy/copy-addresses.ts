import path from 'node:path'
import { parseArgs } from 'node:util'
import { readValues, type Variables } from '../main/config/config.ts'
import { ConfigError } from '../main/config/config-error.ts'
import { databaseUrlPattern, databaseUrlRule } from '../main/config/environment.ts'
import { isSplitAsMeant, passwordRule } from '../main/config/split-address.ts'

export interface CopyAddresses {
  from: string
  to: string
}

const variableOf = { from: 'CRM_COPY_FROM', to: 'CRM_COPY_TO' } as const

function fileOf(address: string): string {
  return address.replace(/^sqlite:(.*)$/s, (_, file: string) => `sqlite:${path.resolve(file)}`)
}

/**
 * Reads the addresses from `--from` and `--to`, or from variables and files, because an address may hold a password
 * and flags are visible in the process list. Throws `ConfigError` with every problem.
 */
export function readCopyAddresses(args: string[], variables: Variables): CopyAddresses {
  const options = { from: { type: 'string' }, to: { type: 'string' } } as const
  const { values: flags } = parseArgs({ args, options })
  const problems: string[] = []
  const names = Object.values(variableOf)
  const set = readValues(variables, { all: names, secret: names }, problems)

  function address(name: 'from' | 'to'): string {
    const variable = variableOf[name]
    const [flag, value] = [flags[name], set[variable]]
    if (flag !== undefined && value !== undefined)
      problems.push(`--${name} and ${variable} are both given: use one`)
    const found = flag ?? value ?? ''
    if (found === '') problems.push(`--${name} is missing: give it, or ${variable}, or ${variable}_FILE`)
    // The message does not repeat the address: a mistyped one may hold a password.
    else if (!databaseUrlPattern.test(found)) problems.push(`--${name} ${databaseUrlRule}`)
    else if (!isSplitAsMeant(found)) problems.push(`--${name} ${passwordRule}`)
    return found
  }

  const addresses = { from: address('from'), to: address('to') }
  const isOneFile = addresses.from.startsWith('sqlite:') && fileOf(addresses.from) === fileOf(addresses.to)
  if (isOneFile) problems.push('--from and --to name the same file')
  if (problems.length > 0) throw new ConfigError(problems)
  return addresses
}
