import type { FieldMap, FieldsOf, FieldType, RowOf } from './fields.ts'

/* One declaration per kind of row. Everything that both databases do alike with rows of a kind is derived from it. */

/** A value that is derived from a row, to find rows or to sort them. */
export interface Computed<Row> {
  readonly type: Exclude<FieldType, 'json'>
  readonly isNullable: boolean
  of(row: Row): string | number | null
}

/**
 * How the values of a list's filter choose rows. `alsoHolds` names columns of other filters that the index keeps at its end:
 * both filters together are counted in one walk of it, without look-ups elsewhere.
 */
export type Filter<Column extends string> =
  /** Rows whose column has this value. `none` is the value that finds rows without one. */
  | {
      readonly matches: Column
      readonly none?: string
      readonly index?: string
      readonly onlySet?: true
      readonly alsoHolds?: readonly Column[]
      /** The order of the lists with this filter, where it is not the default one. */
      readonly sortedBy?: Column
    }
  /** Rows whose column has one of these values: that of the list's ranges, or one with a filter `matches` and its index. */
  | { readonly oneOf: Column; readonly index?: string }
  /** Rows whose moment is at or after this one. */
  | { readonly since: Column }
  /** Rows whose moment is at or before this one. */
  | { readonly until: Column }
  /** True: rows whose number is less than `at`; false: the others. */
  | { readonly splits: Column; readonly at: number }
  /** Rows that carry the label, or all of them. */
  | { readonly labels: 'one' | 'all'; readonly index: string }
  /** Rows with one of these ids. */
  | { readonly ids: true }
  /** Rows whose text holds all terms, as `search-text.ts` says. */
  | { readonly searches: true }

export interface Order<Column extends string> {
  readonly by: Column
  readonly isDescending: boolean
  /** The name of the index, where it is not the column's. */
  readonly index?: string
  /**
   * The ranges of the list divide this order too, alone (`index` names that index) and after each of these columns, by the name
   * of its index.
   */
  readonly dividedWith?: Readonly<Record<string, Column>>
}

export interface ListRules<Column extends string> {
  readonly filters?: Readonly<Record<string, Filter<Column>>>
  /** By name; the first is the default. Ties are broken by the id, in the direction of the order. */
  readonly orders: Readonly<Record<string, Order<Column>>>
  /**
   * A column of few values, which the default order is divided by: a list without a filter of it merges one range for
   * each value, so that every index serves two filters.
   */
  readonly ranges?: { readonly by: Column; readonly values: readonly string[] }
  /** One of these filters has to be set, so no index serves the whole list. */
  readonly needsOneOf?: readonly string[]
}

/** How a row is found by background work and authentication, which do not know its tenant. */
export interface AcrossTenants<Column extends string> {
  /** The index is small: rows in which the first column is null are not in it. */
  readonly columns: readonly Column[]
  readonly isUnique?: true
}

export type ErasureRule<Row> =
  /**
   * Rows are deleted with their subject or their owner. `leftover` replaces fields of a row that has to stay longer.
   * `task` is the type of the task that erases the rest of a row that is itself a subject.
   */
  | {
      readonly rows: 'deleted'
      readonly why?: string
      readonly task?: string
      leftover?(at: string): Partial<Row>
    }
  /** Only ids stay of a row. */
  | { readonly rows: 'redacted'; readonly why?: string }
  /** Nothing in a row is personal data of a customer, or `why` says why it is kept. */
  | { readonly rows: 'kept'; readonly why?: string }

/** A limit of the sum of a number field. */
export interface QuotaOfBytes<Row> {
  readonly name: string
  readonly field: keyof Row & string
  readonly limit: number
  /** Only rows with this field count; without it, rows that have none of the fields of the other sums. */
  readonly having?: keyof Row & string
}

/**
 * The most rows of a kind that a tenant may have, so that no tenant fills the disk that all share. The operator can set
 * another number for a tenant. `bytes` also limits sums of a number field, and each row counts to one of them.
 */
export type Quota<Row> =
  | {
      readonly rows: number
      readonly bytes?: readonly QuotaOfBytes<Row>[]
    }
  /** Says why a tenant needs no limit on these rows. */
  | { readonly unlimited: string }

/** Each kind that handlers of a tenant write declares its quota. */
type WriterRules<Row> =
  /** Handlers of a tenant cannot write it. */
  | { readonly writtenBy: 'system'; readonly quota?: undefined }
  | { readonly writtenBy?: 'tenant'; readonly quota: Quota<Row> }

export type KindRules<Row, Computeds extends string> = WriterRules<Row> & RowRules<Row, Computeds>

interface RowRules<Row, Computeds extends string> {
  /** Ids of rows begin with it; null for rows whose id is derived from their fields. */
  readonly idPrefix: string | null
  /** The owner of rows: a tenant, or the whole server. Default `tenant`. */
  readonly owner?: 'tenant' | 'server'
  /** `server`: rows are looked up by id without their tenant, so a sharded database keeps them in one place. */
  readonly scope?: 'tenant' | 'server'
  readonly computed?: Readonly<Record<Computeds, Computed<Row>>>
  /** The columns that hold a row's owners: it is deleted with any of them, and hidden once one of them is erased. Null and an empty text name none. */
  readonly owners?: Readonly<Record<string, ColumnOf<Row, Computeds>>>
  /**
   * Columns that name a row of another kind without being owned by it: the row stays when that one is erased, and the
   * column becomes null. A lookup or a filter of a list has the column.
   */
  readonly released?: Readonly<Record<string, ColumnOf<Row, Computeds>>>
  /** Unique in the tenant (on the server for rows of the server), by the name that a `UniqueConflict` gives. */
  readonly unique?: Readonly<Record<string, readonly ColumnOf<Row, Computeds>[]>>
  readonly list?: ListRules<ColumnOf<Row, Computeds>>
  /** Further look-ups within a tenant, by the name of their index. */
  readonly lookups?: Readonly<
    Record<string, { readonly columns: readonly ColumnOf<Row, Computeds>[]; readonly onlySet?: true }>
  >
  readonly acrossTenants?: Readonly<Record<string, AcrossTenants<ColumnOf<Row, Computeds>>>>
  labels?(row: Row): readonly string[]
  /** The uses of the labels are counted, by a moment of the row and by a column. `labels` is the field with the labels. */
  readonly labelUses?: {
    readonly labels: keyof Row & string
    readonly at: keyof Row & string
    readonly by: keyof Row & string
  }
  /** The text that searches read, folded. */
  searchText?(row: Row): string
  /** The column of the owner that a search finds by the text, where it does not find the row itself. */
  readonly searchedThrough?: ColumnOf<Row, Computeds>
  /** Ids of the rows that this row says something about, so that their erasure finds it. */
  subjects?(row: Row): readonly string[]
  /** Ids of the row in other systems: an erasure leaves a tombstone for each, so that no sync brings it back. */
  externalIds?(row: Row): readonly string[]
  readonly erasure: ErasureRule<Row>
  /** `permanent`, or the column with the moment after which a row is removed. */
  readonly retention: 'permanent' | { readonly endsAt: ColumnOf<Row, Computeds> }
}

export type ColumnOf<Row, Computeds extends string = never> = (keyof Row & string) | Computeds

/** The declaration of a kind whose rows each adapter stores in its own way; `why` says what differs. */
export interface OwnStorageRules {
  readonly why: string
  readonly erasure: { readonly rows: 'redacted' | 'kept'; readonly why?: string }
}

export interface KindDefinition<Row = never> {
  readonly name: string
  readonly fields: FieldMap
  readonly rules: AnyRules
  /** Says why, for a kind with code of its own in each adapter. */
  readonly ownStorage?: string
  /** Only for the type of a row. */
  readonly row?: Row
}

/** Rules of any kind, for code that handles all kinds alike. */
// biome-ignore lint/suspicious/noExplicitAny: a function of one row type is not a function of every row.
export type AnyRules = KindRules<any, string>

/** A declaration with the names that it uses, so that the types of lists can be derived from it. */
export interface Declared<Row, Rules extends object> extends KindDefinition<Row> {
  readonly declared: Rules
}

/** A kind whose row type follows from its fields. */
export function defineKind<
  const F extends FieldMap,
  C extends string,
  const R extends KindRules<RowOf<F>, C>,
>(name: string, declared: { readonly fields: F } & KindRules<RowOf<F>, C> & R): Declared<RowOf<F>, R> {
  const { fields, ...rules } = declared
  return checked({ name, fields, rules: rules as AnyRules, declared: rules as unknown as R })
}

/** A kind whose row type is declared elsewhere; the compiler asks for each of its fields. */
export function defineKindOf<Row extends object>() {
  return <C extends string, const R extends KindRules<Row, C>>(
    name: string,
    declared: { readonly fields: FieldsOf<Row> } & KindRules<Row, C> & R,
  ): Declared<Row, R> => {
    const { fields, ...rules } = declared
    const map = fields as unknown as FieldMap
    return checked({ name, fields: map, rules: rules as AnyRules, declared: rules as unknown as R })
  }
}

/** A kind with lists, searches and claims of its own: declared for copies, exports and erasures alone. */
export function defineOwnKind<Row extends object>() {
  return (
    name: string,
    declared: { readonly fields: FieldsOf<Row> } & OwnStorageRules,
  ): KindDefinition<Row> => ({
    name,
    fields: declared.fields as unknown as FieldMap,
    rules: { idPrefix: null, writtenBy: 'system', erasure: declared.erasure, retention: 'permanent' },
    ownStorage: declared.why,
  })
}

/** Throws for a declaration that names a column that no field and no computed value has. */
function checked<D extends KindDefinition<unknown>>(definition: D): D {
  const { name, fields, rules } = definition
  const columns = [
    ...Object.values(rules.owners ?? {}),
    ...Object.values(rules.released ?? {}),
    ...Object.values(rules.unique ?? {}).flat(),
    ...Object.values(rules.lookups ?? {}).flatMap((lookup) => lookup.columns),
    ...Object.values(rules.acrossTenants ?? {}).flatMap((lookup) => lookup.columns),
    ...(rules.retention === 'permanent' ? [] : [rules.retention.endsAt]),
  ]
  const unknown = columns.filter((column) => !(column in fields) && !(column in (rules.computed ?? {})))
  if (unknown.length > 0)
    throw new TypeError(`${name}: no field or computed value is called ${unknown.join(', ')}`)
  return definition
}

export const computed = {
  text: <Row>(of: (row: Row) => string): Computed<Row> => ({ type: 'text', isNullable: false, of }),
  nullableText: <Row>(of: (row: Row) => string | null): Computed<Row> => ({
    type: 'text',
    isNullable: true,
    of,
  }),
  number: <Row>(of: (row: Row) => number): Computed<Row> => ({ type: 'number', isNullable: false, of }),
}
