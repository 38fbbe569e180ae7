import { validationFailure } from '@crmkit/core'
import { parseBlock } from '../../shared/address-block.ts'

/** Throws VALIDATION_ERROR with every entry that is no address and no CIDR block. */
export function assertIpWhitelist(list: readonly string[] | null | undefined): void {
  const problems = (list ?? []).flatMap((entry, index) =>
    parseBlock(entry) === undefined
      ? [
          {
            field: `ipWhitelist.${index}`,
            message: 'must be an IP address or a CIDR block',
            rule: 'ip',
            in: 'body' as const,
          },
        ]
      : [],
  )
  if (problems.length > 0) throw validationFailure(problems)
}
