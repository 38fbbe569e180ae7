import { z } from 'zod'

const success = z.literal(true)

/** `{success, data}`: one resource. */
export function dataOf<S extends z.ZodType>(schema: S) {
  return z.object({ success, data: schema })
}

export const messageReply = z.object({ success, message: z.string() })

const totals = {
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  totalPages: z.int(),
  totalIsEstimate: z.boolean(),
  nextCursor: z.string().nullable(),
}
export const pagination = z.object(totals).meta({ id: 'Pagination' })

/** `{success, data[], pagination}`: the list shape of everything but the three below. */
export function listOf<S extends z.ZodType>(schema: S) {
  return z.object({ success, data: z.array(schema), pagination })
}

/** `{success, data: {<name>[], total, page, …}}`: the specification's shape for keys, webhooks and logs. */
export function namedListOf<N extends string, S extends z.ZodType>(name: N, schema: S) {
  const rows = { [name]: z.array(schema) } as { [K in N]: z.ZodArray<S> }
  return z.object({ success, data: z.object({ ...rows, ...totals }) })
}

export interface ErrorEnvelope {
  success: false
  /** A sentence for a person. */
  error: string
  code: string
  requestId: string
  details?: unknown
}
