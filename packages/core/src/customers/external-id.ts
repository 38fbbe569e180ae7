import { type Problem, validationFailure } from '../contract/failure.ts'
import { normalizeText } from '../shared/normalize.ts'

const sourcePattern = /^[A-Za-z0-9_-]{1,64}$/
// No control characters and no half surrogate pair, as in every short text.
const idPattern = /^[^\p{Cc}\p{Cs}]{1,255}$/u

/** The id of a row in another system. */
export interface ExternalId {
  /** Name of the other system. */
  source: string
  id: string
}

/**
 * Returns the text by which the row is stored and found. Throws VALIDATION_ERROR for a malformed source or id, which stood in
 * the given part of the request.
 */
export function externalIdText({ source, id }: ExternalId, place: Problem['in'] = 'path'): string {
  const problems: Problem[] = []
  const refuse = (field: string, message: string) =>
    problems.push({ field, message, rule: 'format', in: place })
  if (!sourcePattern.test(source)) refuse('source', 'must be 1 to 64 letters, digits, - and _')
  if (!idPattern.test(id)) refuse('id', 'must be 1 to 255 characters without control characters')
  if (problems.length > 0) throw validationFailure(problems)
  return `${source}:${normalizeText(id, 'NFC')}`
}
