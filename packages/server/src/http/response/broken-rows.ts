import type { AnyOperation } from '@crmkit/core'
import type { z } from 'zod'
import { reportLeftOut } from '../../storage/rules/readable-rows.ts'

/**
 * Returns a reply that its schema refuses, without the rows that break it, and reports them: an earlier version or a person
 * wrote them, and they must not take the rest of the list with them. Throws for every other reply.
 */
export function withoutBrokenRows(
  { id, method, response }: AnyOperation,
  reply: unknown,
  error: z.ZodError,
): unknown {
  const { data } = reply as { data?: unknown }
  const issues = error.issues.map(({ path: [field, index, ...rest], message }) => {
    return { index: field === 'data' ? index : undefined, reason: `${rest.join('.')}: ${message}` }
  })
  const broken = new Map(issues.map(({ index, reason }) => [index, reason]))
  const isOfRows = [...broken.keys()].every((index) => typeof index === 'number')
  if (method !== 'GET' || !Array.isArray(data) || !isOfRows) throw error
  const rows: readonly { _id?: unknown }[] = data
  const [kind = id] = id.split('.')
  for (const [index, row] of rows.entries()) {
    const reason = broken.get(index)
    if (reason !== undefined) reportLeftOut({ kind, id: String(row._id), reason })
  }
  return response.parse({ ...(reply as object), data: rows.filter((_, index) => !broken.has(index)) })
}
