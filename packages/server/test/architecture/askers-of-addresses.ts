import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One way to find a person by an address, and the files that may go it. */
interface Way {
  readonly text: RegExp
  readonly allowed: readonly string[]
}

const adapters = ['adapters/sqlite/', 'adapters/mongo/']

const ways: readonly Way[] = [
  // An import looks hundreds of people up at once, and asks the register about each.
  {
    text: /\blistByContact\b/,
    allowed: [
      'ports/storage.ts',
      'shared/people-of-address.ts',
      'shared/people-of-phone.ts',
      'imports/plan/working-set.ts',
      'imports/plan/dry-rows.ts',
      ...adapters,
    ],
  },
  {
    text: /\blistByAddress\b/,
    allowed: [
      'ports/storage.ts',
      'shared/people-of-address.ts',
      'shared/people-of-phone.ts',
      'imports/plan/working-set.ts',
      ...adapters,
    ],
  },
  // Calls are found by the ends of their numbers, which are compared as wholes there.
  { text: /\b(?:from|to)Tail\b/, allowed: ['shared/people-of-phone.ts', 'storage/kinds/calls.ts'] },
  // The list of customers shows those whose row has the e-mail: it is a filter of the API, and says nothing about people.
  {
    text: /\bcustomers\.list\([^)]*\bemail\b/s,
    allowed: ['shared/people-of-address.ts', 'features/customers/read-customers.ts'],
  },
  // Users and identities have a key of this name too.
  {
    text: /\bemailNormalized\b|\bemail_normalized\b/,
    allowed: [
      ...adapters,
      'storage/kinds/',
      'storage/errors.ts',
      'features/auth/',
      'features/users/',
      'commands/',
      'ports/system-store.ts',
      'shared/user-of-record.ts',
      'http/response/handle-error.ts',
      'http/pipeline/',
      'upgrades/email-forms.ts',
    ],
  },
  {
    text: /normalizeEmail\([^()]*profile\??\.email\b|\bprofile\??\.email\s*[!=]==(?!\s*(?:null|undefined)\b)/,
    allowed: [
      'shared/people-of-address.ts',
      'shared/learn-addresses.ts',
      'shared/merge-addresses.ts',
      'storage/kinds/customers.ts',
    ],
  },
]

/** Returns a sentence for each way that the text of a file goes without being allowed to. `name` is its path in `src`. */
export function askersOfAddresses(name: string, text: string): string[] {
  return ways
    .filter((way) => way.text.test(text) && !way.allowed.some((allowed) => name.startsWith(allowed)))
    .map(
      ({ text: { source } }) =>
        `packages/server/src/${name} finds people by an address with ${source}: ask shared/people-of-address.ts`,
    )
}

/** Returns the sources of the server by their paths in `src`; tests are none. */
export function serverSources(): [name: string, text: string][] {
  const root = path.join(import.meta.dirname, '../../src')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => [name.replaceAll(path.sep, '/'), readFileSync(path.join(root, name), 'utf8')])
}
