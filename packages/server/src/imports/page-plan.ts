import { createHash } from 'node:crypto'
import type { ImportIssue } from '@crmkit/core'
import type { SourceLink, SourceRecord } from '../ports/connector.ts'
import type { ImportIssueRecord } from '../storage/kinds/import-issues.ts'
import type { ImportLinkRecord } from '../storage/kinds/import-links.ts'
import type { ImportUndoRecord } from '../storage/kinds/import-undo.ts'
import type { ImportContext } from './import-context.ts'
import type { Draft } from './rules/drafts.ts'
import type { WorkingSet } from './working-set.ts'

export type Outcome = 'created' | 'updated' | 'unchanged' | 'merged' | 'skipped' | 'failed'

export const issueKeepMs = 90 * 24 * 3600 * 1000
export const undoKeepMs = 30 * 24 * 3600 * 1000

/** One page while it is planned: its rows, and what is reported about its records. */
export class PagePlan {
  readonly context: ImportContext
  readonly set: WorkingSet
  readonly now: string
  readonly issues: ImportIssueRecord[] = []
  /** By module. */
  readonly outcomes = new Map<string, Outcome[]>()
  /** The ids of the links that the page writes. */
  readonly changedLinks = new Set<string>()
  conflictsKept = 0

  readonly #wasCounted: (record: SourceLink) => boolean

  /** `wasCounted`: whether this run has counted the record in an earlier page. */
  constructor(
    context: ImportContext,
    set: WorkingSet,
    wasCounted: (record: SourceLink) => boolean = () => false,
  ) {
    this.context = context
    this.set = set
    this.#wasCounted = wasCounted
    this.now = context.now()
  }

  /** A record is counted once in a run, however often the source sends it. */
  countRecord(record: SourceLink, outcome: Outcome, link: ImportLinkRecord | undefined): void {
    const isCounted = link?.lastRunId === this.context.runId || this.#wasCounted(record)
    if (!isCounted) this.count(record.module, outcome)
  }

  count(module: string, outcome: Outcome): void {
    const counted = this.outcomes.get(module)
    if (counted) counted.push(outcome)
    else this.outcomes.set(module, [outcome])
  }

  issue(
    about: Pick<SourceRecord, 'module' | 'row'> & { id: string | null; customerId?: string | null },
    { severity, code, message }: Pick<ImportIssue, 'severity' | 'code' | 'message'>,
  ): void {
    this.issues.push({
      _id: this.context.ids.next('imi'),
      tenantId: this.context.store.tenantId,
      runId: this.context.runId,
      severity,
      module: about.module,
      externalId: about.id,
      row: about.row,
      code,
      message: message.slice(0, 300),
      customerId: about.customerId ?? null,
      createdAt: this.now,
      expiresAt: later(this.now, issueKeepMs),
    })
  }

  /** Keeps the values that the run replaces in a row, at its first change by this run. */
  keepForUndo(
    { kind, id, before }: { kind: Draft['kind']; id: string; before: Record<string, unknown> },
    owners: Pick<ImportUndoRecord, 'customerId' | 'conversationId'>,
  ): void {
    const { runId, store } = this.context
    const _id = undoIdOf({ runId, kind, id })
    const found = this.set.find('importUndo', _id)
    const row: ImportUndoRecord = found ?? {
      _id,
      tenantId: store.tenantId,
      runId,
      entityKind: kind,
      entityId: id,
      customerId: owners.customerId,
      conversationId: owners.conversationId,
      before,
      rowVersion: 0,
      versionBefore: this.set.versionBefore(kind, id),
      createdAt: this.now,
      expiresAt: later(this.now, undoKeepMs),
    }
    // A field that a later page changes first has its earlier value there.
    this.set.put('importUndo', {
      ...row,
      before: { ...before, ...row.before },
      rowVersion: this.set.versionAfter(kind, id),
    })
  }

  /**
   * Keeps how the links to rows of earlier runs were. With the values of a row an undo restores its links: then the undo of
   * the earlier run finds its own row, and the next import finds what it has to write again.
   */
  keepLinksForUndo(): void {
    const { runId } = this.context
    for (const { before, row: link } of this.set.changed('importLinks')) {
      const { _id, entityKind: kind, entityId: id, customerId, conversationId } = link
      if (kind === 'inboxes' || link.madeBy === runId || before?.lastRunId === runId) continue
      this.keepForUndo({ kind, id, before: {} }, { customerId, conversationId })
      const undo = this.set.find('importUndo', undoIdOf({ runId, kind, id }))
      const { links = [], versionBefore } = undo ?? {}
      if (undo === undefined || links.some((kept) => kept._id === _id)) continue
      const isUnchangedSince = before !== undefined && before.rowVersion === versionBefore
      const kept = { _id, before: before ? linkBefore(before) : null, isUnchangedSince }
      this.set.put('importUndo', { ...undo, links: [...links, kept] })
    }
  }
}

function linkBefore({
  payloadHash,
  externalModifiedAt,
  importedValues,
  deletedAt,
  lastRunId,
}: ImportLinkRecord) {
  return { payloadHash, externalModifiedAt, importedValues, deletedAt, lastRunId }
}

export function undoIdOf({ runId, kind, id }: { runId: string; kind: string; id: string }): string {
  return createHash('sha256').update(`${runId} ${kind} ${id}`).digest('base64url')
}

export function later(moment: string, ms: number): string {
  return new Date(Date.parse(moment) + ms).toISOString()
}
