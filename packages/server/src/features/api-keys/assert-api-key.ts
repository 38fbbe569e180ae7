import { apiKeyProblems, type Problem, type UpdateApiKeyBody, validationFailure } from '@crmkit/core'
import { parseBlock } from '../../shared/address-block.ts'

type Settings = Pick<UpdateApiKeyBody, 'expiresAt' | 'rotationPolicy' | 'ipWhitelist'>

/** Judges the settings of a key as far as a schema cannot. Throws VALIDATION_ERROR with all failures at once. */
export function assertApiKey(body: Settings, now: string): void {
  const problems = [...apiKeyProblems(body, now), ...addressProblems(body.ipWhitelist ?? [])]
  if (problems.length > 0) throw validationFailure(problems)
}

/** Every entry that is no address and no CIDR block. */
function addressProblems(list: readonly string[]): Problem[] {
  const message = 'must be an IP address or a CIDR block'
  return list.flatMap((entry, index): Problem[] =>
    parseBlock(entry) === undefined
      ? [{ field: `ipWhitelist.${index}`, message, rule: 'ip', in: 'body' }]
      : [],
  )
}
