import { Failure, invalidState, type uploadImportFile, validationFailure } from '@crmkit/core'
import { headBytes, sniffFile } from '../../connectors/files/sniff-file.ts'
import { mappingOf } from '../../connectors/files/suggest-mapping.ts'
import { columnsMax } from '../../connectors/files/unique-names.ts'
import { removedFiles } from '../../imports/run/remove-files.ts'
import type { Write } from '../../ports/change.ts'
import type { ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { getIntegrationRow } from './find-run.ts'

/** Takes a file of one module. Its bytes and their row are stored already. */
export const handleUploadImportFile: Handler<typeof uploadImportFile> = async (ctx, { params, body }) => {
  const { store, now, tenantId } = ctx
  const integration = await getIntegrationRow(store, params.id)
  if (integration.provider !== 'file') {
    throw invalidState('Only an integration for files takes files', integration.provider, ['file'])
  }
  const row = await store.attachments.find(body._id)
  if (row?.state !== 'uploading' || row.erasedAt !== null) {
    throw new Failure('SERVICE_UNAVAILABLE', 'The upload took too long; try again', {
      headers: { 'Retry-After': '1' },
    })
  }
  const { filename, size, sha256, contentType } = body
  const { module } = body.fields
  const head = await readHead(ctx, body._id)
  const { hasRows, hasTooManyColumns, ...sniffed } = await sniffFile(head, {
    filename,
    isWhole: head.length === size,
  })
  if (!hasRows) {
    throw validationFailure([{ field: 'file', message: 'holds no rows', rule: 'empty', in: 'body' }])
  }
  if (hasTooManyColumns) {
    const message = `has more than ${columnsMax} columns`
    throw validationFailure([{ field: 'file', message, rule: 'columns', in: 'body' }])
  }
  const file: ImportFileRecord = {
    _id: body._id,
    tenantId,
    integrationId: integration._id,
    module,
    filename,
    size,
    createdAt: now,
    ...sniffed,
  }
  const set = {
    filename,
    size,
    sha256,
    contentType,
    state: 'stored' as const,
    integrationId: integration._id,
    updatedAt: now,
  }
  const keep: Write = { op: 'update', kind: 'attachments', id: body._id, expectVersion: row.version, set }
  const writes: Write[] = [
    keep,
    { op: 'insert', kind: 'importFiles', row: file },
    ...(await removedFiles(store, { integrationId: integration._id, now, module })),
  ]
  const mapping = mappingOf(module, file.headers, integration.mapping[module])
  const { tenantId: _tenant, integrationId: _integration, ...shown } = file
  return { change: { writes, events: [] }, reply: { success: true, data: { ...shown, mapping } } }
}

async function readHead({ services, tenantId }: HandlerContext, id: string): Promise<Buffer> {
  const stream = await services.attachments.read({ tenantId, id })
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream ?? []) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length >= headBytes) break
  }
  return Buffer.concat(chunks).subarray(0, headBytes)
}
