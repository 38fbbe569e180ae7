import type { KindDefinition } from '../../src/storage/kinds/define-kind.ts'
import type { Field } from '../../src/storage/kinds/fields.ts'
import { fileOfKind } from '../contracts/storage/derived-row.contract.ts'

/** The last word of the name of a field that people fill with words, names or addresses of their own. */
const personalWords: ReadonlySet<string> = new Set([
  'address',
  'body',
  'comment',
  'content',
  'description',
  'email',
  'filename',
  'name',
  'note',
  'phone',
  'profile',
  'reason',
  'subject',
  'text',
  'title',
])

/** Kinds whose rows are persons: every text of such a row says something about that person. */
const people: ReadonlySet<string> = new Set(['customers', 'users'])

function lastWord(name: string): string {
  return (/[A-Z]?[a-z]+$/.exec(name)?.[0] ?? name).toLowerCase()
}

function isSuspicious(kind: string, name: string, { type }: Field<unknown>): boolean {
  if (name === '_id' || name === 'tenantId' || (type !== 'text' && type !== 'json')) return false
  return people.has(kind) || personalWords.has(lastWord(name))
}

/** Returns the fields that a declaration classes as harmless although their names sound personal, each with what to do. */
export function personalFieldProblems({ name: kind, fields }: KindDefinition<unknown>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const isHarmless = field.personalData === 'plain' || field.personalData === 'internal'
    if (!isHarmless || field.why !== undefined || !isSuspicious(kind, name, field)) return []
    return [
      `${kind}.${name} is classed "${field.personalData}" in ${fileOfKind(kind)}, and its name sounds personal: class it ` +
        `customer, user or both, so that exports show it and erasures remove it, or say because('why not', …)`,
    ]
  })
}
