import type { listAuditLog } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListAuditLog: Handler<typeof listAuditLog> = async ({ store }, { query }) => {
  const page = await store.auditLog.list(query)
  const rows = page.rows.map((row) => ({ ...row, changed: [...(row.changed ?? [])], count: row.count ?? 1 }))
  return { reply: pageReply({ ...page, rows }, query) }
}
