import { hash } from 'node:crypto'
import { rulesOf } from '../kinds/derive.ts'
import type { ErasedLinkRecord } from '../kinds/erased-links.ts'
import type { Kind } from '../kinds/registry.ts'

/* Tombstones that keep a sync from re-creating erased rows, for every storage adapter alike. */

/** Returns whether rows of this kind have to be read before they are deleted. */
export function hasExternalIds(kind: Kind): boolean {
  return rulesOf(kind).externalIds !== undefined
}

interface ExternalId {
  tenantId: string
  kind: Kind
  externalId: string
}

/**
 * A digest with the tenant in it: the id itself may be a person's number or address, and digests of two tenants
 * cannot be compared.
 */
export function erasedLinkId(of: ExternalId): string {
  const text = JSON.stringify([of.tenantId, of.kind, of.externalId])
  return hash('sha256', text, 'base64url')
}

interface Deletion {
  tenantId: string
  kind: Kind
  at: string
}

/** Returns the tombstones of deleted rows, one for each external id. */
export function erasedLinks({ tenantId, kind, at }: Deletion, rows: readonly object[]): ErasedLinkRecord[] {
  const idsOf = rulesOf(kind).externalIds
  const ids = new Set(rows.flatMap((row) => idsOf?.(row) ?? []))
  return [...ids].map((externalId) => ({
    _id: erasedLinkId({ tenantId, kind, externalId }),
    tenantId,
    erasedAt: at,
  }))
}
