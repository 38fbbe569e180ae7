import {
  type Across,
  acrossLookups,
  columnsOf,
  type Index,
  indexesOf,
  ownersOf,
  rulesOf,
  storedKinds,
} from '../../../storage/kinds/derive.ts'
import type { AcrossName, Kind } from '../../../storage/kinds/registry.ts'
import { fieldOf } from '../rows/fields.ts'

/** The declaration of a collection. Collections of kinds have the kind's name. */
export interface CollectionRule {
  /**
   * `tenant`: every index starts with the tenant, so the collection can be sharded by it.
   * `server`: is queried without a tenant, by credentials or for due jobs; small, never sharded.
   */
  scope: 'tenant' | 'server'
  indexes: Record<string, IndexRule>
}

/** A unique index has the name of the key of the `UniqueConflict` that it raises. */
export interface IndexRule {
  fields: readonly string[]
  isUnique?: true
  /** Only documents that match are in the index. */
  only?: Record<string, unknown>
}

function ofTenant(...fields: string[]): IndexRule {
  return { fields: ['tenantId', ...fields] }
}

/** Collections whose rows have code of their own. */
const ownCollections = {
  events: {
    scope: 'tenant',
    indexes: {
      time: ofTenant('row.timestamp'),
      subject: ofTenant('subjects'),
      log: { ...ofTenant('row.type', 'keys.position'), only: { 'keys.position': { $gte: 0 } } },
      sequence: { ...ofTenant('id'), only: { 'keys.isNew': 1 } },
    },
  },
  attempts: {
    scope: 'tenant',
    indexes: {
      webhook: ofTenant('row.webhookId', 'row.status', 'row.createdAt', 'id'),
      event: ofTenant('row.eventId'),
      created: ofTenant('row.createdAt'),
    },
  },
  webhookCounts: { scope: 'tenant', indexes: {} },
  /** One row for each pending attempt; `deliveryQueue` names its queue. Each delivery rewrites every index of this. */
  dueAttempts: {
    scope: 'server',
    indexes: {
      deliveryQueue: { fields: ['keys.deliveryQueue', 'keys.dueAt', '_id'] },
    },
  },
  /** Deleted webhooks whose attempts are still to be deleted. */
  removedWebhooks: { scope: 'server', indexes: {} },
  /** One row for each name, under the empty tenant id. */
  leases: { scope: 'server', indexes: {} },
  /** The progress of giving events their positions; see `event-sequencer.ts`. */
  eventSequence: { scope: 'server', indexes: {} },
  /** The schema's version, the heartbeat, and a row for each process that uses the database. */
  serverState: { scope: 'server', indexes: {} },
} as const satisfies Record<string, CollectionRule>

/** Also those by which rows of tenants are found without their tenant, such as the hashes of API keys. */
export type CollectionName = Kind | AcrossName | keyof typeof ownCollections

/** Limits a partial index to texts: every text is at least the empty one, and null is no text. */
function onlyTexts(field: string): Record<string, unknown> {
  return { [field]: { $gte: '' } }
}

function indexRule(kind: Kind, { columns, scope, isUnique, onlySet }: Index): IndexRule {
  const fields = columns.map((column) => fieldOf(kind, column))
  const nullable = columnsOf(kind).find(({ name, isNullable }) => isNullable && columns.includes(name))
  const only = onlySet ?? (isUnique ? nullable?.name : undefined)
  // Retention reads tenant by tenant, unless the collection is queried without a tenant.
  const isOfTenant = scope === 'tenant' || (scope === 'expiry' && rulesOf(kind).scope !== 'server')
  return {
    fields: isOfTenant ? ['tenantId', ...fields] : fields,
    ...(isUnique && { isUnique: true }),
    ...(only !== undefined && { only: onlyTexts(fieldOf(kind, only)) }),
  }
}

/** Makes an index from which labels are counted without their documents: lists are stored as JSON text. */
function labelUseIndex(kind: Kind): Record<string, IndexRule> {
  const { labelUses } = rulesOf(kind)
  if (labelUses === undefined) return {}
  const labels = `row.${labelUses.labels}.json`
  const { at, by } = labelUses
  const fields = ['tenantId', fieldOf(kind, at), fieldOf(kind, by), labels]
  // Every list with an item sorts before the empty one.
  return { labelUses: { fields, only: { [labels]: { $lt: '[]' } } } }
}

/** Returns whether a search finds rows of this kind by the texts of another one. */
function isFoundByOthers(kind: Kind): boolean {
  return storedKinds.some((other) => {
    const { searchedThrough } = rulesOf(other)
    return ownersOf(other).some(([owner, column]) => owner === kind && column === searchedThrough)
  })
}

/** Makes the index from which a search reads the numbers of the rows that it finds, without their documents. */
function searchIndexes(kind: Kind): Record<string, IndexRule> {
  if (rulesOf(kind).searchText === undefined) return {}
  return {
    search: ofTenant('grams', 'searchNumber'),
    ...(isFoundByOthers(kind) && { searchNumber: ofTenant('searchNumber') }),
  }
}

function collectionOfKind(kind: Kind): CollectionRule {
  const { scope = 'tenant', acrossTenants } = rulesOf(kind)
  const own = indexesOf(kind).filter(({ name }) => !Object.hasOwn(acrossTenants ?? {}, name))
  const indexes = Object.fromEntries(own.map((index) => [index.name, indexRule(kind, index)]))
  return { scope, indexes: { ...indexes, ...searchIndexes(kind), ...labelUseIndex(kind) } }
}

function pointers({ columns, isUnique }: Across): CollectionRule {
  const fields = columns.map((column) => `keys.${column}`)
  const index: IndexRule = isUnique ? { fields, isUnique } : { fields: [...fields, '_id'] }
  return { scope: 'server', indexes: { [columns[0]]: index } }
}

/** Every collection, by its name. */
export const collections: Readonly<Record<CollectionName, CollectionRule>> = {
  ...(Object.fromEntries(storedKinds.map((kind) => [kind, collectionOfKind(kind)])) as Record<
    Kind,
    CollectionRule
  >),
  ...(Object.fromEntries(acrossLookups.map((one) => [one.name, pointers(one)])) as Record<
    AcrossName,
    CollectionRule
  >),
  ...ownCollections,
}
