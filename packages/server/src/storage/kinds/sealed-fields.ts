import type { Field } from './fields.ts'
import { type Kind, kinds } from './registry.ts'

/** A field that holds texts of a `SecretBox`. */
export interface SealedField {
  readonly kind: Kind
  readonly field: string
  /** Returns the id that the text of a row is bound to. */
  contextId(rowId: string): string
}

/** Every field of every kind that is declared as sealed. */
export const sealedFields: readonly SealedField[] = Object.values(kinds).flatMap(({ name, fields }) =>
  Object.entries<Field<unknown>>(fields).flatMap(([field, { sealedFor }]) =>
    sealedFor === undefined ? [] : [{ kind: name as Kind, field, contextId: sealedFor }],
  ),
)

/** Kinds with a sealed field. */
export const sealedKinds: readonly Kind[] = [...new Set(sealedFields.map(({ kind }) => kind))]
