import type { BalancedColumn, BalancedFile, ImportCounts, ImportRun } from '@crmkit/core'
import type { PackageManifest } from '@crmkit/core/package'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  moment,
  nullableMoment,
  nullableText,
  number,
  optional,
  reference,
  tenantRow,
  times,
  word,
} from './fields.ts'

/** The position of a run at its source; it is written with each page. */
export interface ImportCheckpoint {
  v: 1
  /** The window of the reads at the source. */
  since: string | null
  before: string | null
  /** The module that is read, or that is asked for deleted records; null before the first and after the last. */
  module: string | null
  phase: 'list' | 'deleted'
  /** The position in the module behind the last page that was committed. */
  position: Readonly<Record<string, unknown>> | null
  /** The time of the source at its first response. */
  until: string | null
  /** Failed tries of the request that comes next. */
  tries: number
  /** For a retry of single records: the ids that are left, by module. */
  only: Record<string, string[]> | null
}

/** A file of a run with its columns. */
export interface StoredBalance extends BalancedFile {
  columns: BalancedColumn[]
}

export interface ImportRunRecord extends Omit<ImportRun, 'balance'> {
  tenantId: string
  /** The files that were read, with the figures of their rows and columns; absent before the first page of one. */
  balance?: readonly StoredBalance[] | undefined
  /** Of a package: the inbox here of each of its inboxes, by the id there. */
  inboxes?: Readonly<Record<string, string>>
  /** Of a package: the figures of its manifest. */
  packageFigures?: Pick<PackageManifest, 'counts'> & { leftOut: NonNullable<PackageManifest['leftOut']> }
  /** Of a package: the records that are here, by kind and month; the empty month is that of records without a time. */
  here?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Newest errors and warnings, as the progress shows them. */
  errors: string[]
  /** Rows of errors that are stored. */
  issueCount: number
  checkpoint: ImportCheckpoint
  /** The process that took the run up last; a restart takes it up again. */
  updatedAt: string
  /** The module whose rows the undo removes next. */
  undoModule: string | null
  /** How often it was taken up since its checkpoint moved last. Runs of earlier versions have none. */
  takesUp?: number
  /** Not before this time it is taken up again; null: at once. */
  takeUpAt?: string | null
  expiresAt: string
}

export const activeRunStatuses: readonly ImportRun['status'][] = ['queued', 'running', 'paused']

/** Returns when work on a run is due; null when there is none. */
function runDueAt({ status, resumeAt, undo, createdAt, takeUpAt }: ImportRunRecord): string | null {
  const isActive = activeRunStatuses.includes(status)
  if (!isActive && undo.status !== 'running') return null
  const wanted = isActive ? ((status === 'paused' ? resumeAt : null) ?? createdAt) : undo.startedAt
  return [wanted, takeUpAt ?? null].reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b))
}

const noCounts: Record<string, ImportCounts> = {}
const noInboxes: Readonly<Record<string, string>> = {}
const noHere: Readonly<Record<string, Readonly<Record<string, number>>>> = {}
const noFigures: NonNullable<ImportRunRecord['packageFigures']> = { counts: {}, leftOut: [] }
const noBalance: readonly StoredBalance[] = []

export const importRuns = defineKindOf<ImportRunRecord>()('importRuns', {
  idPrefix: 'imp',
  fields: {
    ...tenantRow,
    integrationId: reference('integrations'),
    trigger: word('plain'),
    status: word('plain'),
    dryRun: flag('plain'),
    selection: because('switches of the person who starts the run', json('plain')),
    dateRange: because('days that bound the run', json('plain')),
    startedAt: nullableMoment('plain'),
    finishedAt: nullableMoment('plain'),
    resumeAt: nullableMoment('plain'),
    pauseReason: because('it names a limit of the source', nullableText('plain')),
    error: because('a code and a sentence of the service', json('plain')),
    modules: because('counts of records', json('plain', noCounts)),
    errorCount: number('plain'),
    warningCount: number('plain'),
    conflictsKept: number('plain'),
    balance: optional(because('counts of rows and cells, and heads of columns', json('plain', noBalance))),
    retryOf: nullableText('id'),
    undo: because('counts of records', json('plain')),
    inboxes: optional(because('ids of inboxes', json('internal', noInboxes))),
    packageFigures: optional(because('counts of records', json('internal', noFigures))),
    here: optional(because('counts of records', json('internal', noHere))),
    errors: because('the newest errors, with ids of records at the source', json('internal')),
    issueCount: number('internal'),
    checkpoint: because('a position in the pages of the source', json('internal')),
    undoModule: because('a name of a module of the source', nullableText('internal')),
    takesUp: optional(number('internal')),
    takeUpAt: optional(nullableMoment('internal')),
    expiresAt: moment('internal'),
    ...times,
  },
  computed: {
    /** An integration has one active run, and none while an undo of it runs. */
    activeOf: computed.nullableText(({ status, undo, integrationId }: ImportRunRecord) =>
      activeRunStatuses.includes(status) || undo.status === 'running' ? integrationId : null,
    ),
    dueAt: computed.nullableText(runDueAt),
  },
  unique: { activeOf: ['activeOf'] },
  list: {
    filters: { integrationId: { matches: 'integrationId', index: 'integration' } },
    orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } },
    needsOneOf: ['integrationId'],
  },
  acrossTenants: { dueImports: { columns: ['dueAt'] } },
  erasure: {
    rows: 'kept',
    why: 'Counts and positions; the newest errors hold ids of records at the source.',
  },
  quota: { unlimited: 'at most ten are started in an hour, and they are removed after 90 days' },
  retention: { endsAt: 'expiresAt' },
})
