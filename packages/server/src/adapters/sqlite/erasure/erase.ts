import type { IdFactory } from '@crmkit/core'
import { foldedFacts, foldedMessagesMax } from '@crmkit/core/vocabulary'
import type { MentionsPage } from '../../../ports/storage.ts'
import { isoTime } from '../../../shared/clock.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import type { CustomerRecord } from '../../../storage/kinds/customers.ts'
import { childKindsOf, releasedWith } from '../../../storage/kinds/derive.ts'
import type { ImportLinkRecord } from '../../../storage/kinds/import-links.ts'
import type { ErasedKind, Kind, OwnedKind } from '../../../storage/kinds/registry.ts'
import type { TaskRecord } from '../../../storage/kinds/tasks.ts'
import {
  deletionTypes,
  erasedBody,
  erasedPerCommitMax,
  erasedText,
  erasedWords,
  erasureTask,
  leftoverOf,
  withoutWords,
} from '../../../storage/rules/erased.ts'
import { erasedLinks, hasExternalIds } from '../../../storage/rules/erased-links.ts'
import { figureMarkOfErasure } from '../../../storage/rules/figure-marks.ts'
import type { Sql } from '../connection/sql.ts'
import { snakeCase, tableOf } from '../rows/kinds.ts'
import type { RowWriter } from '../rows/row-writer.ts'

export interface Erasure {
  kind: ErasedKind
  id: string
  at: string
}

/** The part of an erasure that one commit does; `left` decreases with every row, event, attempt and reply. */
interface Page {
  tenantId: string
  at: string
  left: number
}

/** Events and replies about a subject. */
interface Mentions {
  subject: string
  /** Only what holds the text; null for all. */
  naming: string | null
}

interface KindRow {
  kind: Kind
  id: string
}

interface ChildRow extends KindRow {
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

const deletionTypeList = deletionTypes.map((type) => `'${type}'`).join(', ')

/** Redacts the events and deletes the idempotency replies about a subject. */
function createForget({ sql, rows }: EraserParts) {
  /** Reduces an event to its `erased` form and deletes its subjects: it holds nothing more to erase. */
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
      erasedText,
      page.at,
      id,
    )
    page.left -= 1 + changes
  }

  function redactEvents(page: Page, { subject, naming }: Mentions): void {
    const events = sql.tenant(page.tenantId).all<ErasedEvent>(
      `SELECT e.position, e.id, e.subjects, e.body FROM event_subjects s
       JOIN events e ON e.position = s.position AND e.tenant_id = @tenant
       WHERE s.tenant_id = @tenant AND s.subject = ? AND e.type NOT IN (${deletionTypeList})
       ${naming === null ? '' : 'AND e.timestamp <= ? AND instr(lower(e.body), ?) > 0'} LIMIT ?`,
      subject,
      ...(naming === null ? [] : [page.at, naming]),
      page.left,
    )
    for (const event of events) if (page.left > 0) redactEvent(page, event)
  }

  function removeReplies(page: Page, { subject, naming }: Mentions): void {
    const found = sql.tenant(page.tenantId).all<{ id: string }>(
      `SELECT i.id FROM idempotency_subjects s JOIN idempotency i ON i.n = s.n AND i.tenant_id = @tenant
       WHERE s.tenant_id = @tenant AND s.subject = ?
       ${naming === null ? '' : 'AND instr(lower(i.doc), ?) > 0'} LIMIT ?`,
      subject,
      ...(naming === null ? [] : [naming]),
      page.left,
    )
    for (const { id } of found) rows.remove({ tenantId: page.tenantId, kind: 'idempotency', id })
    page.left -= found.length
  }

  return (page: Page, subject: string, naming: string | null = null): void => {
    if (page.left > 0) redactEvents(page, { subject, naming })
    if (page.left > 0) removeReplies(page, { subject, naming })
  }
}

/** Deletes single rows. */
function createRemove({ sql, rows }: EraserParts) {
  /** Keeps a tombstone for each external id, so that a later sync does not create the row again. */
  function addTombstones({ tenantId, at }: Page, { kind, id }: KindRow): void {
    if (!hasExternalIds(kind)) return
    const scoped = sql.tenant(tenantId)
    const find = `SELECT doc FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND id = ?`
    const found = scoped.get<{ doc: string }>(find, id)
    const isThere = 'SELECT 1 FROM erased_links WHERE tenant_id = @tenant AND id = ?'
    for (const link of erasedLinks({ tenantId, kind, at }, found ? [JSON.parse(found.doc)] : [])) {
      if (scoped.get(isThere, link._id) === undefined) rows.insert(tenantId, 'erasedLinks', { ...link })
    }
  }

  function removeRow(page: Page, { kind, id }: ChildRow): void {
    const { tenantId, at } = page
    addTombstones(page, { kind, id })
    const set = leftoverOf(kind, at)
    if (set === undefined) {
      rows.remove({ tenantId, kind, id })
      return
    }
    const text = `SELECT version FROM ${tableOf(kind).table} WHERE tenant_id = @tenant AND id = ?`
    const { version: expectVersion } = sql.tenant(tenantId).get(text, id) as { version: number }
    rows.update({ tenantId, kind, id }, { expectVersion, set })
  }

  return { addTombstones, removeRow }
}

/** Deletes the children of rows, level by level, and what is stored about them. */
function createEraseChildren(parts: EraserParts, removeRow: ReturnType<typeof createRemove>['removeRow']) {
  const { sql, rows } = parts
  const forget = createForget(parts)

  /** Lowers the message count of a conversation that is not erased, and of the one that it is merged into. */
  function lowerMessageCount(tenantId: string, messageId: string): void {
    const text = `SELECT c.id, t.id AS target FROM messages AS m
      JOIN conversations AS c ON c.id = m.conversation_id AND c.tenant_id = @tenant
      LEFT JOIN conversations AS t ON t.id = c.doc ->> '$.mergedInto' AND t.tenant_id = @tenant
      WHERE m.tenant_id = @tenant AND m.id = ?`
    const found = sql.tenant(tenantId).get<{ id: string; target: string | null }>(text, messageId)
    if (!found) return
    const increment = { messageCount: -1 }
    for (const id of [found.id, found.target])
      if (id !== null) rows.patch(tenantId, { op: 'patch', kind: 'conversations', id, increment })
  }

  /** The rest of a conversation that is not erased says what its last message is. */
  function foldAgain(tenantId: string, conversationId: string): void {
    const scoped = sql.tenant(tenantId)
    const find = 'SELECT doc FROM conversations WHERE tenant_id = @tenant AND id = ?'
    const found = scoped.get<{ doc: string }>(find, conversationId)
    if (!found) return
    const newest = `SELECT doc FROM messages WHERE tenant_id = @tenant AND conversation_id = ?
      ORDER BY created_at DESC, id DESC LIMIT ${foldedMessagesMax}`
    const messages = scoped.all<{ doc: string }>(newest, conversationId).map(({ doc }) => JSON.parse(doc))
    const set = foldedFacts(JSON.parse(found.doc), messages)
    rows.patch(tenantId, { op: 'patch', kind: 'conversations', id: conversationId, set })
  }

  function conversationOf(tenantId: string, messageId: string): string | undefined {
    const text = 'SELECT conversation_id AS id FROM messages WHERE tenant_id = @tenant AND id = ?'
    return sql.tenant(tenantId).get<{ id: string }>(text, messageId)?.id
  }

  /** Removes what the author of a message wrote about its conversation, if it is the first one, from all that stays. */
  function removeWords(page: Page, messageId: string): void {
    const { tenantId } = page
    const text = `SELECT c.id, c.version FROM messages AS m
      JOIN conversations AS c ON c.id = m.conversation_id AND c.tenant_id = @tenant
      WHERE m.tenant_id = @tenant AND m.id = ? AND NOT EXISTS (SELECT 1 FROM messages AS f
        WHERE f.tenant_id = @tenant AND f.conversation_id = c.id AND (f.created_at, f.id) < (m.created_at, m.id))`
    const begun = sql.tenant(tenantId).get<{ id: string; version: number }>(text, messageId)
    if (begun === undefined) return
    forget(page, begun.id)
    if (page.left <= 0) return
    const change = { expectVersion: begun.version, set: erasedWords }
    rows.update({ tenantId, kind: 'conversations', id: begun.id }, change)
    for (const { id } of subjectChanges(tenantId, begun.id)) rows.remove({ tenantId, kind: 'activities', id })
    for (const { id } of importRows(tenantId, 'import_undo', begun.id))
      rows.remove({ tenantId, kind: 'importUndo', id })
    for (const { id, version: expectVersion, doc } of importRows(tenantId, 'import_links', begun.id)) {
      const importedValues = withoutWords((JSON.parse(doc) as ImportLinkRecord).importedValues)
      rows.update({ tenantId, kind: 'importLinks', id }, { expectVersion, set: { importedValues } })
    }
  }

  /** The timeline repeats what a subject was. */
  function subjectChanges(tenantId: string, conversationId: string) {
    const text = `SELECT id FROM activities WHERE tenant_id = @tenant AND conversation_id = ?
      AND json_extract(doc, '$.action') = 'subject_changed'`
    return sql.tenant(tenantId).all<{ id: string }>(text, conversationId)
  }

  /** Rows about the conversation itself, and not about its messages. */
  function importRows(tenantId: string, table: 'import_undo' | 'import_links', conversationId: string) {
    const text = `SELECT id, version, doc FROM ${table} WHERE tenant_id = @tenant AND conversation_id = ?
      AND json_extract(doc, '$.entityKind') = 'conversations'`
    return sql.tenant(tenantId).all<{ id: string; version: number; doc: string }>(text, conversationId)
  }

  /** Deletes children before their parent: the parent is how they are found, and how reads know to hide them. */
  function eraseRow(page: Page, { kind, id }: ChildRow, owner: Kind): void {
    const isOfAuthor = kind === 'messages' && owner === 'customers'
    eraseChildren(page, { kind, id })
    forget(page, id)
    if (isOfAuthor && page.left > 0) removeWords(page, id)
    if (page.left <= 0) return
    if (isOfAuthor) lowerMessageCount(page.tenantId, id)
    const conversationId = isOfAuthor ? conversationOf(page.tenantId, id) : undefined
    removeRow(page, { kind, id })
    if (conversationId !== undefined) foldAgain(page.tenantId, conversationId)
    page.left -= 1
  }

  function eraseChildrenOfKind(page: Page, childKind: OwnedKind, { kind, id }: KindRow): void {
    const { table, owners } = tableOf(childKind)
    const text = `SELECT id FROM ${table} WHERE tenant_id = @tenant AND ${owners[kind]} = ? LIMIT ?`
    while (page.left > 0) {
      const found = sql.tenant(page.tenantId).all<{ id: string }>(text, id, page.left)
      if (found.length === 0) return
      for (const row of found) if (page.left > 0) eraseRow(page, { kind: childKind, id: row.id }, kind)
    }
  }

  /** Takes the id out of rows that only name the row: they stay. */
  function releaseRows(page: Page, { kind, id }: KindRow): void {
    const { tenantId } = page
    for (const [released, field] of releasedWith(kind)) {
      if (page.left <= 0) return
      const { table } = tableOf(released)
      const text = `SELECT id, version FROM ${table} WHERE tenant_id = @tenant AND ${snakeCase(field)} = ? LIMIT ?`
      const found = sql.tenant(tenantId).all<{ id: string; version: number }>(text, id, page.left)
      for (const row of found) {
        const change = { expectVersion: row.version, set: { [field]: null } }
        rows.update({ tenantId, kind: released, id: row.id }, change)
      }
      page.left -= found.length
    }
  }

  function eraseChildren(page: Page, parent: KindRow): void {
    for (const childKind of childKindsOf(parent.kind)) eraseChildrenOfKind(page, childKind, parent)
    releaseRows(page, parent)
  }

  return eraseChildren
}

/** Implements `erase` and `eraseNext` of the port. Runs inside the writer's transaction only. */
export function createEraser(parts: EraserParts) {
  const { sql, rows, ids } = parts
  const forget = createForget(parts)
  const { addTombstones, removeRow } = createRemove(parts)
  const eraseChildren = createEraseChildren(parts, removeRow)

  /** Erases as many rows of these subjects as the page allows; returns how many. */
  function erasePage(page: Page, subjects: readonly KindRow[]): number {
    const before = page.left
    for (const subject of subjects) {
      eraseChildren(page, subject)
      forget(page, subject.id)
    }
    passFaultPoint('during-erasure')
    return before - page.left
  }

  /** Returns the ids of the customer and of the customers that were merged into it. */
  function subjectsOf(tenantId: string, { kind, id }: Erasure): string[] {
    if (kind !== 'customers') return [id]
    const find = 'SELECT doc FROM customers WHERE tenant_id = @tenant AND id = ?'
    const found = sql.tenant(tenantId).get<{ doc: string }>(find, id)
    const { mergedFrom = [] } = JSON.parse(found?.doc ?? '{}') as Partial<CustomerRecord>
    return [...new Set([id, ...mergedFrom])]
  }

  function forgetMentions(tenantId: string, { about, naming, at, limit }: MentionsPage): number {
    const page = { tenantId, at, left: limit }
    for (const subject of about) forget(page, subject, naming)
    return limit - page.left
  }

  return {
    begin(tenantId: string, erasure: Erasure): void {
      const { kind, id, at } = erasure
      const subjects = subjectsOf(tenantId, erasure)
      const page = { tenantId, at, left: erasedPerCommitMax }
      addTombstones(page, { kind, id })
      rows.remove({ tenantId, kind, id })
      for (const subject of subjects) {
        const task: TaskRecord = erasureTask({ kind, id: subject, at }, { tenantId, ids })
        rows.insert(tenantId, 'tasks', { ...task })
        const mark = figureMarkOfErasure({ tenantId, ids, at: isoTime(Date.now()) }, { kind, id: subject })
        if (mark) rows.insert(tenantId, 'figureMarks', { ...mark })
      }
      erasePage(
        page,
        subjects.map((subject) => ({ kind, id: subject })),
      )
    },
    /** Returns how many rows, events, attempts and replies were erased. */
    next(tenantId: string, asked: (Erasure & { limit: number }) | MentionsPage): number {
      if ('about' in asked) return forgetMentions(tenantId, asked)
      const { kind, id, at, limit } = asked
      const isBegun = 'SELECT 1 FROM tasks WHERE tenant_id = @tenant AND erases = ?'
      if (sql.tenant(tenantId).get(isBegun, id) === undefined) return 0
      return erasePage({ tenantId, at, left: limit }, [{ kind, id }])
    },
  }
}
