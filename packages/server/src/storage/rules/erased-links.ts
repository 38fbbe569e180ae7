import { createHash } from 'node:crypto'
import type { ErasedLinkRecord, Kind, Records } from '../records.ts'

/* What keeps a sync from bringing back what was erased, for every storage adapter alike. */

/** The ids that rows of a kind have elsewhere. A kind that can be imported is named here. */
const externalIds: { readonly [K in Kind]?: (row: Records[K]) => readonly string[] } = {
  conversations: (row) => row.externalIds,
  messages: ({ externalId }) => (externalId === null ? [] : [externalId]),
}

/** Whether rows of this kind have to be read before they go. */
export function hasExternalIds(kind: Kind): boolean {
  return Object.hasOwn(externalIds, kind)
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
  const idsOf = externalIds[kind] as ((row: object) => readonly string[]) | undefined
  const ids = new Set(rows.flatMap((row) => idsOf?.(row) ?? []))
  return [...ids].map((externalId) => ({
    ...{ _id: erasedLinkId({ tenantId, kind, externalId }), tenantId, erasedAt: at },
  }))
}
