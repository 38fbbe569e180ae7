import {
  type deleteImportFile,
  type getImportFile,
  type listImportFiles,
  notFound,
  type updateImportFile,
} from '@crmkit/core'
import { fileRemovals } from '../../imports/run/remove-files.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { pageReply } from '../../shared/reply-page.ts'
import { type ImportFileRecord, newSurvey } from '../../storage/kinds/import-files.ts'
import type { Stored } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'
import { describeFile, showFile } from './describe-file.ts'
import { assertMayReadFile } from './file-access.ts'
import { givenOf, readBeginning, readShape } from './file-shape.ts'
import { assertIdle, getIntegrationRow } from './find-run.ts'

export const handleListImportFiles: Handler<typeof listImportFiles> = async (
  { store },
  { params, query },
) => {
  // The page comes first: an invalid cursor is reported before an unknown integration.
  const page = await store.importFiles.list({ ...query, integrationId: params.id })
  const integration = await getIntegrationRow(store, params.id)
  return { reply: pageReply({ ...page, rows: page.rows.map((file) => showFile(file, integration)) }, query) }
}

export const handleGetImportFile: Handler<typeof getImportFile> = async (ctx, { params }) => {
  const integration = await getIntegrationRow(ctx.store, params.id)
  const file = await getFile(ctx.store, params)
  assertMayReadFile(ctx.actor, file)
  const beginning = await readBeginning(ctx, file)
  return { reply: { success: true, data: await describeFile(ctx.store, file, { beginning, integration }) } }
}

export const handleUpdateImportFile: Handler<typeof updateImportFile> = async (ctx, { params, body }) => {
  const integration = await getIntegrationRow(ctx.store, params.id)
  const file = await getFile(ctx.store, params)
  assertMayReadFile(ctx.actor, file)
  assertIdle(integration)
  if (Object.keys(body).length === 0) {
    const beginning = await readBeginning(ctx, file)
    return { reply: { success: true, data: await describeFile(ctx.store, file, { beginning, integration }) } }
  }
  const { shape, beginning } = await readShape(ctx, { ...file, given: { ...givenOf(file), ...body } })
  const { notIds = [], changed = [], isEncodingGiven = false } = file.survey ?? {}
  const isGiven = body.encoding === undefined ? isEncodingGiven : body.encoding !== null
  const survey = newSurvey(ctx.now, { notIds, changed, isEncodingGiven: isGiven })
  const set = { ...shape, survey, updatedAt: ctx.now }
  const data = await describeFile(ctx.store, { ...file, ...set }, { beginning, integration })
  return {
    change: {
      writes: [{ op: 'update', kind: 'importFiles', id: file._id, expectVersion: file.version, set }],
      events: [],
    },
    reply: { success: true, data },
  }
}

export const handleDeleteImportFile: Handler<typeof deleteImportFile> = async (
  { store, actor, now },
  { params },
) => {
  const integration = await getIntegrationRow(store, params.id)
  const file = await getFile(store, params)
  assertMayReadFile(actor, file)
  assertIdle(integration)
  const { rows: files } = await store.importFiles.listRows({ integrationId: params.id, page: 1, limit: 100 })
  const removed = files.filter(({ _id }) => _id === file._id)
  const writes = await fileRemovals(store, { removed, files, now })
  return {
    change: { writes, events: [] },
    reply: { success: true, message: 'File deleted' },
  }
}

/** Throws NOT_FOUND for a file that does not exist, or that is one of another integration. */
async function getFile(
  { importFiles }: Pick<TenantReads, 'importFiles'>,
  { id, fileId }: { id: string; fileId: string },
): Promise<Stored<ImportFileRecord>> {
  const file = await importFiles.find(fileId)
  if (file?.integrationId !== id) throw notFound()
  return file
}
