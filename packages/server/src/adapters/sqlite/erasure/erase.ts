import type { IdFactory } from '@crmkit/core'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import type { CustomerRecord } from '../../../storage/kinds/customers.ts'
import { childKindsOf } from '../../../storage/kinds/derive.ts'
import type { ErasedKind, Kind, OwnedKind } from '../../../storage/kinds/registry.ts'
import type { TaskRecord } from '../../../storage/kinds/tasks.ts'
import {
  deletionTypes,
  erasedBody,
  erasedPerCommitMax,
  erasedText,
  erasureTask,
  leftoverOf,
} from '../../../storage/rules/erased.ts'
import { erasedLinks, hasExternalIds } from '../../../storage/rules/erased-links.ts'
import type { Sql } from '../connection/sql.ts'
import { tableOf } from '../rows/kinds.ts'
import type { RowWriter } from '../rows/row-writer.ts'

export interface Erasure {
  kind: ErasedKind
  id: string
  at: string
}

/** What one commit takes of an erasure; `left` falls with every row, event, attempt and reply. */
interface Page {
  tenantId: string
  at: string
  left: number
}

interface Place {
  kind: Kind
  id: string
}

interface Belonging extends Place {
  kind: OwnedKind
}

interface ErasedEvent {
  position: number
  id: string
  subjects: string
  body: string
}

interface EraserParts {
  sql: Sql
  rows: RowWriter
  ids: IdFactory
}

const noDeletion = deletionTypes.map((type) => `'${type}'`).join(', ')

/** Takes away what was told about a subject. */
function createForget({ sql, rows }: EraserParts) {
  /** The subjects go too: nothing that could be erased is left of the event. */
  function redactEvent(page: Page, { position, id, subjects, body }: ErasedEvent): void {
    const scoped = sql.tenant(page.tenantId)
    const redact = `UPDATE events SET body = ?, subjects = '[]' WHERE tenant_id = @tenant AND position = ?`
    scoped.run(redact, erasedBody(body), position)
    const forget = 'DELETE FROM event_subjects WHERE tenant_id = @tenant AND subject = ? AND position = ?'
    for (const subject of new Set(JSON.parse(subjects) as string[])) scoped.run(forget, subject, position)
    const { changes } = scoped.run(
      `UPDATE attempts SET status = 'failed', error_code = 'ERASED', error = ?, delivered_at = ?,
       next_attempt_at = NULL, due_at = NULL
       WHERE tenant_id = @tenant AND event_id = ? AND status = 'pending'`,
      ...[erasedText, page.at, id],
    )
    page.left -= 1 + changes
  }

  function redactEvents(page: Page, subject: string): void {
    const events = sql.tenant(page.tenantId).all<ErasedEvent>(
      `SELECT e.position, e.id, e.subjects, e.body FROM event_subjects s
       JOIN events e ON e.position = s.position AND e.tenant_id = @tenant
       WHERE s.tenant_id = @tenant AND s.subject = ? AND e.type NOT IN (${noDeletion}) LIMIT ?`,
      ...[subject, page.left],
    )
    for (const event of events) if (page.left > 0) redactEvent(page, event)
  }

  function removeReplies(page: Page, subject: string): void {
    const found = sql.tenant(page.tenantId).all<{ id: string }>(
      `SELECT i.id FROM idempotency_subjects s JOIN idempotency i ON i.n = s.n AND i.tenant_id = @tenant
       WHERE s.tenant_id = @tenant AND s.subject = ? LIMIT ?`,
      ...[subject, page.left],
    )
    for (const { id } of found) rows.remove(page.tenantId, 'idempotency', id)
    page.left -= found.length
  }

  return (page: Page, subject: string): void => {
    if (page.left > 0) redactEvents(page, subject)
    if (page.left > 0) removeReplies(page, subject)
  }
}

/** Takes single rows away. */
function createRemove({ sql, rows }: EraserParts) {
  /** Leaves behind by what a sync would know the row again. */
  function leaveLinks({ tenantId, at }: Page, { kind, id }: Place): void {
    if (!hasExternalIds(kind)) return
    const scoped = sql.tenant(tenantId)
    const find = `SELECT doc FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND id = ?`
    const found = scoped.get<{ doc: string }>(find, id)
    const isThere = 'SELECT 1 FROM erased_links WHERE tenant_id = @tenant AND id = ?'
    for (const link of erasedLinks({ tenantId, kind, at }, found ? [JSON.parse(found.doc)] : [])) {
      if (scoped.get(isThere, link._id) === undefined) rows.insert(tenantId, 'erasedLinks', { ...link })
    }
  }

  function removeRow(page: Page, { kind, id }: Belonging): void {
    const { tenantId, at } = page
    leaveLinks(page, { kind, id })
    const set = leftoverOf(kind, at)
    if (set === undefined) {
      rows.remove(tenantId, kind, id)
      return
    }
    const text = `SELECT version FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND id = ?`
    const { version: expectVersion } = sql.tenant(tenantId).get(text, id) as { version: number }
    rows.update(tenantId, kind, id, { expectVersion, set })
  }

  return { leaveLinks, removeRow }
}

/** Erases as the port says of `erase` and `eraseNext`. Runs inside the writer's transaction only. */
export function createEraser(parts: EraserParts) {
  const { sql, rows, ids } = parts
  const forget = createForget(parts)
  const { leaveLinks, removeRow } = createRemove(parts)

  /** A conversation that stays counts one message less. */
  function discount(tenantId: string, messageId: string): void {
    const text = `SELECT c.id FROM messages AS m JOIN conversations AS c ON c.id = m.conversation_id AND c.tenant_id = @tenant
      WHERE m.tenant_id = @tenant AND m.id = ?`
    const found = sql.tenant(tenantId).get<{ id: string }>(text, messageId)
    if (!found) return
    rows.patch(tenantId, {
      ...{ op: 'patch', kind: 'conversations', id: found.id, increment: { messageCount: -1 } },
    })
  }

  /** A row goes behind all that it leads to: until then that is found by it, and hidden by it. */
  function eraseRow(page: Page, { kind, id }: Belonging, owner: Kind): void {
    eraseBelongings(page, { kind, id })
    forget(page, id)
    if (page.left <= 0) return
    if (kind === 'messages' && owner === 'customers') discount(page.tenantId, id)
    removeRow(page, { kind, id })
    page.left -= 1
  }

  function eraseBelongings(page: Page, { kind, id }: Place): void {
    for (const belonging of childKindsOf(kind)) {
      const { table, owners } = tableOf(belonging)
      const text = `SELECT id FROM ${table} WHERE tenant_id = @tenant AND ${owners[kind]} = ? LIMIT ?`
      while (page.left > 0) {
        const found = sql.tenant(page.tenantId).all<{ id: string }>(text, id, page.left)
        if (found.length === 0) break
        for (const row of found) if (page.left > 0) eraseRow(page, { kind: belonging, id: row.id }, kind)
      }
    }
  }

  function erasePage(page: Page, subjects: readonly Place[]): number {
    const before = page.left
    for (const subject of subjects) {
      eraseBelongings(page, subject)
      forget(page, subject.id)
    }
    passFaultPoint('during-erasure')
    return before - page.left
  }

  /** The customer and those who were merged into it. */
  function subjectsOf(tenantId: string, { kind, id }: Erasure): string[] {
    if (kind !== 'customers') return [id]
    const find = 'SELECT doc FROM customers WHERE tenant_id = @tenant AND id = ?'
    const found = sql.tenant(tenantId).get<{ doc: string }>(find, id)
    const { mergedFrom = [] } = JSON.parse(found?.doc ?? '{}') as Partial<CustomerRecord>
    return [...new Set([id, ...mergedFrom])]
  }

  return {
    begin(tenantId: string, erasure: Erasure): void {
      const { kind, id, at } = erasure
      const subjects = subjectsOf(tenantId, erasure)
      const page = { tenantId, at, left: erasedPerCommitMax }
      leaveLinks(page, { kind, id })
      rows.remove(tenantId, kind, id)
      for (const subject of subjects) {
        const task: TaskRecord = erasureTask({ kind, id: subject, at }, { tenantId, ids })
        rows.insert(tenantId, 'tasks', { ...task })
      }
      const places = subjects.map((subject) => ({ kind, id: subject }))
      erasePage(page, places)
    },
    /** Answers how much went. */
    next(tenantId: string, { kind, id, at, limit }: Erasure & { limit: number }): number {
      const isBegun = 'SELECT 1 FROM tasks WHERE tenant_id = @tenant AND erases = ?'
      if (sql.tenant(tenantId).get(isBegun, id) === undefined) return 0
      return erasePage({ tenantId, at, left: limit }, [{ kind, id }])
    },
  }
}
