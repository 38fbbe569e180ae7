import type { ApiKeyRecord } from '../storage/kinds/api-keys.ts'
import { CommandError, readArgs, rowOptions, withService } from './command.ts'
import { everyTenant } from './tenants.ts'

const pageSize = 100

/** Finds API keys by their hint: reads the keys of all tenants. */
export async function findKeys(args: string[]): Promise<void> {
  const { values, positionals } = readArgs(args, { names: ['HINT'], options: rowOptions })
  const hint = positionals[0] ?? ''
  if (!/^[A-Za-z0-9]{4}$/.test(hint))
    throw new CommandError(
      'HINT is the keyHint of an API key: 4 letters or digits, which stand before its last 6. Never pass the key itself',
    )
  await withService(async ({ service, print, say }) => {
    let found = 0
    for await (const { tenantId, name: tenantName } of everyTenant(service)) {
      const { apiKeys } = service.storage.forTenant(tenantId)
      let cursor: string | undefined
      do {
        const page = await apiKeys.listRows({ page: 1, limit: pageSize, cursor })
        for (const key of page.rows.filter(({ keyHint }) => keyHint === hint)) {
          found += 1
          const { _id: id, name, lastUsedAt } = key
          print({ id, name, state: stateOf(key), lastUsedAt, tenantId, tenantName })
        }
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
    }
    if (found === 0) say(`No API key has the hint ${hint}.`)
  }, values)
}

function stateOf({ isActive, expiresAt }: ApiKeyRecord): string {
  if (!isActive) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active'
}
