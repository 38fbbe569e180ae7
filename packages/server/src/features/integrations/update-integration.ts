import {
  changesBetween,
  dateOrderProblems,
  type Integration,
  mappingProblems,
  notFound,
  updatedIntegration,
  type updateIntegration,
  validationFailure,
  valueProblems,
} from '@crmkit/core'
import { choiceColumnsOf } from '../../connectors/files/describe-columns.ts'
import { mappingOf } from '../../connectors/files/suggest-mapping.ts'
import { cancelRun } from '../../imports/run/cancel-run.ts'
import { showIntegration } from '../../imports/run/show-integration.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { newSurvey } from '../../storage/kinds/import-files.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'

export const handleUpdateIntegration: Handler<typeof updateIntegration> = async (ctx, { params, body }) => {
  const { store, now } = ctx
  const problems = [
    ...mappingProblems(body.mapping ?? {}),
    ...valueProblems(body.values ?? {}),
    ...dateOrderProblems(body.dateOrders ?? {}),
  ]
  if (problems.length > 0) throw validationFailure(problems)
  const row = await store.integrations.find(params.id)
  if (row === undefined) throw notFound()
  const before = showIntegration(withoutVersion(row))
  const after = updatedIntegration(before, body, now)
  const changed = new Set(Object.keys(changesBetween(before, after)))
  const isDateOrderChosen = body.dateOrder === undefined ? row.isDateOrderChosen : body.dateOrder !== null
  // The usual order, chosen by a person, is a change too: from then on no import warns of it.
  if ((isDateOrderChosen ?? false) !== (row.isDateOrderChosen ?? false)) changed.add('dateOrder')
  if (changed.size === 0) return { reply: { success: true, data: before } }
  const { _id: id, tenantId: _tenant, createdAt: _created, ...set } = after
  const cancelled = after.isActive ? undefined : await cancelRun(store, row, now)
  const update: Write = {
    op: 'update',
    kind: 'integrations',
    id,
    expectVersion: row.version,
    set: { ...set, ...cancelled?.set, ...(isDateOrderChosen !== undefined && { isDateOrderChosen }) },
  }
  return {
    change: {
      writes: [update, ...(cancelled ? [cancelled.write] : []), ...(await surveysOfNewWords(ctx, after))],
      events: [],
    },
    audit: { action: 'integration.updated', target: { type: 'integration', _id: id }, changed: [...changed] },
    reply: { success: true, data: after },
  }
}

/** A column that takes a few words alone from now on: its file is read again for them. */
async function surveysOfNewWords(
  { store, now }: { store: Pick<TenantReads, 'importFiles'>; now: string },
  { _id: integrationId, provider, mapping }: Pick<Integration, '_id' | 'provider' | 'mapping'>,
): Promise<Write[]> {
  if (provider !== 'file') return []
  const { rows } = await store.importFiles.listRows({ integrationId, page: 1, limit: 100 })
  return rows.flatMap((file): Write[] => {
    const { _id: id, version: expectVersion, module, survey } = file
    if (survey?.status !== 'done') return []
    const known = new Set(survey.words.map(({ column }) => column))
    const wanted = choiceColumnsOf(mappingOf(module, file, mapping[module]))
    if ([...wanted].every((column) => known.has(column))) return []
    return [{ op: 'update', kind: 'importFiles', id, expectVersion, set: { survey: newSurvey(now, survey) } }]
  })
}
