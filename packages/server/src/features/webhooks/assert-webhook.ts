import { type Problem, unmaskedHeaders, validationFailure, webhookHeaderProblems } from '@crmkit/core'
import type { CheckDestination } from '../../ports/http-sender.ts'

interface Given {
  url?: string | undefined
  headers?: Readonly<Record<string, string>> | null | undefined
  /** Whether there are no stored headers that a mask could keep. */
  isNew?: boolean
}

/** Checks the URL's destination and the headers, which a schema cannot. Throws VALIDATION_ERROR with all problems at once. */
export function assertWebhook(checkDestination: CheckDestination, { url, headers, isNew }: Given): void {
  const problems: Problem[] = webhookHeaderProblems(headers ?? {})
  if (isNew) problems.push(...unmaskedHeaders(headers ?? {}, { stored: {}, isMoved: false }).problems)
  const refusal = url === undefined ? undefined : checkDestination(url)
  if (refusal !== undefined) problems.unshift({ field: 'url', ...refusal, in: 'body' })
  if (problems.length > 0) throw validationFailure(problems)
}
