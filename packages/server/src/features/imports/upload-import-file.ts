import { invalidState, type uploadImportFile } from '@crmkit/core'
import { fileKeptUntil, removedFiles } from '../../imports/run/remove-files.ts'
import type { Write } from '../../ports/change.ts'
import { getArrived } from '../../shared/store-upload.ts'
import { type ImportFileRecord, newSurvey } from '../../storage/kinds/import-files.ts'
import type { Handler } from '../handler.ts'
import { describeFile } from './describe-file.ts'
import { readShape } from './file-shape.ts'
import { getIntegrationRow } from './find-run.ts'

/** Takes a file of one module. Its bytes and their row are stored already. */
export const handleUploadImportFile: Handler<typeof uploadImportFile> = async (ctx, { params, body }) => {
  const { store, now, tenantId } = ctx
  const integration = await getIntegrationRow(store, params.id)
  if (integration.provider !== 'file') {
    throw invalidState('Only an integration for files takes files', integration.provider, ['file'])
  }
  const { version: expectVersion } = await getArrived(store, body._id)
  const { filename, size, sha256, contentType } = body
  const { module } = body.fields
  const { headerRow } = body.fields
  const given = { ...body.fields, headerRow: headerRow === undefined ? undefined : Number(headerRow) }
  const { shape, beginning } = await readShape(ctx, { ...body, module, given })
  const file: ImportFileRecord = {
    _id: body._id,
    tenantId,
    integrationId: integration._id,
    module,
    filename,
    size,
    createdAt: now,
    ...shape,
    survey: newSurvey(now, { notIds: [], changed: [], isEncodingGiven: given.encoding !== undefined }),
  }
  const set = {
    filename,
    size,
    sha256,
    contentType,
    state: 'stored' as const,
    integrationId: integration._id,
    keptUntil: fileKeptUntil(now),
    updatedAt: now,
  }
  const keep: Write = { op: 'update', kind: 'attachments', id: body._id, expectVersion, set }
  const writes: Write[] = [
    keep,
    { op: 'insert', kind: 'importFiles', row: file },
    ...(await removedFiles(store, { integrationId: integration._id, now, module })),
  ]
  return {
    change: { writes, events: [] },
    reply: { success: true, data: await describeFile(store, file, { beginning, integration }) },
  }
}
