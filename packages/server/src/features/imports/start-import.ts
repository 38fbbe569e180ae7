import {
  type HeaderTargets,
  type ImportSettings,
  type Problem,
  referenceProblem,
  type StartImportBody,
  type startImport,
  updatedImportSettings,
  validationFailure,
} from '@crmkit/core'
import { manifestName } from '@crmkit/core/package'
import { importChoices, importModules } from '@crmkit/core/vocabulary'
import { mappingOf } from '../../connectors/files/suggest-mapping.ts'
import { missingFiles, readManifestOf } from '../../imports/package/package-store.ts'
import { choiceOf, isSelected } from '../../imports/plan/import-context.ts'
import { newRun } from '../../imports/run/new-run.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { assertCanImport, getIntegrationRow } from './find-run.ts'

export const handleStartImport: Handler<typeof startImport> = async (ctx, { params, body }) => {
  const { store, ids, tenantId, now } = ctx
  const integration = await getIntegrationRow(store, params.id)
  assertCanImport(integration)
  const { dateRange, dryRun, inboxes, ...choices } = body
  const given = Object.entries(choices).filter(([, value]) => value !== null && value !== undefined)
  const selection = updatedImportSettings(integration.importSettings, Object.fromEntries(given))
  const problems = [...selectionProblems(selection), ...dateProblems(dateRange)]
  if (integration.provider === 'file')
    problems.push(
      ...(await fileProblems(store, integration, {
        selection,
        isRange: Boolean(dateRange) && problems.length === 0,
      })),
    )
  const ofPackage =
    integration.provider === 'package' ? await packageOf(ctx, integration, inboxes ?? {}) : undefined
  problems.push(...(ofPackage?.problems ?? []))
  if (problems.length > 0) throw validationFailure(problems)
  const runId = ids.next('imp')
  const run = newRun({
    id: runId,
    tenantId,
    now,
    integrationId: integration._id,
    trigger: 'manual',
    selection,
    dateRange: dateRange
      ? { startDate: dateRange.startDate ?? null, endDate: dateRange.endDate ?? null }
      : null,
    dryRun: dryRun ?? false,
  })
  const row = { ...run, ...ofPackage?.fields }
  const set: Partial<IntegrationRecord> = {
    syncStatus: 'queued',
    activeRunId: runId,
    lastRunId: runId,
    ...(!dryRun && { importSettings: selection, updatedAt: now }),
    ...(!dryRun && ofPackage && { packageReadAt: now }),
  }
  const { _id: id, version: expectVersion } = integration
  const writes: Write[] = [
    { op: 'insert', kind: 'importRuns', row },
    { op: 'update', kind: 'integrations', id, expectVersion, set },
  ]
  return {
    change: { writes, events: [] },
    audit: { action: 'import.started', target: { type: 'integration', _id: id } },
    reply: { success: true, message: 'Import started', data: { runId, status: run.status } },
  }
}

function selectionProblems(selection: ImportSettings): Problem[] {
  if (importChoices.some((choice) => selection[choice])) return []
  const message = 'at least one part has to be chosen'
  return importChoices.map((field) => ({ field, message, rule: 'at_least_one', in: 'body' }))
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

function isCalendarDay(day: string): boolean {
  const moment = new Date(`${day}T00:00:00.000Z`)
  return dayPattern.test(day) && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day)
}

function dateProblems(dateRange: StartImportBody['dateRange']): Problem[] {
  const { startDate, endDate } = dateRange ?? {}
  const days = Object.entries({ startDate, endDate })
  const wrong = days.flatMap(([name, day]): Problem[] =>
    day && !isCalendarDay(day)
      ? [{ field: `dateRange.${name}`, message: 'must be a day, YYYY-MM-DD', rule: 'date', in: 'body' }]
      : [],
  )
  const isReversed = wrong.length === 0 && startDate && endDate && startDate > endDate
  if (!isReversed) return wrong
  return [{ field: 'dateRange.endDate', message: 'must not be before startDate', rule: 'order', in: 'body' }]
}

function hasDates(mapping: HeaderTargets): boolean {
  return Object.values(mapping).some((target) => target === 'createdAt' || target === 'updatedAt')
}

/** `PUT …/files/{fileId}`, or a new upload, has it surveyed again. */
function unreadableFile({ module, survey }: ImportFileRecord): Problem {
  const message = `the file of ${module} cannot be read: ${survey?.error?.message ?? 'its survey failed'}`
  return { field: choiceOf[module], message, rule: 'unreadable', in: 'body' }
}

function noDates(files: readonly ImportFileRecord[]): Problem {
  const modules = files.map(({ module }) => module).join(', ')
  const message = `the file of ${modules} has no column with the date of its records`
  return { field: 'dateRange', message, rule: 'no_date_column', in: 'body' }
}

async function fileProblems(
  store: TenantReads,
  { _id: integrationId, mapping }: IntegrationRecord,
  { selection, isRange }: { selection: ImportSettings; isRange: boolean },
): Promise<Problem[]> {
  const { rows } = await store.importFiles.listRows({ integrationId, page: 1, limit: 100 })
  const chosen = rows.filter(({ module }) => isSelected(selection, module))
  const unreadable = chosen.filter(({ survey }) => survey?.status === 'failed')
  if (unreadable.length > 0) return unreadable.map(unreadableFile)
  if (isRange) {
    const undated = chosen.filter((file) => !hasDates(mappingOf(file.module, file, mapping[file.module])))
    if (undated.length > 0) return [noDates(undated)]
  }
  if (chosen.length > 0 || !importModules.some((module) => isSelected(selection, module))) return []
  const message = 'no file was uploaded for any chosen module'
  return [{ field: 'importContacts', message, rule: 'no_file', in: 'body' }]
}

interface PackageToStart {
  problems: Problem[]
  fields: Pick<ImportRunRecord, 'inboxes' | 'packageFigures'>
}

/** Reads the manifest of a package; a file of it that is not there is a problem, as is an inbox that is not one of the tenant. */
async function packageOf(
  { store, services }: HandlerContext,
  integration: IntegrationRecord,
  inboxes: Readonly<Record<string, string>>,
): Promise<PackageToStart> {
  const found = await readManifestOf({ store, attachments: services.attachments }, integration)
  const missing = found ? await missingFiles(store, integration, found.manifest) : [manifestName]
  const problems: Problem[] = []
  if (missing.length > 0) {
    const message = `lacks ${missing.slice(0, 5).join(', ')}`
    problems.push({ field: 'package', message, rule: 'incomplete', in: 'body' })
  }
  for (const [id, inboxId] of Object.entries(inboxes)) {
    if ((await store.inboxes.find(inboxId)) === undefined) problems.push(referenceProblem(`inboxes.${id}`))
  }
  const { counts = {}, leftOut = [] } = found?.manifest ?? {}
  return { problems, fields: { inboxes, packageFigures: { counts, leftOut } } }
}
