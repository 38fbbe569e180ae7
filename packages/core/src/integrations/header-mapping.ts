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

const statuses = ['open', 'pending', 'closed'] as const

/** The fields that hold one of a few words, with the words. */
export const choiceTargets: Readonly<Record<string, readonly string[]>> = {
  status: statuses,
  stage: statuses,
  priority: ['low', 'medium', 'high', 'urgent'],
  channel: ['email', 'chat', 'phone', 'whatsapp', 'instagram', 'twitter', 'facebook', 'sms'],
  callType: ['inbound', 'outbound', 'missed'],
}

/** The meanings of words of a file, by field. */
export type ValueTargets = Record<string, Record<string, string>>
/** The meanings of words of files, by module. */
export type ValueMapping = Record<string, ValueTargets>

export const valuesPerTargetMax = 500

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

/** Returns the problems of a mapping of words: unknown modules and fields, and meanings that a field cannot have. */
export function valueProblems(values: Readonly<Record<string, ValueTargets | null>>): Problem[] {
  return Object.entries(values).flatMap(([module, targets]) => {
    const known = Object.hasOwn(headerTargets, module) ? headerTargets[module] : undefined
    if (known === undefined) {
      const message = `must be one of ${Object.keys(headerTargets).join(', ')}`
      return [problem(`values.${module}`, message, 'module')]
    }
    const choices = known.filter((target) => Object.hasOwn(choiceTargets, target))
    return Object.entries(targets ?? {}).flatMap(([target, words]) => {
      const field = `values.${module}.${target}`
      if (!choices.includes(target)) {
        const message = choices.length > 0 ? `must be one of ${choices.join(', ')}` : 'has no such words'
        return [problem(field, message, 'target')]
      }
      return problemsOfWords(field, words, choiceTargets[target] ?? [])
    })
  })
}

/** Returns the problems of the orders of dates by column: unknown modules. */
export function dateOrderProblems(orders: Readonly<Record<string, unknown>>): Problem[] {
  return Object.keys(orders).flatMap((module) =>
    Object.hasOwn(headerTargets, module)
      ? []
      : [
          problem(
            `dateOrders.${module}`,
            `must be one of ${Object.keys(headerTargets).join(', ')}`,
            'module',
          ),
        ],
  )
}

function problemsOfWords(
  field: string,
  words: Readonly<Record<string, string>>,
  meanings: readonly string[],
): Problem[] {
  if (Object.keys(words).length > valuesPerTargetMax)
    return [problem(field, `has more than ${valuesPerTargetMax} words`, 'max_length')]
  return Object.entries(words)
    .filter(([, meaning]) => !meanings.includes(meaning))
    .map(([word]) => problem(`${field}.${word}`, `must be one of ${meanings.join(', ')}`, 'value'))
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
