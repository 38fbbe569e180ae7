import { z } from 'zod'

/**
 * The kinds of targets that a request field can reference. A `position` is one in a list or in the event log, and
 * `external` is an id of another system, which each tenant may use for a resource of its own.
 */
export type ReferenceKind =
  | 'tenant'
  | 'user'
  | 'inbox'
  | 'customer'
  | 'conversation'
  | 'message'
  | 'attachment'
  | 'draft'
  | 'integration'
  | 'position'
  | 'external'

/**
 * The query and body fields that hold an id or a position. The isolation tests send another tenant's value in each of
 * them, and refuse a field that looks like an id and is not declared here.
 */
export const references = z.registry<{ readonly to: ReferenceKind }>()

/** Declares that a field holds an id or a position. Call it last: any further rule makes a new schema. */
export function referenceTo<S extends z.ZodType<string, string> = z.ZodString>(
  to: ReferenceKind,
  schema: S = z.string() as z.ZodType as S,
): S {
  references.add(schema, { to })
  return schema
}
