import type { z } from 'zod'
import { type Problem, problemsMax } from './failure.ts'

type RequestPart = Problem['in']

/**
 * Parses one part of a request. It reports all failures together; their messages never repeat a rejected value.
 */
export function parsePart<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: RequestPart,
): { data: z.output<S>; problems?: never } | { data?: never; problems: Problem[] } {
  // `reportInput` distinguishes a missing value from one of a wrong type; the input itself is not reported.
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return { data: result.data }
  const issues = result.error.issues.slice(0, problemsMax)
  return { problems: issues.flatMap((issue) => problemsOfIssue(issue, place)) }
}

/** The valid fields of an object that its schema refuses. */
export function rightFields(
  schema: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const result = (field as z.ZodType).safeParse(value[name])
    if (result.success) fields[name] = result.data
  }
  return fields
}

function problemsOfIssue(issue: z.core.$ZodIssue, place: RequestPart): Problem[] {
  // A query parameter is reported as a whole: a position inside its list would mean nothing to the caller.
  const field = (place === 'query' ? issue.path.slice(0, 1) : issue.path).map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, problemsMax).map((key) => ({
      field: field === '' ? key : `${field}.${key}`,
      message: 'is not a field of this request',
      rule: 'unknown_field',
      in: place,
    }))
  }
  return [{ field, ...describeIssue(issue, place), in: place }]
}

function describeIssue(issue: z.core.$ZodIssue, place: RequestPart): { message: string; rule: string } {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return { message: 'is required', rule: 'required' }
      // All query values are text, so a list is a parameter that was sent twice.
      if (place === 'query' && Array.isArray(issue.input))
        return { message: 'must be given once', rule: 'type' }
      return { message: `must be ${typeNames[issue.expected] ?? issue.expected}`, rule: 'type' }
    case 'too_big':
      return { message: `must ${bound('at most', issue.maximum, issue.origin)}`, rule: 'max' }
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) {
        return { message: 'must not be blank', rule: 'min' }
      }
      return { message: `must ${bound('at least', issue.minimum, issue.origin)}`, rule: 'min' }
    case 'invalid_value':
      return issue.input === undefined
        ? { message: 'is required', rule: 'required' }
        : { message: `must be one of ${issue.values.map(String).join(', ')}`, rule: 'enum' }
    case 'invalid_format':
      return { message: issue.message, rule: issue.format }
    case 'custom':
      return { message: issue.message, rule: String(issue.params?.['rule'] ?? 'custom') }
    default:
      return { message: 'is not valid', rule: issue.code }
  }
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
}

function bound(word: 'at least' | 'at most', count: number | bigint, origin: string): string {
  if (origin === 'array' || origin === 'set')
    return `have ${word} ${count} item${Number(count) === 1 ? '' : 's'}`
  return `be ${word} ${count}${origin === 'string' ? ' characters long' : ''}`
}
