import { z } from 'zod'

/** What a field of a request can name. A `position` is a place in a list or in the log of events. */
export type ReferenceKind = 'tenant' | 'user' | 'inbox' | 'customer' | 'attachment' | 'position'

/**
 * The fields of queries and bodies that name something, and what. The tests of isolation try another
 * tenant's name in each of them, and refuse a field that looks like an id and is not declared here.
 */
export const references = z.registry<{ readonly to: ReferenceKind }>()

/** Declares that a field names a resource or a position. Last in the chain: any further rule makes a new schema. */
export function referenceTo<S extends z.ZodType<string, string> = z.ZodString>(
  to: ReferenceKind,
  schema: S = z.string() as z.ZodType as S,
): S {
  references.add(schema, { to })
  return schema
}
