import { createHash } from 'node:crypto'
import { rulesOf } from '../kinds/derive.ts'
import type { ErasedLinkRecord } from '../kinds/erased-links.ts'
import type { Kind } from '../kinds/registry.ts'

/* What keeps a sync from bringing back what was erased, for every storage adapter alike. */

/** Whether rows of this kind have to be read before they go. */
export function hasExternalIds(kind: Kind): boolean {
  return rulesOf(kind).externalIds !== undefined
}

/** A digest: the id itself may be somebody's number or address. Of its tenant, so that two cannot be compared. */
export function erasedLinkId(of: { tenantId: string; kind: Kind; externalId: string }): string {
  const text = JSON.stringify([of.tenantId, of.kind, of.externalId])
  return createHash('sha256').update(text).digest('base64url')
}

/** What is left of rows that go, one for each id that they had elsewhere. */
export function erasedLinks(
  { tenantId, kind, at }: { tenantId: string; kind: Kind; at: string },
  rows: readonly object[],
): ErasedLinkRecord[] {
  const idsOf = rulesOf(kind).externalIds
  const ids = new Set(rows.flatMap((row) => idsOf?.(row) ?? []))
  return [...ids].map((externalId) => ({
    ...{ _id: erasedLinkId({ tenantId, kind, externalId }), tenantId, erasedAt: at },
  }))
}
