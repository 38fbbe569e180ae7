import { computedNamesOf, ownersOf, rulesOf } from '../../../storage/kinds/derive.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { Document } from '../../../storage/records.ts'
import { isSame } from '../../../storage/rules/rows.ts'
import type { StoredRow } from '../connection/access.ts'
import type { CollectionName } from '../connection/collections.ts'
import { gramsOf, searchNumberOf } from '../search/grams.ts'
import { fieldOf } from './fields.ts'

type Keys = Record<string, string | number | null>

export interface Pointer {
  collection: CollectionName
  /** Returns null for a row that has none. */
  of(row: Document): Keys | null
}

/** The values that are stored beside a record to find or sort it. Other look-ups use the record's own fields. */
export interface KindRule {
  /** Computed values by which rows of the tenant are found or sorted. */
  keys?: (row: Document) => Keys
  labels?: (row: Document) => readonly string[]
  /** Ids by which an erasure finds the row. */
  subjects?: (row: Document) => readonly string[]
  text?: (row: Document) => string
  /** The id of the row that a search finds by the text: a message is searched through its conversation. */
  found?: (row: Document) => string
  /** Rows of unsharded collections, by which this one is found without its tenant. */
  pointers: readonly Pointer[]
  /** The fields that hold the ids of the row's owners, by the owners' kind. */
  owners: Readonly<Partial<Record<Kind, string>>>
  /** The row belongs to the whole server and carries the empty tenant id. */
  isServerWide: boolean
}

function columnValue(kind: Kind, column: string, row: Document): string | number | null {
  const worked = rulesOf(kind).computed?.[column]
  return worked ? worked.of(row) : ((row[column] ?? null) as string | number | null)
}

function pointersOf(kind: Kind): Pointer[] {
  return Object.entries(rulesOf(kind).acrossTenants ?? {}).map(([collection, { columns }]) => ({
    collection: collection as CollectionName,
    of: (row) => {
      const keys = Object.fromEntries(columns.map((column) => [column, columnValue(kind, column, row)]))
      return columns[0] !== undefined && keys[columns[0]] === null ? null : keys
    },
  }))
}

function foundBy(kind: Kind): (row: Document) => string {
  const through = rulesOf(kind).searchedThrough
  return (row) => (through === undefined ? row._id : (row[through] as string))
}

function makeRule(kind: Kind): KindRule {
  const { labels, subjects, searchText, owner } = rulesOf(kind)
  const names = computedNamesOf(kind)
  return {
    ...(names.length > 0 && {
      keys: (row: Document) => Object.fromEntries(names.map((name) => [name, columnValue(kind, name, row)])),
    }),
    ...(labels && { labels }),
    ...(subjects && { subjects }),
    ...(searchText && { text: searchText, found: foundBy(kind) }),
    pointers: pointersOf(kind),
    owners: Object.fromEntries(ownersOf(kind).map(([of, column]) => [of, fieldOf(kind, column)])),
    isServerWide: owner === 'server',
  }
}

const rules = new Map<Kind, KindRule>()

export function ruleOf(kind: Kind): KindRule {
  const rule = rules.get(kind) ?? makeRule(kind)
  rules.set(kind, rule)
  return rule
}

type Derived = Pick<StoredRow, 'keys' | 'labels' | 'subjects' | 'text' | 'grams' | 'searchNumber'>

export function derivedOf({ keys, labels, subjects, text, found }: KindRule, row: Document): Derived {
  const folded = text?.(row)
  return {
    ...(keys && { keys: keys(row) }),
    ...(labels && { labels: [...new Set(labels(row))] }),
    ...(subjects && { subjects: [...new Set(subjects(row))] }),
    ...(folded !== undefined && { text: folded, grams: gramsOf(folded) }),
    ...(found && { searchNumber: searchNumberOf(found(row)) }),
  }
}

/** Returns the derived values that a change of a row changes. Most changes leave the text, whose index is the dearest of them. */
export function derivedChanges(
  rule: KindRule,
  { before, after }: { before: Document; after: Document },
): Partial<Derived> {
  const { text, ...withoutText } = rule
  const needed = text?.(before) === text?.(after) ? withoutText : rule
  const was = derivedOf(needed, before)
  const changed = Object.entries(derivedOf(needed, after)).filter(
    ([name, value]) => !isSame(value, was[name as keyof Derived]),
  )
  return Object.fromEntries(changed)
}
