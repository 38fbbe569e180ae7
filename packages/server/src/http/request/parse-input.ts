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

interface RawInput {
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
  const problems = pathProblems(operation, raw)
  const { request, rules } = operation
  let query: unknown = {}
  if (request?.query) {
    const result = parsePart(request.query, parseQuery(raw.search), 'query')
    query = result.data
    problems.push(...(result.problems ?? []))
  }
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
  return { params: raw.params, query, body } as InputOf<O>
}

/** Ids are compared as they are, so that a malformed one is not found; only a word of a list is checked. */
function pathProblems({ request }: Operation, { params }: RawInput): Problem[] {
  if (!request?.params) return []
  const { problems = [] } = parsePart(request.params, params, 'path')
  return problems.filter(({ rule }) => rule === 'enum')
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
