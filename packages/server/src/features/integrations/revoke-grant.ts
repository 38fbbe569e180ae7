import { SourceFailure, type SourceTokens } from '../../ports/connector.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { TenantId } from '../../storage/records.ts'
import type { Services } from '../handler.ts'

/** A person waits for the deletion, which happens whether the source responds or not. */
const timeoutMs = 5_000

/**
 * Makes the tokens of an integration invalid at the source, as well as possible. A handler that runs again revokes them
 * again, without effect.
 */
export async function revokeGrant(
  { sources, secrets }: Pick<Services, 'sources' | 'secrets'>,
  { _id: id, tenantId, provider, sealed, accountsServer }: IntegrationRecord,
): Promise<void> {
  if (provider === 'file' || provider === 'package' || sealed === null || accountsServer === null) return
  const tokens: SourceTokens = JSON.parse(secrets.open(sealed, { tenantId: tenantId as TenantId, id }))
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    await sources.signIns[provider].revoke({ tenantId, accountsServer, tokens, signal })
  } catch (error) {
    const isExpected = error instanceof SourceFailure || signal.aborted
    if (!isExpected) throw error
  }
}
