import type { CustomerRecord } from '../../ports/records.ts'
import { erasedBody, erasedText } from '../../ports/storage-rules/erased.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import type { RowWriter } from './row-writer.ts'
import type { Sql } from './sql.ts'

export interface Erasure {
  kind: 'customers' | 'conversations'
  id: string
  at: string
}

interface ErasedEvent {
  position: number
  id: string
  body: string
}

/** Removes a customer or conversation and everything about it, as the port says of `erase`. */
export function createEraser(sql: Sql, rows: RowWriter) {
  function idsOf(tenantId: string, query: string, owner: string): string[] {
    return sql
      .tenant(tenantId)
      .all<{ id: string }>(query, owner)
      .map(({ id }) => id)
  }

  function removeConversation(tenantId: string, id: string): string[] {
    const query = 'SELECT id FROM messages WHERE tenant_id = @tenant AND conversation_id = ?'
    const messages = idsOf(tenantId, query, id)
    for (const message of messages) rows.remove(tenantId, 'messages', message)
    rows.remove(tenantId, 'conversations', id)
    return [id, ...messages]
  }

  /** What a customer wrote in others' conversations, of which those then count one message less. */
  function removeAuthored(tenantId: string, author: string): string[] {
    const query = `SELECT id, conversation_id FROM messages WHERE tenant_id = @tenant AND author_customer_id = ?`
    const messages = sql.tenant(tenantId).all<{ id: string; conversation_id: string }>(query, author)
    for (const { id, conversation_id } of messages) {
      rows.remove(tenantId, 'messages', id)
      const increment = { messageCount: -1 }
      rows.patch(tenantId, { op: 'patch', kind: 'conversations', id: conversation_id, increment })
    }
    return messages.map(({ id }) => id)
  }

  function removePerson(tenantId: string, id: string): string[] {
    const query = 'SELECT id FROM conversations WHERE tenant_id = @tenant AND customer_id = ?'
    const conversations = idsOf(tenantId, query, id)
    const removed = conversations.flatMap((conversation) => removeConversation(tenantId, conversation))
    return [id, ...removed, ...removeAuthored(tenantId, id)]
  }

  function removeCustomer(tenantId: string, id: string): string[] {
    const find = 'SELECT doc FROM customers WHERE tenant_id = @tenant AND id = ?'
    const found = sql.tenant(tenantId).get<{ doc: string }>(find, id)
    rows.remove(tenantId, 'customers', id)
    const { mergedFrom = [] } = JSON.parse(found?.doc ?? '{}') as Partial<CustomerRecord>
    return [id, ...mergedFrom].flatMap((person) => removePerson(tenantId, person))
  }

  function redactEvents(tenantId: string, subject: string, at: string): void {
    const scoped = sql.tenant(tenantId)
    const events = scoped.all<ErasedEvent>(
      `SELECT e.position, e.id, e.body FROM event_subjects s
       JOIN events e ON e.position = s.position AND e.tenant_id = @tenant
       WHERE s.tenant_id = @tenant AND s.subject = ?`,
      subject,
    )
    for (const { position, id, body } of events) {
      scoped.run(
        'UPDATE events SET body = ? WHERE tenant_id = @tenant AND position = ?',
        erasedBody(body),
        position,
      )
      scoped.run(
        `UPDATE attempts SET status = 'failed', error_code = 'ERASED', error = ?, delivered_at = ?,
         next_attempt_at = NULL, due_at = NULL
         WHERE tenant_id = @tenant AND event_id = ? AND status = 'pending'`,
        ...[erasedText, at, id],
      )
    }
  }

  function removeReplies(tenantId: string, subject: string): void {
    const ids = idsOf(
      tenantId,
      `SELECT i.id FROM idempotency_subjects s JOIN idempotency i ON i.n = s.n AND i.tenant_id = @tenant
       WHERE s.tenant_id = @tenant AND s.subject = ?`,
      subject,
    )
    for (const id of ids) rows.remove(tenantId, 'idempotency', id)
  }

  return (tenantId: string, { kind, id, at }: Erasure): void => {
    const subjects = kind === 'customers' ? removeCustomer(tenantId, id) : removeConversation(tenantId, id)
    passFaultPoint('during-erasure')
    for (const subject of subjects) {
      redactEvents(tenantId, subject, at)
      removeReplies(tenantId, subject)
    }
  }
}
