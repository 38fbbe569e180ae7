import {
  Failure,
  type FileModule,
  invalidState,
  type Problem,
  type UpdateImportFileBody,
  type UploadedFile,
  type uploadImportFile,
  validationFailure,
} from '@crmkit/core'
import type { TableOfModule } from '../../connectors/files/zipped-tables.ts'
import { fileKeptUntil, removedFiles } from '../../imports/run/remove-files.ts'
import type { Write } from '../../ports/change.ts'
import { getArrived } from '../../shared/store-upload.ts'
import { type ImportFileRecord, newSurvey } from '../../storage/kinds/import-files.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { describeFile } from './describe-file.ts'
import { type Beginning, readShape, tablesOfArchive } from './file-shape.ts'
import { assertIdle, getIntegrationRow } from './find-run.ts'

/** Takes a file of one module, or an archive with one of each. Its bytes and their row are stored already. */
export const handleUploadImportFile: Handler<typeof uploadImportFile> = async (ctx, { params, body }) => {
  const { store } = ctx
  const integration = await getIntegrationRow(store, params.id)
  if (integration.provider !== 'file') {
    throw invalidState('Only an integration for files takes files', integration.provider, ['file'])
  }
  // A run reads its file more than once.
  assertIdle(integration)
  const { fields } = body
  const { headerRow } = fields
  const given = { ...fields, headerRow: headerRow === undefined ? undefined : Number(headerRow) }
  const upload = { body, given, integrationId: integration._id }
  if ('module' in fields) {
    const read = await readFile(ctx, { ...upload, _id: body._id, module: fields.module })
    const writes = await storeFiles(ctx, upload, [read])
    const { file, beginning } = read
    const data = await describeFile(store, file, { beginning, integration })
    return { change: { writes, events: [] }, reply: { success: true, data } }
  }
  const read: ReadFile[] = []
  for (const table of await tablesOfArchive(ctx, body)) read.push(await readTable(ctx, upload, table))
  const writes = await storeFiles(ctx, upload, read)
  const shown = read.map(({ file, beginning }) => describeFile(store, file, { beginning, integration }))
  return { change: { writes, events: [] }, reply: { success: true, data: await Promise.all(shown) } }
}

interface Upload {
  body: UploadedFile
  /** How a person wants it to be read. */
  given: UpdateImportFileBody
  integrationId: string
}

interface FileOfUpload extends Upload {
  _id: string
  module: FileModule
  archiveId?: string
}

interface ReadFile {
  file: ImportFileRecord
  beginning: Beginning
}

async function readFile(ctx: HandlerContext, { body, given, ...ids }: FileOfUpload): Promise<ReadFile> {
  const { now: createdAt, tenantId } = ctx
  const { filename, size } = body
  const { shape, beginning } = await readShape(ctx, { ...ids, filename, size, given })
  const isEncodingGiven = given.encoding !== undefined
  const survey = newSurvey(createdAt, { notIds: [], changed: [], isEncodingGiven })
  return { file: { ...ids, tenantId, filename, size, createdAt, ...shape, survey }, beginning }
}

/** Reads one table of an archive; what is wrong with it names it. */
async function readTable(
  ctx: HandlerContext,
  { given, ...upload }: Upload,
  { module, table }: TableOfModule,
): Promise<ReadFile> {
  const archiveId = upload.body._id
  try {
    const _id = ctx.ids.next('att')
    return await readFile(ctx, { ...upload, _id, archiveId, module, given: { ...given, sheet: table } })
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'VALIDATION_ERROR')) throw error
    const problems = error.details as readonly Problem[]
    throw validationFailure(
      problems.map((problem) => ({ ...problem, message: `${table}: ${problem.message}` })),
    )
  }
}

/** Returns the writes that keep the bytes, and replace earlier files of the modules. */
async function storeFiles(
  { store, now }: HandlerContext,
  { body, integrationId }: Upload,
  read: readonly ReadFile[],
): Promise<Write[]> {
  const { _id: id, filename, size, sha256, contentType } = body
  const { version: expectVersion } = await getArrived(store, id)
  const set = {
    filename,
    size,
    sha256,
    contentType,
    state: 'stored' as const,
    integrationId,
    keptUntil: fileKeptUntil(now),
    updatedAt: now,
  }
  const modules = read.map(({ file }) => file.module)
  return [
    { op: 'update', kind: 'attachments', id, expectVersion, set },
    ...read.map(({ file: row }): Write => ({ op: 'insert', kind: 'importFiles', row })),
    ...(await removedFiles(store, { integrationId, now, modules })),
  ]
}
