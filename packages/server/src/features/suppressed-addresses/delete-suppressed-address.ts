import { type deleteSuppressedAddress, notFound } from '@crmkit/core'
import { removalOf } from '../../shared/removal-of.ts'
import type { Handler } from '../handler.ts'

export const handleDeleteSuppressedAddress: Handler<typeof deleteSuppressedAddress> = async (
  { store },
  { params },
) => {
  const suppressed = await store.suppressedAddresses.find(params.id)
  if (suppressed === undefined) throw notFound()
  return {
    change: { writes: [removalOf('suppressedAddresses', suppressed)], events: [] },
    audit: { action: 'suppressedAddress.deleted', target: { type: 'suppressedAddress', _id: params.id } },
    reply: { success: true, message: 'Suppressed address deleted' },
  }
}
