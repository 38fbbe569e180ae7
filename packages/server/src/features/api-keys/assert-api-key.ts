import { apiKeyProblems, type Problem, type UpdateApiKeyBody, validationFailure } from '@crmkit/core'
import { parseBlock } from '../../shared/address-block.ts'

type Settings = Pick<UpdateApiKeyBody, 'expiresAt' | 'rotationPolicy' | 'ipWhitelist'>

/** Checks the settings of a key that a schema cannot check. Throws VALIDATION_ERROR with all problems at once. */
export function assertApiKey(body: Settings, now: string): void {
  const problems = [...apiKeyProblems(body, now), ...addressProblems(body.ipWhitelist ?? [])]
  if (problems.length > 0) throw validationFailure(problems)
}

/** Returns a problem for each entry that is neither an address nor a CIDR block. */
function addressProblems(list: readonly string[]): Problem[] {
  const message = 'must be an IP address or a CIDR block'
  return list.flatMap((entry, index): Problem[] =>
    parseBlock(entry) === undefined
      ? [{ field: `ipWhitelist.${index}`, message, rule: 'ip', in: 'body' }]
      : [],
  )
}
