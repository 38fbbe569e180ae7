import type { AnyRules, Computed, Filter, ListRules, Order } from './define-kind.ts'
import type { Field, PersonalData } from './fields.ts'
import {
  type AcrossName,
  type Kind,
  kinds,
  type ListedKind,
  type OwnedKind,
  type TenantKind,
  type TransferKind,
} from './registry.ts'

/* Everything that follows from the declarations, for every storage adapter alike. */

export const transferKinds = Object.keys(kinds) as TransferKind[]
/** Kinds whose rows both adapters store by their declaration alone. */
export const storedKinds: readonly Kind[] = transferKinds.filter(
  (name): name is Kind => !('ownStorage' in kinds[name]),
)

/** The kinds whose rows end by themselves, with the column of the moment. */
export function endingKinds(): { kind: Kind; column: string }[] {
  return storedKinds.flatMap((kind) => {
    const { retention } = rulesOf(kind)
    return retention === 'permanent' ? [] : [{ kind, column: retention.endsAt }]
  })
}

export function rulesOf(kind: TransferKind): AnyRules {
  // A kind that nobody declared can come from a caller without types.
  const definition = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (!definition) throw new TypeError(`there is no kind ${kind}`)
  return definition.rules
}

/** Kinds that handlers of a tenant read and write. */
export const tenantKinds = storedKinds.filter(
  (kind): kind is TenantKind => rulesOf(kind).writtenBy !== 'system',
)

export function isListed(kind: Kind): kind is ListedKind {
  return rulesOf(kind).list !== undefined
}

export function isOwned(kind: Kind): kind is OwnedKind {
  return rulesOf(kind).owners !== undefined
}

export const ownedKinds = storedKinds.filter(isOwned)

/** The kinds that own rows of this one, each with the column that holds the owner's id. */
export function ownersOf(kind: Kind): [owner: Kind, column: string][] {
  return Object.entries(rulesOf(kind).owners ?? {}) as [Kind, string][]
}

/** Kinds whose rows belong to rows of this one. */
export function childKindsOf(kind: Kind): OwnedKind[] {
  return ownedKinds.filter((owned) => ownersOf(owned).some(([owner]) => owner === kind))
}

/** The kinds whose rows only name rows of this one, each with the field that becomes null when its row is erased. */
export function releasedWith(kind: Kind): [kind: Kind, field: string][] {
  return storedKinds.flatMap((released): [Kind, string][] => {
    const field = rulesOf(released).released?.[kind]
    return field === undefined ? [] : [[released, field]]
  })
}

/** A value of a row by which rows are found or sorted: a field as it is, or worked out of the row. */
export interface Column {
  name: string
  type: 'text' | 'number'
  isNullable: boolean
  isFlag: boolean
  /** Null for a field: its value is the row's own. */
  computed: Computed<never> | null
}

export interface Index {
  name: string
  /**
   * Names of columns, `id` for the row's id, or `labels` and `search` for values that are derived from labels and
   * texts.
   */
  columns: readonly string[]
  /**
   * `tenant`: begins with the tenant. `server`: asked without knowing the tenant. `expiry`: the moment after which rows
   * are removed, of all tenants.
   */
  scope: 'tenant' | 'server' | 'expiry'
  isUnique: boolean
  /** Rows in which this column is null are not in the index. */
  onlySet?: string
}

function columnOf(kind: Kind, name: string): Column {
  const { fields, rules } = kinds[kind]
  const worked = rules.computed?.[name]
  if (worked) {
    const { type, isNullable } = worked
    return { name, type: type === 'number' ? 'number' : 'text', isNullable, isFlag: false, computed: worked }
  }
  const field = (fields as Readonly<Record<string, Field<unknown>>>)[name]
  if (!field) throw new TypeError(`${kind}: no field or computed value is called ${name}`)
  const isFlag = field.type === 'flag'
  const type = isFlag || field.type === 'number' ? 'number' : 'text'
  return { name, type, isNullable: field.isNullable, isFlag, computed: null }
}

function filterColumns(filter: Filter<string>): string[] {
  if ('matches' in filter) return [filter.matches]
  if ('oneOf' in filter) return [filter.oneOf]
  if ('splits' in filter) return [filter.splits]
  if ('until' in filter) return [filter.until]
  return 'since' in filter ? [filter.since] : []
}

/** Every column by which rows of a kind are found or sorted, each once. */
export function columnsOf(kind: Kind): Column[] {
  const { list, retention } = rulesOf(kind)
  const names = [
    ...Object.values(list?.filters ?? {}).flatMap(filterColumns),
    ...Object.values(list?.orders ?? {}).map(({ by }) => by),
    ...indexesOf(kind).flatMap(({ columns }) => columns),
    ...(retention === 'permanent' ? [] : [retention.endsAt]),
  ]
  const worked = new Set(['id', 'labels', 'search', 'subjects'])
  return [...new Set(names)].filter((name) => !worked.has(name)).map((name) => columnOf(kind, name))
}

export interface Across {
  name: AcrossName
  kind: Kind
  columns: readonly [string, ...string[]]
  isUnique: boolean
}

/** Every declaration of `acrossTenants`. */
export const acrossLookups: readonly Across[] = storedKinds.flatMap((kind) =>
  Object.entries(rulesOf(kind).acrossTenants ?? {}).map(([name, { columns, isUnique = false }]) => ({
    name: name as AcrossName,
    kind,
    columns: columns as readonly [string, ...string[]],
    isUnique,
  })),
)

/** The computed values by which rows are found within their tenant. */
export function computedNamesOf(kind: Kind): string[] {
  const { acrossTenants, computed } = rulesOf(kind)
  const elsewhere = new Set(Object.values(acrossTenants ?? {}).flatMap(({ columns }) => columns))
  return Object.keys(computed ?? {}).filter((name) => !elsewhere.has(name))
}

/** The order of a list when the caller asks for none. */
export function defaultOrderOf(list: ListRules<string>): { by: string; isDescending: boolean } {
  const [order] = Object.values(list.orders)
  if (!order) throw new TypeError('a list has at least one order')
  return order
}

function tenantIndex(name: string, columns: readonly string[]): Index {
  return { name, columns, scope: 'tenant', isUnique: false }
}

/** By the range of a list, then in its default order. */
function inDefaultOrder(list: ListRules<string>, ...columns: string[]): string[] {
  const { by } = defaultOrderOf(list)
  const range = list.ranges && !columns.includes(list.ranges.by) ? [list.ranges.by] : []
  return [...columns, ...range, by, 'id']
}

function orderIndexes(list: ListRules<string>): Index[] {
  if (list.needsOneOf) return []
  const first = defaultOrderOf(list)
  return Object.values(list.orders)
    .filter((order) => !(list.ranges && order.by === first.by))
    .flatMap((order) => indexesOfOrder(list, order))
}

function indexesOfOrder(
  { ranges }: ListRules<string>,
  { by, index = by, dividedWith }: Order<string>,
): Index[] {
  if (dividedWith === undefined || ranges === undefined) return [tenantIndex(index, [by, 'id'])]
  const divided = [ranges.by, by, 'id']
  const others = Object.entries(dividedWith)
  return [
    tenantIndex(index, divided),
    ...others.map(([name, column]) => tenantIndex(name, [column, ...divided])),
  ]
}

/** A value that one row alone has is found by the index that keeps it unique, and one row needs no order. */
export function isFoundByUnique(kind: Kind, column: string): boolean {
  const { unique, list } = rulesOf(kind)
  return Object.values(unique ?? {}).some((columns) => {
    // A list asks for each of its ranges.
    const [first, ...more] = columns.filter((name) => name !== list?.ranges?.by)
    return first === column && more.length === 0
  })
}

function filterIndex(list: ListRules<string>, name: string, filter: Filter<string>): Index[] {
  if ('labels' in filter) return [tenantIndex(filter.index, inDefaultOrder(list, 'labels'))]
  if ('oneOf' in filter) return [tenantIndex(filter.index ?? name, inDefaultOrder(list, filter.oneOf))]
  if (!('matches' in filter)) return []
  const { matches, index = name, onlySet, alsoHolds = [], sortedBy } = filter
  const inOrder = sortedBy === undefined ? inDefaultOrder(list, matches) : [matches, sortedBy, 'id']
  const made = tenantIndex(index, [...inOrder, ...alsoHolds])
  return [onlySet ? { ...made, onlySet: matches } : made]
}

/** The indexes that the orders and filters of a kind's list need. */
export function listIndexesOf(kind: Kind): Index[] {
  const { list } = rulesOf(kind)
  if (list === undefined) return []
  const filters = Object.entries(list.filters ?? {}).filter(
    ([, filter]) => !('matches' in filter && isFoundByUnique(kind, filter.matches)),
  )
  return [...orderIndexes(list), ...filters.flatMap(([name, filter]) => filterIndex(list, name, filter))]
}

/** The indexes that lists and look-ups of a kind need; every kind also has the key of tenant and id. */
export function indexesOf(kind: Kind): Index[] {
  const { lookups, unique, acrossTenants, owner, searchText, subjects, retention, scope } = rulesOf(kind)
  const indexes = [
    ...listIndexesOf(kind),
    ...Object.entries(lookups ?? {}).map(([name, { columns, onlySet }]): Index => {
      const made = tenantIndex(name, columns)
      return onlySet && columns[0] !== undefined ? { ...made, onlySet: columns[0] } : made
    }),
    ...Object.entries(unique ?? {}).map(([name, columns]): Index => {
      const scope = owner === 'server' ? 'server' : 'tenant'
      return { name, columns, scope, isUnique: true }
    }),
    ...Object.entries(acrossTenants ?? {}).map(([name, { columns, isUnique = false }]): Index => {
      return { name, columns: isUnique ? columns : [...columns, 'id'], scope: 'server', isUnique }
    }),
    ...(searchText ? [tenantIndex('search', ['search'])] : []),
    ...(subjects ? [tenantIndex('subject', ['subjects'])] : []),
    ...(retention === 'permanent' ? [] : [expiryIndex(retention.endsAt)]),
    ...(scope === 'server' && owner !== 'server' ? [idIndex] : []),
  ]
  return [...new Map(indexes.map((index) => [index.name, index])).values()]
}

/** Rows that are asked for by their id alone. */
const idIndex: Index = { name: 'id', columns: ['id'], scope: 'server', isUnique: false }

function expiryIndex(column: string): Index {
  return { name: 'end', columns: [column], scope: 'expiry', isUnique: false }
}

/** The classes of fields that the export of a person shows, by what the person is. */
const exportedClasses: Readonly<Record<Subject, ReadonlySet<PersonalData>>> = {
  customer: new Set(['customer', 'both', 'id', 'plain']),
  user: new Set(['user', 'both', 'id', 'plain']),
}
type Subject = 'customer' | 'user'

/**
 * Returns a row as the export of a person shows it: without secrets, without fields that only the service uses, and
 * without personal data of others.
 */
export function exportedRow(kind: TransferKind, record: object, subject: Subject): Record<string, unknown> {
  const fields: Readonly<Record<string, Field<unknown>>> = kinds[kind].fields
  // Only declared fields: a field that a later version wrote is not known to be harmless.
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => {
      const personalData = fields[name]?.personalData
      return personalData !== undefined && exportedClasses[subject].has(personalData)
    }),
  )
}
