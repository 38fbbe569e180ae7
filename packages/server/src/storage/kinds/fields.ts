/**
 * The class of a field for personal data.
 * - `customer`, `user`, `both`: says something about a person. It is part of the person's export, and an erasure removes it.
 * - `id`: the person that a row is about or who did something, as an id that says nothing by itself. It may outlive them.
 * - `secret`: a hash, a key, something sealed. In no export.
 * - `internal`: how the service works with the row. In no export, and nothing about a person.
 * - `plain`: says nothing about a person by itself. In an export as part of its row.
 */
export type PersonalData = 'customer' | 'user' | 'both' | 'id' | 'secret' | 'internal' | 'plain'

/** How a value is stored: text and moments (ISO 8601) as text, flags and numbers as numbers, the rest as JSON. */
export type FieldType = 'text' | 'moment' | 'flag' | 'number' | 'json'

export interface Field<T> {
  readonly type: FieldType
  readonly personalData: PersonalData
  readonly isNullable: boolean
  /** Rows of earlier versions do not have it. */
  readonly isOptional: boolean
  /** The kind whose id it holds. */
  readonly references?: string
  /** A value for tests, where the type alone does not say one. */
  readonly sample?: T
  /** Says why a text or a JSON value that is classed as harmless is no personal data. */
  readonly why?: string
  /** Returns the value of a row that does not have the field, because an earlier version wrote it. */
  readonly absent?: () => T
  /** For a text of a `SecretBox`: returns the id that it is bound to, from the id of its row. */
  readonly sealedFor?: (id: string) => string
}

export type FieldMap = Readonly<Record<string, Field<unknown>>>

type OptionalNames<F extends FieldMap> = {
  [N in keyof F]: F[N] extends { readonly isOptional: true } ? N : never
}[keyof F]
type ValueOf<F> = F extends Field<infer T> ? T : never

/** The row that a map of fields describes. */
export type RowOf<F extends FieldMap> = {
  -readonly [N in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[N]>
} & {
  -readonly [N in OptionalNames<F>]?: ValueOf<F[N]>
}

/** Every field of a row whose type is declared elsewhere, such as a resource of the contract. */
export type FieldsOf<Row> = { readonly [N in keyof Row]-?: Field<Exclude<Row[N], undefined>> }

function field<T>(type: FieldType, personalData: PersonalData, isNullable = false): Field<T> {
  return { type, personalData, isNullable, isOptional: false }
}

export const text = <T extends string = string>(personalData: PersonalData) => field<T>('text', personalData)
export const moment = (personalData: PersonalData) => field<string>('moment', personalData)
export const flag = (personalData: PersonalData) => field<boolean>('flag', personalData)
export const number = (personalData: PersonalData) => field<number>('number', personalData)

export const nullableText = <T extends string = string>(personalData: PersonalData) =>
  field<T | null>('text', personalData, true)
export const nullableMoment = (personalData: PersonalData) =>
  field<string | null>('moment', personalData, true)
export const nullableNumber = (personalData: PersonalData) =>
  field<number | null>('number', personalData, true)

/** An object or a list. `sample` is needed where tests make rows of the kind by themselves. */
export function json<T>(personalData: PersonalData, sample?: T): Field<T> {
  const made = field<T>('json', personalData, true)
  return sample === undefined ? made : { ...made, sample }
}

/** A text or a JSON value that is no personal data, with the reason why. */
export function because<T>(why: string, of: Field<T>): Field<T> {
  return { ...of, why }
}

/** The classes of a word; the compiler refuses them for a type that is any text. */
type ClassOfWord<T> = string extends T ? never : 'plain' | 'internal'
const whyOfWords = 'one of the words of its type'

/** A text that is one of the few words of its type, so it needs no reason of its own. */
export const word = <T extends string>(personalData: ClassOfWord<T>) =>
  because(whyOfWords, text<T>(personalData))
export const nullableWord = <T extends string>(personalData: ClassOfWord<T>) =>
  because(whyOfWords, nullableText<T>(personalData))

/** The id of a row of another kind. */
export const reference = (references: string): Field<string> => ({
  ...field<string>('text', 'id'),
  references,
})
export const nullableReference = (references: string): Field<string | null> => ({
  ...field<string | null>('text', 'id', true),
  references,
})

/** A field that came later: a row without it is read with this value. A nullable text, number or moment is read as null anyway. */
export function orElse<T>(absent: () => T, of: Field<T>): Field<T> {
  return { ...of, absent }
}

/**
 * A text of a `SecretBox`, bound to the tenant and the id of its row, or to another id where a row has two of them. Only
 * declared fields are sealed anew after a rotation of the key.
 */
export function sealed<T>(of: Field<T>, sealedFor: (id: string) => string = (id) => id): Field<T> {
  return { ...of, sealedFor }
}

/** A field that rows of earlier versions do not have. */
export function optional<T>(of: Field<T>): Field<T> & { readonly isOptional: true } {
  return { ...of, isOptional: true }
}

/** The fields that every row of a tenant begins with. */
export const tenantRow = {
  _id: text('id'),
  tenantId: because('an id of an organization', text('internal')),
} as const
/** The fields of a row that is made once and changed later. */
export const times = { createdAt: moment('plain'), updatedAt: moment('plain') } as const
