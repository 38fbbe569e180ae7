import { invalidState } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'

/** Throws INVALID_STATE for a mail that cannot be read any more. */
export async function assertBytes(
  store: TenantReads,
  { attachmentId }: Pick<InboundMailRecord, 'attachmentId'>,
): Promise<void> {
  const raw = await store.attachments.find(attachmentId)
  if (raw === undefined || raw.erasedAt !== null)
    throw invalidState('The bytes of this mail were deleted', 'deleted', ['stored'])
}
