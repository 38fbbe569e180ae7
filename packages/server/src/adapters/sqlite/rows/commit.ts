import type { IdFactory } from '@crmkit/core'
import type { Change, Write } from '../../../ports/change.ts'
import { isoTime } from '../../../shared/clock.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { VersionConflict } from '../../../storage/errors.ts'
import type { IdempotencyRecord } from '../../../storage/kinds/idempotency.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import { addressUsesOfWrites } from '../../../storage/rules/address-uses.ts'
import { figureMarksOfWrites } from '../../../storage/rules/figure-marks.ts'
import { idOfWrite } from '../../../storage/rules/id-of-write.ts'
import type { Sql } from '../connection/sql.ts'
import type { AttemptWriter } from '../deliveries/attempt-writer.ts'
import type { createEraser } from '../erasure/erase.ts'
import { hasErasures, isAnyErased, isErasedRow } from '../erasure/erasures.ts'
import type { EventWriter } from '../events/event-writer.ts'
import type { RowWriter } from './row-writer.ts'

const deletedPerWebhookMax = 500

interface CommitParts {
  sql: Sql
  rows: RowWriter
  events: EventWriter
  attempts: Pick<AttemptWriter, 'plan'>
  eraser: Pick<ReturnType<typeof createEraser>, 'begin'>
  ids: IdFactory
}

/** Applies a change inside the savepoint of its caller; returns how many deliveries its events cause. */
export function createCommit({ sql, rows, events, attempts, eraser, ids }: CommitParts) {
  /** Throws `VersionConflict` when the row exists and an erasure hides it. */
  function assertNotErased(tenantId: string, write: Write<Kind>): void {
    const { kind, op } = write
    const id = idOfWrite(write)
    if (!isErasedRow(sql.tenant(tenantId), kind, id)) return
    const isNew = op === 'insert' || op === 'ensure'
    throw new VersionConflict(kind, isNew ? undefined : { op, id, version: null })
  }

  /** Deletes a reply that an erasure hides, so that a new reply to the same request can be stored. */
  function removeErasedReply(tenantId: string, id: string): void {
    const scoped = sql.tenant(tenantId)
    const text = 'SELECT doc FROM idempotency WHERE tenant_id = @tenant AND id = ?'
    const found = scoped.get<{ doc: string }>(text, id)
    const subjects = found && (JSON.parse(found.doc) as IdempotencyRecord).subjects
    if (subjects && isAnyErased(scoped, subjects)) rows.remove({ tenantId, kind: 'idempotency', id })
  }

  /** Applies a write while erasures are unfinished: neither an existing nor a new row may be one that they hide. */
  function applyDuringErasure(tenantId: string, write: Write<Kind>): void {
    if (write.op !== 'insert') assertNotErased(tenantId, write)
    else if (write.kind === 'idempotency') removeErasedReply(tenantId, write.row._id)
    apply(tenantId, write)
    assertNotErased(tenantId, write)
  }

  /**
   * Deletes the first attempts of a deleted webhook; `removeExpired` deletes the rest later. All of them are hidden
   * immediately, because attempts are read and claimed only through their webhook.
   */
  function removeAttempts(tenantId: string, webhookId: string): void {
    sql
      .tenant(tenantId)
      .run(
        `DELETE FROM attempts WHERE tenant_id = @tenant AND webhook_id = ? LIMIT ${deletedPerWebhookMax}`,
        webhookId,
      )
    sql
      .tenant(tenantId)
      .run('INSERT OR IGNORE INTO removed_webhooks (tenant_id, id) VALUES (@tenant, ?)', webhookId)
    sql
      .tenant(tenantId)
      .run('DELETE FROM webhook_counts WHERE tenant_id = @tenant AND webhook_id = ?', webhookId)
  }

  function apply(tenantId: string, write: Write<Kind>): void {
    switch (write.op) {
      case 'insert':
        rows.insert(tenantId, write.kind, write.row as Parameters<RowWriter['insert']>[2])
        break
      case 'ensure':
        rows.ensure(tenantId, write.kind, write.row as Parameters<RowWriter['insert']>[2])
        break
      case 'update':
        rows.update({ tenantId, kind: write.kind, id: write.id }, write)
        break
      case 'patch':
        rows.patch(tenantId, write)
        break
      case 'remove':
        rows.remove({ tenantId, kind: write.kind, id: write.id }, write.expectVersion)
        if (write.kind === 'webhooks') removeAttempts(tenantId, write.id)
        break
      case 'erase':
        eraser.begin(tenantId, write)
        break
    }
    if (write.kind === 'webhooks') events.forgetTenant(tenantId)
  }

  return (tenantId: string, change: Change<Kind>): number => {
    const { expectTenantVersion: expectVersion, expectHeard } = change
    const tenant = { tenantId, kind: 'tenants', id: tenantId } as const
    if (expectVersion !== undefined) rows.update(tenant, { expectVersion, set: {} })
    if (expectHeard && events.hears(tenantId, expectHeard.type) !== expectHeard.isHeard)
      throw new VersionConflict('webhooks')
    const applyOne = hasErasures(sql.tenant(tenantId)) ? applyDuringErasure : apply
    for (const write of change.writes) applyOne(tenantId, write)
    for (const write of addressUsesOfWrites(tenantId, change.writes)) applyOne(tenantId, write)
    const marked = { tenantId, ids, at: isoTime(Date.now()) }
    for (const write of figureMarksOfWrites(marked, change.writes)) apply(tenantId, write)
    const deliveries = events.write(tenantId, change.events) + attempts.plan(tenantId, change.attempts ?? [])
    passFaultPoint('during-group-commit')
    return deliveries
  }
}
