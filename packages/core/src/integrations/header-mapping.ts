import type { Problem } from '../contract/failure.ts'

const person = [
  'id',
  'firstName',
  'lastName',
  'fullName',
  'email',
  'secondaryEmail',
  'phone',
  'company',
  'jobTitle',
  'tags',
  'createdAt',
  'updatedAt',
]

/** The fields of each module of a file that a header can be mapped to, besides `customFields.{name}`. */
export const headerTargets: Readonly<Record<string, readonly string[]>> = {
  Contacts: person,
  Leads: person,
  Deals: [
    'id',
    'subject',
    'stage',
    'status',
    'customerId',
    'customerEmail',
    'createdAt',
    'updatedAt',
    'closedAt',
  ],
  Cases: [
    'id',
    'subject',
    'status',
    'priority',
    'channel',
    'customerId',
    'customerEmail',
    'labels',
    'description',
    'createdAt',
    'updatedAt',
    'closedAt',
  ],
  Notes: [
    'id',
    'title',
    'content',
    'parentModule',
    'parentId',
    'authorId',
    'authorEmail',
    'authorName',
    'authorType',
    'direction',
    'isPublic',
    'createdAt',
    'updatedAt',
  ],
  Calls: ['id', 'subject', 'callType', 'startedAt', 'durationSeconds', 'customerId', 'createdAt'],
}

/** Several headers may have one of these: the first phone number that is there counts, and addresses and labels are joined. */
export const repeatableTargets: readonly string[] = ['phone', 'secondaryEmail', 'tags', 'labels']

/** The target of each header of one module; null leaves the column out. */
export type HeaderTargets = Record<string, string | null>
/** The header mapping of each module of a file integration. */
export type HeaderMapping = Record<string, HeaderTargets>

const customTarget = /^customFields\.[^\p{Cc}]{1,128}$/u

/** Returns the problems of a mapping: unknown modules, unknown targets, and two headers with one target. */
export function mappingProblems(mapping: Readonly<Record<string, HeaderTargets | null>>): Problem[] {
  return Object.entries(mapping).flatMap(([module, headers]) => {
    const targets = Object.hasOwn(headerTargets, module) ? headerTargets[module] : undefined
    if (targets === undefined) {
      const message = `must be one of ${Object.keys(headerTargets).join(', ')}`
      return [problem(`mapping.${module}`, message, 'module')]
    }
    return problemsOfModule(module, headers ?? {}, targets)
  })
}

function problemsOfModule(module: string, headers: HeaderTargets, targets: readonly string[]): Problem[] {
  const used = new Set<string>()
  return Object.entries(headers).flatMap(([header, target]) => {
    if (target === null) return []
    const field = `mapping.${module}.${header}`
    if (!targets.includes(target) && !customTarget.test(target)) {
      return [problem(field, `must be one of ${targets.join(', ')}, customFields.NAME or null`, 'target')]
    }
    if (used.has(target) && !repeatableTargets.includes(target))
      return [problem(field, 'another header has this target', 'duplicate')]
    used.add(target)
    return []
  })
}

function problem(field: string, message: string, rule: string): Problem {
  return { field, message, rule, in: 'body' }
}
