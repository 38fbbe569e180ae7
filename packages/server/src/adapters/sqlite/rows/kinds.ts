import type { AnyRules, ListRules } from '../../../storage/kinds/define-kind.ts'
import {
  type Column,
  columnsOf,
  defaultOrderOf,
  ownersOf,
  rulesOf,
  storedKinds,
} from '../../../storage/kinds/derive.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { Document } from '../../../storage/records.ts'
import type { SqlValue } from '../connection/sql.ts'

/** The table of a kind, and the columns that copy values of its rows for lists, joins and unique rules. */
export interface KindTable {
  table: string
  /** Every column that the row writer fills, besides the row's id, version and JSON. */
  columns: Record<string, (row: Document) => SqlValue>
  /** Labels in a table of their own, with the default sort key of the list. */
  labels?: {
    table: string
    sortedBy: string
    of: (row: Document) => string[]
    sortedAt: (row: Document) => string
  }
  /** Each use of a label, and for each row with labels one of the empty label, to count them by time. */
  labelUses?: { table: string; of: (row: Document) => LabelUses }
  /** The trigram index. Its tables are partitioned: row numbers are in the tenant's range. */
  search?: { table: string; text: (row: Document) => string }
  /** Ids by which an erasure finds the row. */
  subjects?: { table: string; of: (row: Document) => string[] }
  /** The columns that hold the ids of the row's owners, by the owners' kind. */
  owners: Readonly<Partial<Record<Kind, string>>>
  /** The row belongs to the whole server and carries the empty tenant id. */
  isServerWide: boolean
}

interface LabelUses {
  labels: readonly string[]
  at: string
  by: string
}

/** Columns that SQLite computes from the row's JSON: `GENERATED` in their migrations. */
export const generatedColumns: readonly string[] = [
  'messages.author_customer_id',
  'messages.author_user_id',
  'audit_log.actor_user_id',
  'audit_log.target_user_id',
  'api_keys.created_by',
  'sessions.user_id',
  'sessions.created_at',
  'tasks.erases',
  'tasks.erased_address',
  'tasks.requested_at',
  'customers.changed_at',
  'conversations.changed_at',
]

const snakeNames = new Map<string, string>()

/** Only for the names of declarations: each is kept. */
export function snakeCase(name: string): string {
  const known = snakeNames.get(name)
  if (known !== undefined) return known
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snakeNames.set(name, snake)
  return snake
}

/** Returns the name of a table that belongs to another one: `customers` and `tags` give `customer_tags`. */
function partTable(table: string, part: string): string {
  return `${table.replace(/s$/, '')}_${part}`
}

/** Returns the filter columns that also find rows without a value. They hold an empty text instead of null, for one index range. */
function emptyForNull(list: ListRules<string> | undefined): string[] {
  return Object.values(list?.filters ?? {}).flatMap((filter) =>
    'matches' in filter && filter.none !== undefined ? [filter.matches] : [],
  )
}

function columnValue(
  { name, computed, isFlag }: Column,
  isEmptyForNull: boolean,
): (row: Document) => SqlValue {
  if (computed) return computed.of as (row: Document) => SqlValue
  if (isFlag) return (row) => (row[name] === true ? 1 : 0)
  if (isEmptyForNull) return (row) => (row[name] ?? '') as SqlValue
  return (row) => (row[name] ?? null) as SqlValue
}

function labelsOf(table: string, list: ListRules<string>): { index: string; sortedBy: string } | undefined {
  const filter = Object.values(list.filters ?? {}).find((one) => 'labels' in one)
  if (!filter || !('labels' in filter)) return undefined
  return { index: partTable(table, `${filter.index}s`), sortedBy: defaultOrderOf(list).by }
}

/** Returns whether the list itself is searched, so that a scan of it reads the folded text of each row. */
function hasSearchColumn(kind: Kind): boolean {
  return Object.values(rulesOf(kind).list?.filters ?? {}).some((filter) => 'searches' in filter)
}

function labelUsesOf({ labels, at, by }: NonNullable<AnyRules['labelUses']>, row: Document): LabelUses {
  const used = row[labels] as readonly string[]
  return {
    labels: used.length === 0 ? [] : ['', ...used],
    at: String(row[at]),
    by: String(row[by] ?? ''),
  }
}

function tableOfKind(kind: Kind): KindTable {
  const { list, labels, labelUses, searchText, subjects, owner } = rulesOf(kind)
  const table = snakeCase(kind)
  const empty = emptyForNull(list)
  const columns = columnsOf(kind).map((column) => {
    return [snakeCase(column.name), columnValue(column, empty.includes(column.name))] as const
  })
  const written = columns.filter(([name]) => !generatedColumns.includes(`${table}.${name}`))
  const label = list && labelsOf(table, list)
  return {
    table,
    columns: {
      ...Object.fromEntries(written),
      ...(hasSearchColumn(kind) && searchText && { search_text: searchText }),
    },
    owners: Object.fromEntries(ownersOf(kind).map(([of, column]) => [of, snakeCase(column)])),
    isServerWide: owner === 'server',
    ...(labels &&
      label && {
        labels: {
          table: label.index,
          sortedBy: label.sortedBy,
          of: (row: Document) => [...labels(row)],
          sortedAt: (row: Document) => String(row[label.sortedBy]),
        },
      }),
    ...(labelUses && {
      labelUses: {
        table: partTable(table, 'label_uses'),
        of: (row: Document) => labelUsesOf(labelUses, row),
      },
    }),
    ...(searchText && { search: { table: partTable(table, 'search'), text: searchText } }),
    ...(subjects && {
      subjects: { table: `${table}_subjects`, of: (row: Document) => [...subjects(row)] },
    }),
  }
}

const kindTables = new Map(storedKinds.map((kind) => [kind, tableOfKind(kind)]))

export function tableOf(kind: Kind): KindTable {
  const table = kindTables.get(kind)
  if (!table) throw new TypeError(`there is no kind ${kind}`)
  return table
}
