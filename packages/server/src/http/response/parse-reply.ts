import type { AnyOperation } from '@crmkit/core'
import { reportLeftOut } from '../../storage/rules/readable-rows.ts'

/**
 * Returns a reply by the schema of its operation: zod drops undeclared fields, so no stored field of a resource can leak. A row
 * of a list that breaks the schema is left out and reported: an earlier version or a person wrote it, and it must not take the
 * rest of the list with it. Throws for every other reply that breaks it.
 */
export function parseReply({ id, method, response }: AnyOperation, reply: unknown): unknown {
  const parsed = response.safeParse(reply)
  if (parsed.success) return parsed.data
  const { data } = reply as { data?: unknown }
  const issues = parsed.error.issues.map(({ path: [field, index, ...rest], message }) => {
    return { index: field === 'data' ? index : undefined, reason: `${rest.join('.')}: ${message}` }
  })
  const broken = new Map(issues.map(({ index, reason }) => [index, reason]))
  const isOfRows = [...broken.keys()].every((index) => typeof index === 'number')
  if (method !== 'GET' || !Array.isArray(data) || !isOfRows) throw parsed.error
  const rows: readonly { _id?: unknown }[] = data
  const [kind = id] = id.split('.')
  for (const [index, row] of rows.entries()) {
    const reason = broken.get(index)
    if (reason !== undefined) reportLeftOut({ kind, id: String(row._id), reason })
  }
  return response.parse({ ...(reply as object), data: rows.filter((_, index) => !broken.has(index)) })
}
