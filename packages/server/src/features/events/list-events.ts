import type { listEvents } from '@crmkit/core'
import { readLog } from '../../shared/read-log.ts'
import type { Handler } from '../handler.ts'
import { startOf, typesFor } from './log-scope.ts'

export const handleListEvents: Handler<typeof listEvents> = async ({ store, actor }, { query }) => {
  const { limit } = query
  const types = typesFor(actor, query.types)
  const after = await startOf(store, query.after ?? 'earliest')
  const events = await readLog(store, { after, types, limit }, { field: 'after', in: 'query' })
  const nextCursor = events.at(-1)?.position ?? after
  const data = events.map(({ body }) => JSON.parse(body))
  return { reply: { success: true, data, pagination: { limit, nextCursor } } }
}
