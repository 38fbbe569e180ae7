import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import { externalLinkId } from '../storage/external-ids.ts'
import type { ImportLinkRecord } from '../storage/kinds/import-links.ts'
import type { Stored } from '../storage/records.ts'
import { removalOf } from './removal-of.ts'

interface GivenId {
  tenantId: string
  customerId: string
  externalId: string
  now: string
}

/** Returns the link of an external id that a request gave to a customer. No import has met it. */
export function givenLink({ tenantId, customerId, externalId, now }: GivenId): ImportLinkRecord {
  return {
    _id: externalLinkId(externalId),
    tenantId,
    externalId,
    module: 'api',
    entityKind: 'customers',
    entityId: customerId,
    customerId,
    conversationId: null,
    payloadHash: '',
    externalModifiedAt: null,
    importedValues: {},
    deletedAt: null,
    madeBy: null,
    lastRunId: '',
    rowVersion: 0,
    createdAt: now,
    updatedAt: now,
  }
}

/** Returns whether no import stands behind the link: nothing of a record was written yet. */
export function isGiven({ lastRunId }: Pick<ImportLinkRecord, 'lastRunId'>): boolean {
  return lastRunId === ''
}

/**
 * Returns the link of an external id. A link that the upgrade has not moved yet has the version 0: it is no row of
 * `importLinks`, and is inserted to change it.
 */
export async function findLink(
  store: TenantReads,
  linkId: string,
): Promise<Stored<ImportLinkRecord> | undefined> {
  const found = await store.importLinks.find(linkId)
  if (found !== undefined) return found
  const old = await store.externalLinks.find(linkId)
  const customer = old && (await store.customers.find(old.customerId))
  const externalId = customer?.externalIds.find((text) => externalLinkId(text) === linkId)
  if (old === undefined || customer === undefined || externalId === undefined) return undefined
  const { _id: customerId, tenantId } = customer
  return { ...givenLink({ tenantId, customerId, externalId, now: old.createdAt }), version: 0 }
}

interface OwnIds {
  _id: string
  externalIds: readonly string[]
}

/** Returns the writes that remove the links of a customer's external ids: they are free with this very commit. */
export async function removedLinks(store: TenantReads, { _id, externalIds }: OwnIds): Promise<Write[]> {
  const { links, old } = await linksOf(store, { _id, externalIds })
  return [
    ...links.map((link) => removalOf('importLinks', link)),
    ...old.map((link) => removalOf('externalLinks', link)),
  ]
}

/** Returns the writes that give the links of a customer's external ids to the target. */
export async function movedLinks(
  store: TenantReads,
  { source, targetId }: { source: OwnIds; targetId: string },
): Promise<Write[]> {
  const { links, old } = await linksOf(store, source)
  return [
    ...links.map(({ _id: id, version: expectVersion }): Write => {
      // The version was the source's: an undo must not take the target for the row that its import has made.
      const set = { customerId: targetId, entityId: targetId, rowVersion: 0 }
      return { op: 'update', kind: 'importLinks', id, expectVersion, set }
    }),
    ...old.map(({ _id: id, version: expectVersion }): Write => {
      return { op: 'update', kind: 'externalLinks', id, expectVersion, set: { customerId: targetId } }
    }),
  ]
}

/** Of two customers who show one external id, from before there was one register, one alone has its link. */
async function linksOf(store: TenantReads, { _id, externalIds }: OwnIds) {
  const ids = externalIds.map(externalLinkId)
  const [links, old] = await Promise.all([
    Promise.all(ids.map((id) => store.importLinks.find(id))),
    Promise.all(ids.map((id) => store.externalLinks.find(id))),
  ])
  const isOwn = (link: { customerId: string | null } | undefined) => link?.customerId === _id
  return {
    links: links.filter((link) => link !== undefined).filter(isOwn),
    old: old.filter((link) => link !== undefined).filter(isOwn),
  }
}
