import { z } from 'zod'

export const successFlag = z.literal(true).describe('Always true.')

/** `{success, data}`: one resource. Its description is that of the resource. */
export function dataOf<S extends z.ZodType>(schema: S) {
  return z.object({ success: successFlag, data: schema })
}

export const messageReply = z.object({
  success: successFlag,
  message: z.string().describe('Confirmation for people.'),
})

const totals = {
  total: z.int().describe('Number of rows in the whole list.'),
  page: z.int().describe('Number of this page, from 1.'),
  limit: z.int().describe('Rows per page.'),
  totalPages: z.int().describe('Number of pages in the whole list.'),
  totalIsEstimate: z.boolean().describe('Whether the list is too long for an exact `total`.'),
  nextCursor: z.string().nullable().describe('`cursor` of the next page; null on the last page.'),
}
const rowsText = 'Rows of this page.'
export const pagination = z
  .object(totals)
  .meta({ id: 'Pagination', description: 'Position of a page in its list.' })

/** `{success, data[], pagination}`: the shape of every list, except keys, webhooks and logs. */
export function listOf<S extends z.ZodType>(schema: S) {
  return z.object({ success: successFlag, data: z.array(schema).describe(rowsText), pagination })
}

/** `{success, data: {<name>[], total, page, …}}`: the shape for keys, webhooks and logs. Source: specification 4. */
export function namedListOf<N extends string, S extends z.ZodType>(name: N, schema: S) {
  const rows = { [name]: z.array(schema).describe(rowsText) } as { [K in N]: z.ZodArray<S> }
  return z.object({
    success: successFlag,
    data: z.object({ ...rows, ...totals }).describe('One page of the list.'),
  })
}

export interface ErrorEnvelope {
  success: false
  /** A sentence for a person. */
  error: string
  code: string
  requestId: string
  details?: unknown
}
