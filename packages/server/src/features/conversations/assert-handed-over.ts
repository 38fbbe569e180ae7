import { Failure, integrationsPerTenantMax } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'

/** Throws INVALID_STATE for a conversation in which the team still works in another product: two desks would write. */
export async function assertHandedOver(
  store: Pick<TenantReads, 'integrations'>,
  { externalIds }: Pick<ConversationRecord, 'externalIds'>,
): Promise<void> {
  const ofPackages = externalIds.filter((id) => id.startsWith('package:'))
  if (ofPackages.length === 0) return
  const { rows } = await store.integrations.listRows({ page: 1, limit: integrationsPerTenantMax })
  const following = rows.find(
    ({ provider, accountId, handover }) =>
      provider === 'package' &&
      handover === 'following' &&
      ofPackages.some((id) => id.startsWith(`package:${accountId}:conversations:`)),
  )
  if (following === undefined) return
  const { _id: integrationId, handover } = following
  const message = `The conversation belongs to ${following.name}, which is not handed over`
  throw new Failure('INVALID_STATE', message, { details: { handover, integrationId } })
}
