import { type deleteSuppressedAddress, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleDeleteSuppressedAddress: Handler<typeof deleteSuppressedAddress> = async (
  { store },
  { params },
) => {
  if ((await store.suppressedAddresses.find(params.id)) === undefined) throw notFound()
  return {
    change: { writes: [{ op: 'remove', kind: 'suppressedAddresses', id: params.id }], events: [] },
    audit: { action: 'suppressedAddress.deleted', target: { type: 'suppressedAddress', _id: params.id } },
    reply: { success: true, message: 'Suppressed address deleted' },
  }
}
