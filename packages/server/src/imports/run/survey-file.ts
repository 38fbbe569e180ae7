import type { HeaderTargets } from '@crmkit/core'
import { EncodingWatch, OtherEncoding } from '../../connectors/files/encoding-watch.ts'
import type { FileRow } from '../../connectors/files/file-rows.ts'
import { FileSurvey, type SurveyFigures } from '../../connectors/files/file-survey.ts'
import { rowsOfFile } from '../../connectors/files/stored-file.ts'
import { mappingOf } from '../../connectors/files/suggest-mapping.ts'
import { UnreadableArchive } from '../../connectors/files/zip-file.ts'
import type { Scratch } from '../../ports/scratch.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { isPassing } from '../../shared/passing-error.ts'
import { VersionConflict } from '../../storage/errors.ts'
import type { ImportFileRecord, StoredSurvey } from '../../storage/kinds/import-files.ts'
import { activeRunStatuses } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import { later } from '../plan/page-plan.ts'
import { withoutErased } from './erased-rows.ts'
import type { RunParts, RunRef } from './run-parts.ts'

/** How long a survey waits that ended with its process, or with a fault of the program, in ms; the next one fails. */
const waitsMs = [30_000, 120_000, 600_000]
/** How long it waits behind an error that passes. It is tried until it has passed. */
const waitOfPassingMs = 30_000
/** Rows of which each has a word that is new. */
const wordRowsMax = 100
const runsMax = 20

export interface SurveyRef {
  tenantId: TenantId
  fileId: string
  /** The try before could not be taken back, because the database was away: it does not count. */
  isForgiven?: boolean
}

type SurveyParts = Pick<RunParts, 'storage' | 'attachments' | 'openScratch' | 'clock' | 'callers' | 'log'>

/**
 * Returns the files of a run that are to be surveyed before it reads them. One whose survey could not be made is due at its time; one
 * whose process ended is begun at once.
 */
export async function filesToSurvey(
  { storage, clock }: Pick<RunParts, 'storage' | 'clock'>,
  { tenantId, runId }: RunRef,
): Promise<{ fileId: string; isDue: boolean }[]> {
  const store = storage.forTenant(tenantId)
  const run = await store.importRuns.find(runId)
  if (run === undefined || !activeRunStatuses.includes(run.status)) return []
  const { integrationId } = run
  const { rows } = await store.importFiles.listRows({ integrationId, page: 1, limit: 100 })
  const now = isoTime(clock.nowMs())
  return rows.flatMap(({ _id: fileId, survey }) => {
    if (survey?.status !== 'running') return []
    return [{ fileId, isDue: survey.error === null || (survey.dueAt ?? now) <= now }]
  })
}

/**
 * Reads a whole file once, and stores what it says. A process that ends in the middle leaves the survey due, so that it is begun
 * again; one that was begun too often fails, and one of a file that cannot be read at once. A full disk, or a database that is away,
 * never makes it fail.
 */
export async function surveyFile(parts: SurveyParts, ref: SurveyRef, signal: AbortSignal): Promise<void> {
  const file = await begin(parts, ref)
  if (file?.survey === undefined) return
  const store = parts.storage.forTenant(ref.tenantId)
  const integration = await store.integrations.find(file.integrationId)
  if (integration === undefined) return
  let scratch: Scratch | undefined
  try {
    scratch = parts.openScratch()
    const mapping = mappingOf(file.module, file, integration.mapping[file.module])
    const survey = new FileSurvey({ ...file, mapping }, scratch)
    await readWhole({ ...parts, store }, { file, integration, survey, signal })
    const isFirst = !(await hasRun(store, file))
    const set = setOf(file, { figures: survey.figures(), integration, mapping, isFirst })
    if (!(await write(store, file, set))) await beginAgain(parts, ref)
  } catch (error) {
    if (signal.aborted) return await beginAgain(parts, ref)
    await afterError(parts, { store, file, survey: file.survey }, error)
  } finally {
    scratch?.close()
  }
}

/** Counts the beginning, before anything is read: so one that ends its process counts too. */
async function begin(
  parts: SurveyParts,
  { tenantId, fileId, isForgiven = false }: SurveyRef,
): Promise<Stored<ImportFileRecord> | undefined> {
  const store = parts.storage.forTenant(tenantId)
  const file = await store.importFiles.find(fileId)
  if (file?.survey?.status !== 'running') return undefined
  const { survey } = file
  const taken = Math.max(survey.takesUp - (isForgiven ? 1 : 0), 0)
  const waitMs = waitsMs[taken]
  const dueAt = waitMs === undefined ? null : later(isoTime(parts.clock.nowMs()), waitMs)
  const next = dueAt === null ? failed(survey, programError) : { ...survey, dueAt, takesUp: taken + 1 }
  if (!(await write(store, file, { survey: next })) || dueAt === null) return undefined
  return { ...file, survey: next, version: file.version + 1 }
}

interface Tried {
  store: TenantStore
  file: Stored<ImportFileRecord>
  survey: StoredSurvey
}

/** Only a file that cannot be read has failed. Any other error leaves the survey due, and its state says so. */
async function afterError(
  { log, clock }: SurveyParts,
  { store, file, survey }: Tried,
  error: unknown,
): Promise<void> {
  log.error({ err: error, fileId: file._id }, 'A file of an import cannot be surveyed')
  if (error instanceof UnreadableArchive) {
    const code = error instanceof OtherEncoding ? 'ENCODING' : 'UNREADABLE_FILE'
    const row = error instanceof OtherEncoding ? error.row : null
    const unreadable = { code, message: `The file ${error.message}`, row }
    await write(store, file, { survey: failed(survey, unreadable) })
    return
  }
  const waiting = isPassing(error)
    ? {
        dueAt: later(isoTime(clock.nowMs()), waitOfPassingMs),
        takesUp: survey.takesUp - 1,
        error: passingError,
      }
    : { error: { ...programError, message: `${programError.message}; it is tried again` } }
  await write(store, file, { survey: { ...survey, ...waiting } })
}

/** A place that was given away, and a file that was changed meanwhile, say nothing against the survey. */
async function beginAgain(parts: SurveyParts, { tenantId, fileId }: SurveyRef): Promise<void> {
  const store = parts.storage.forTenant(tenantId)
  const file = await store.importFiles.find(fileId)
  if (file?.survey?.status !== 'running') return
  const survey = { ...file.survey, takesUp: 0, dueAt: isoTime(parts.clock.nowMs()) }
  await write(store, file, { survey })
}

interface Reading {
  file: ImportFileRecord
  integration: IntegrationRecord
  survey: FileSurvey
  signal: AbortSignal
}

async function readWhole(
  parts: SurveyParts & { store: TenantStore },
  { file, integration, survey, signal }: Reading,
): Promise<void> {
  const { store } = parts
  let withWords: FileRow[] = []
  const addWords = async () => {
    const shown = await withoutErased({ store, integration, file, rows: withWords })
    for (const row of shown) survey.addWords(row)
    withWords = []
  }
  const encoding = new EncodingWatch(file)
  const { onContradiction } = encoding
  for await (const row of rowsOfFile({ ...parts, file, ...(onContradiction && { onContradiction }) })) {
    encoding.look(row)
    if (survey.add(row)) withWords.push(row)
    if (withWords.length >= wordRowsMax) await addWords()
    signal.throwIfAborted()
  }
  encoding.end()
  await addWords()
}

/** Whether a run that writes has read the file: from then on its suggestion stays. */
async function hasRun(store: TenantStore, { integrationId, createdAt }: ImportFileRecord): Promise<boolean> {
  const { rows } = await store.importRuns.listRows({ integrationId, page: 1, limit: runsMax })
  return rows.some(({ dryRun, startedAt }) => !dryRun && startedAt !== null && startedAt >= createdAt)
}

interface Found {
  figures: SurveyFigures
  integration: IntegrationRecord
  /** The targets before. */
  mapping: HeaderTargets
  isFirst: boolean
}

function setOf(
  file: ImportFileRecord,
  { figures, integration, mapping, isFirst }: Found,
): Partial<ImportFileRecord> {
  const { headers, notIds: found, ...counts } = figures
  const notIds = isFirst ? found : (file.survey?.notIds ?? [])
  const after = mappingOf(
    file.module,
    { ...file, headers, survey: { notIds } },
    integration.mapping[file.module],
  )
  const changed = file.headers.filter((name) => after[name] !== mapping[name])
  const earlier = file.survey?.changed ?? []
  const survey: StoredSurvey = {
    status: 'done',
    ...counts,
    notIds,
    changed: [...new Set([...earlier, ...changed])],
    error: null,
    dueAt: null,
    takesUp: 0,
  }
  return { headers, survey }
}

const programError = {
  code: 'INTERNAL_ERROR',
  message: 'The service cannot read the whole file',
  row: null,
}
const passingError = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The file, or the disk, cannot be read or written at the moment; it is tried again',
  row: null,
}

function failed(survey: StoredSurvey, error: NonNullable<StoredSurvey['error']>): StoredSurvey {
  return { ...survey, status: 'failed', dueAt: null, error }
}

/** Returns whether the file was as it was read. */
async function write(
  store: TenantStore,
  { _id: id, version: expectVersion }: Stored<ImportFileRecord>,
  set: Partial<ImportFileRecord>,
): Promise<boolean> {
  try {
    await store.commit({
      writes: [{ op: 'update', kind: 'importFiles', id, expectVersion, set }],
      events: [],
    })
    return true
  } catch (error) {
    if (error instanceof VersionConflict) return false
    throw error
  }
}
