import { normalizeEmail } from '@crmkit/core/vocabulary'
import { erasuresOf } from '../features/customers/address-erasures.ts'
import type { AddressDigests } from '../ports/erasure-ledger.ts'
import { isoTime } from '../shared/clock.ts'
import { readPhone } from '../shared/people-of-phone.ts'
import { readTenantRows } from '../shared/read-tenant-rows.ts'
import { unlinkedSenderOf } from '../storage/kinds/inbound-mails.ts'
import type { TenantId } from '../storage/records.ts'
import type { ErasingParts, ErasingTenant } from './erase-line.ts'

/** The customer who had an address or a phone number, and when the last of them was erased. */
export interface ErasedHolder {
  id: string
  at: string
}

interface ErasedAddresses {
  /** By the digest of the address. */
  holders: ReadonlyMap<string, ErasedHolder>
  digests: AddressDigests
  /** The tenant whose id is in the digests. */
  digestedFor: string
}

/**
 * Erases addresses and phone numbers of the ledger that mails and calls here name, also where the customer has not had them yet or is
 * not here. The ledger knows digests alone, so it is the addresses and numbers here that are tried. Returns how many were found.
 */
export async function eraseAddresses(
  parts: ErasingParts,
  { tenantId, tasks }: ErasingTenant,
  { holders, digests, digestedFor }: ErasedAddresses,
): Promise<number> {
  const isBegun = new Set(tasks.map(({ subjectId, targetId }) => `${subjectId} ${targetId}`))
  const found = new Map<string, ErasedHolder>()
  for await (const address of addressesIn(parts, tenantId)) {
    if (found.has(address)) continue
    for (const digest of digests.digestsOf({ tenantId: digestedFor, address })) {
      const holder = holders.get(digest)
      if (holder && !isBegun.has(`${holder.id} ${address}`)) found.set(address, holder)
    }
  }
  const store = parts.storage.forTenant(tenantId)
  // One commit for each customer: several may write the same row, such as an uploaded file that names them.
  for (const [{ id, at }, names] of Map.groupBy(found, ([, holder]) => holder)) {
    const deletion = { store, tenantId, ids: parts.ids, now: isoTime(parts.clock.nowMs()), until: at }
    const addresses = names.map(([address]) => address)
    await store.commit({ writes: await erasuresOf(deletion, { _id: id }, addresses), events: [] })
  }
  return found.size
}

/** Returns the addresses that mails of a tenant name, those that refuse mail, and the numbers of its calls; some of them more than once. */
async function* addressesIn({ storage }: ErasingParts, tenantId: TenantId): AsyncGenerator<string> {
  const { system } = storage
  for await (const { address } of readTenantRows(system, { kind: 'addressUses', tenantId }))
    yield normalizeEmail(address)
  for await (const mail of readTenantRows(system, { kind: 'inboundMails', tenantId })) {
    const address = unlinkedSenderOf(mail)
    if (address !== null) yield normalizeEmail(address)
  }
  for await (const { address } of readTenantRows(system, { kind: 'suppressedAddresses', tenantId }))
    yield normalizeEmail(address)
  const store = storage.forTenant(tenantId)
  for await (const { from, to } of readTenantRows(system, { kind: 'calls', tenantId }))
    for (const number of [from, to]) {
      const phone = await readPhone(store, number)
      if (phone !== null) yield phone
    }
}
