import { hash } from 'node:crypto'
import { foldWord } from '../../connectors/files/choice-words.ts'
import type { Write } from '../../ports/change.ts'
import type { SourceRecord } from '../../ports/connector.ts'
import type { ImportIssueRecord } from '../../storage/kinds/import-issues.ts'
import type { ImportLinkRecord } from '../../storage/kinds/import-links.ts'
import type { ImportUndoRecord } from '../../storage/kinds/import-undo.ts'
import type { RecordDraft } from '../rules/record-drafts.ts'
import { rowKey } from './failed-rows.ts'
import type { ImportContext } from './import-context.ts'
import { PageTally } from './page-tally.ts'
import type { WorkingSet } from './working-set.ts'

/** A record as the figures know it. */
export type CountedRecord = Pick<SourceRecord, 'id' | 'row'> & { module: string }

export type Outcome = 'created' | 'updated' | 'unchanged' | 'merged' | 'skipped' | 'failed'

type About = Pick<SourceRecord, 'row'> & { module: string; id: string | null; customerId?: string | null }
type Reported = Pick<ImportIssueRecord, 'severity' | 'code' | 'message'> &
  Partial<Pick<ImportIssueRecord, 'column' | 'value' | 'count' | 'details'>>

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
  /** Warnings of columns, each of which a run reports once. `count` is how often the page met it. */
  readonly countedIssues = new Map<string, ImportIssueRecord>()
  /** Whether nothing was imported from a row of a file, by its key. */
  readonly rowsFailed = new Map<string, boolean>()
  /** The ids of the links that the page writes. */
  readonly changedLinks = new Set<string>()
  /** Of a package: the months of the records, by their row. */
  months: ReadonlyMap<number, string> = new Map()
  /** Writes beside those of the set. */
  readonly writes: Write[] = []
  conflictsKept = 0
  /** The fields of the record that is planned now whose value here stays. */
  keptHere: string[] = []
  /** The figures of the rows and cells of a file. */
  readonly tally = new PageTally()

  readonly #wasCounted: (record: CountedRecord) => boolean

  /** `wasCounted`: whether this run has counted the record in an earlier page. */
  constructor(
    context: ImportContext,
    set: WorkingSet,
    wasCounted: (record: CountedRecord) => boolean = () => false,
  ) {
    this.context = context
    this.set = set
    this.#wasCounted = wasCounted
    this.now = context.now()
  }

  /** A record is counted once in a run, however often the source sends it. */
  countRecord(record: CountedRecord, outcome: Outcome, link: ImportLinkRecord | undefined): void {
    const isCounted = link?.lastRunId === this.context.runId || this.#wasCounted(record)
    if (!isCounted) this.count(record.module, outcome)
  }

  count(module: string, outcome: Outcome): void {
    const counted = this.outcomes.get(module)
    if (counted) counted.push(outcome)
    else this.outcomes.set(module, [outcome])
  }

  /** Notes what became of a row of a file: the next row with its id may take its place when it failed. */
  noteRow({ module, row }: CountedRecord, outcome: Outcome): void {
    if (row !== null) this.rowsFailed.set(rowKey({ module, row }), outcome === 'failed')
  }

  issue(about: About, given: Reported): void {
    this.issues.push(this.#issueOf(this.context.ids.next('imi'), about, given))
  }

  /** Reports a warning about a column once a run, with the first of its records and the number of them. */
  countIssue({ module, row }: About, given: Reported): void {
    const { code, column, value } = given
    const word = typeof value === 'string' ? foldWord(value) : null
    const key = JSON.stringify([this.context.runId, module, code, column ?? null, word])
    const id = `imi_${hash('sha256', key, 'base64url').slice(0, 27)}`
    const known = this.countedIssues.get(id)
    const issue = known ?? this.#issueOf(id, { module, row, id: null }, { ...given, count: 0 })
    this.countedIssues.set(id, { ...issue, count: (issue.count ?? 0) + 1 })
  }

  #issueOf(id: string, about: About, given: Reported): ImportIssueRecord {
    const { severity, code, message, column = null, value = null, count = 1, details = null } = given
    const month = about.row === null || about.id === null ? undefined : this.months.get(about.row)
    return {
      _id: id,
      tenantId: this.context.store.tenantId,
      runId: this.context.runId,
      severity,
      module: about.module,
      externalId: about.id,
      row: about.row,
      code,
      message: message.slice(0, 300),
      column,
      value,
      count,
      details: month === undefined ? details : { ...details, month },
      customerId: about.customerId ?? null,
      createdAt: this.now,
      expiresAt: later(this.now, issueKeepMs),
    }
  }

  /** Keeps the values that the run replaces in a row, at its first change by this run. */
  keepForUndo(
    { kind, id, before }: { kind: RecordDraft['kind']; id: string; before: Record<string, unknown> },
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
      if (
        kind === 'inboxes' ||
        kind === 'suppressedAddresses' ||
        link.madeBy === runId ||
        before?.lastRunId === runId
      )
        continue
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
  module,
  payloadHash,
  externalModifiedAt,
  importedValues,
  deletedAt,
  lastRunId,
}: ImportLinkRecord) {
  return { module, payloadHash, externalModifiedAt, importedValues, deletedAt, lastRunId }
}

export function undoIdOf({ runId, kind, id }: { runId: string; kind: string; id: string }): string {
  return hash('sha256', `${runId} ${kind} ${id}`, 'base64url')
}

export function later(moment: string, ms: number): string {
  return new Date(Date.parse(moment) + ms).toISOString()
}
