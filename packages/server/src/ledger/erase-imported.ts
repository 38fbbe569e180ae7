import type { ErasureLine } from '../ports/erasure-ledger.ts'
import { isoTime } from '../shared/clock.ts'
import { readTenantRows } from '../shared/read-tenant-rows.ts'
import type { TenantId } from '../storage/records.ts'
import { findErasing, type LedgerParts } from './apply-ledger.ts'
import { eraseAddresses } from './erase-addresses.ts'
import { eraseLine } from './erase-line.ts'

/** Returns the lines about one tenant, by the id of what was erased. */
export async function erasuresOfTenant(
  { ledger }: Pick<LedgerParts, 'ledger'>,
  tenantId: string,
): Promise<Map<string, ErasureLine>> {
  const found = new Map<string, ErasureLine>()
  const part = await ledger.read(undefined)
  for await (const line of part?.lines() ?? []) {
    if (line?.tenantId !== tenantId) continue
    // A customer may have a line for the addresses alone.
    const addresses = [...(found.get(line.id)?.addresses ?? []), ...line.addresses]
    found.set(line.id, { ...line, addresses })
  }
  return found
}

interface Imported {
  tenantId: TenantId
  /** The tenant that the package is of. */
  source: string
  /** The beginning of the external ids of the package. */
  prefix: string
  erasures: ReadonlyMap<string, ErasureLine>
}

/** Erases in a tenant that was made of a package what has been erased in the tenant of the package. Returns how many of each kind. */
export async function eraseImported(
  parts: Omit<LedgerParts, 'log'>,
  { tenantId, source, prefix, erasures }: Imported,
): Promise<Record<string, number>> {
  const counts = { customers: 0, conversations: 0, addresses: 0 }
  const tenant = await findErasing(parts, tenantId)
  if (erasures.size === 0 || tenant === undefined) return counts
  // Everything of a package is of before.
  const at = isoTime(parts.clock.nowMs())
  const links = readTenantRows(parts.storage.system, { kind: 'importLinks', tenantId })
  for await (const { externalId, entityKind, entityId: id } of links) {
    const line = externalId.startsWith(prefix) && erasures.get(externalId.split(':').at(-1) ?? '')
    if (!line || line.kind !== entityKind) continue
    if ((await eraseLine(parts, tenant, { ...line, at, tenantId, id })) !== 'erased') continue
    counts[line.kind === 'customers' ? 'customers' : 'conversations'] += 1
  }
  const holders = new Map(
    [...erasures.values()].flatMap(({ addresses, id }) =>
      addresses.map((digest) => [digest, { id, at }] as const),
    ),
  )
  const begun = await findErasing(parts, tenantId)
  const of = { holders, digests: parts.digests, digestedFor: source }
  if (begun && holders.size > 0) counts.addresses = await eraseAddresses(parts, begun, of)
  return counts
}
