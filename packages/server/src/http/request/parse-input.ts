import type { IncomingHttpHeaders } from 'node:http'
import {
  blanksToNull,
  Failure,
  type InputOf,
  type Operation,
  type Problem,
  parsePart,
  rightFields,
  validationFailure,
} from '@crmkit/core'
import type { z } from 'zod'

interface RawInput {
  headers: IncomingHttpHeaders
  params: Record<string, string>
  /** Everything behind the `?`. */
  search: string
  body: Record<string, unknown>
}

/** Parses every part of a request and reports all failures of all parts at once. */
export function parseInput<O extends Operation>(
  operation: O,
  raw: RawInput,
  check?: (fields: Record<string, unknown>) => void,
): InputOf<O> {
  const { request, rules } = operation
  const query = parseOptional(request?.query, 'query', () => parseQuery(raw.search))
  const headers = parseOptional(request?.headers, 'header', (schema) => namedHeaders(schema, raw.headers))
  const problems = [...pathProblems(operation, raw), ...query.problems, ...headers.problems]
  let body: unknown = {}
  if (request?.body) {
    const schema = request.body
    const given = blanksToNull(schema, raw.body)
    const result = parsePart(schema, given, 'body')
    body = result.data
    if (result.problems) {
      problems.push(...result.problems)
      if (check) problems.push(...problemsOf(() => check(rightFields(schema, given))))
    }
  } else {
    problems.push(...Object.keys(raw.body).map(unknownField))
  }
  for (const rule of rules ?? []) {
    const problem = rule.check(raw.body)
    if (problem) problems.push({ ...problem, in: 'body' })
  }
  if (problems.length > 0) throw validationFailure(problems)
  // The parts were parsed by this very operation's schemas.
  const input: unknown = { params: raw.params, query: query.data, body, headers: headers.data }
  return input as InputOf<O>
}

/** Parses a part that an operation may lack. */
function parseOptional(
  schema: z.ZodObject | undefined,
  place: 'query' | 'header',
  given: (schema: z.ZodObject) => unknown,
): { data: unknown; problems: Problem[] } {
  if (schema === undefined) return { data: {}, problems: [] }
  const { data, problems = [] } = parsePart(schema, given(schema), place)
  return { data, problems }
}

/** Ids are compared as they are, so that a malformed one is not found; only a word of a list is checked. */
function pathProblems({ request }: Operation, { params }: RawInput): Problem[] {
  if (!request?.params) return []
  const { problems = [] } = parsePart(request.params, params, 'path')
  return problems.filter(({ rule }) => rule === 'enum')
}

/** Returns the headers of a schema by the names that it gives them. */
function namedHeaders({ shape }: z.ZodObject, headers: IncomingHttpHeaders): Record<string, unknown> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, headers[name.toLowerCase()]]))
}

function problemsOf(check: () => void): Problem[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof Failure && error.code === 'VALIDATION_ERROR') return error.details as Problem[]
    throw error
  }
}

function unknownField(field: string): Problem {
  return { field, message: 'is not a field of this request', rule: 'unknown_field', in: 'body' }
}

function parseQuery(search: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  if (search === '') return query
  for (const [name, value] of new URLSearchParams(search)) {
    const before = Object.hasOwn(query, name) ? query[name] : undefined
    if (before === undefined) Object.defineProperty(query, name, { value, enumerable: true, writable: true })
    else query[name] = [before, value].flat()
  }
  return query
}
