import { Failure, invalidState, type uploadImportFile, validationFailure } from '@crmkit/core'
import { emailColumnsOf } from '../../connectors/files/column-values.ts'
import { foreignFormatOf } from '../../connectors/files/foreign-format.ts'
import { EncodingCheck, type FileEncoding } from '../../connectors/files/read-text.ts'
import { headBytes, type Sniffed, sniffFile } from '../../connectors/files/sniff-file.ts'
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
  const { hasRows, hasTooManyColumns, samples, ...sniffed } = await readShape(ctx, body)
  if (!hasRows) throw refused('empty', 'holds no rows')
  if (sniffed.format === 'vcf' && module !== 'Contacts') {
    throw refused('format', 'is a vCard file, which holds contacts alone')
  }
  if (hasTooManyColumns) throw refused('columns', `has more than ${columnsMax} columns`)
  const file: ImportFileRecord = {
    _id: body._id,
    tenantId,
    integrationId: integration._id,
    module,
    filename,
    size,
    createdAt: now,
    ...sniffed,
    emailColumns: emailColumnsOf(sniffed.headers, samples),
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
  const mapping = mappingOf(module, file, integration.mapping[module])
  const { tenantId: _tenant, integrationId: _integration, emailColumns: _emails, ...shown } = file
  return { change: { writes, events: [] }, reply: { success: true, data: { ...shown, mapping } } }
}

type UploadBody = Parameters<Handler<typeof uploadImportFile>>[1]['body']

/** Finds out how a file is to be read: by its beginning, and by its last byte whether it is UTF-8. */
async function readShape(ctx: HandlerContext, { _id, size, filename, fields }: UploadBody): Promise<Sniffed> {
  const head = await readHead(ctx, _id)
  const format = foreignFormatOf(head)
  if (format !== undefined) throw refused('format', `is ${format}: save it as CSV`)
  const given = {
    encoding: fields.encoding,
    delimiter: fields.delimiter === 'tab' ? '\t' : fields.delimiter,
    headerRow: fields.headerRow === undefined ? undefined : Number(fields.headerRow),
  }
  const isWhole = head.length === size
  const found = await sniffFile(head, { filename, isWhole, given })
  if (isWhole || found.encoding !== 'utf-8') return found
  const encoding = await wholeEncodingOf(ctx, _id)
  if (encoding === 'utf-8') return found
  if (fields.encoding !== undefined) {
    throw validationFailure([
      { field: 'encoding', message: 'the file is no UTF-8', rule: 'mismatch', in: 'body' },
    ])
  }
  return sniffFile(head, { filename, isWhole, given: { ...given, encoding } })
}

function refused(rule: string, message: string): Failure {
  return validationFailure([{ field: 'file', message, rule, in: 'body' }])
}

async function wholeEncodingOf({ services, tenantId }: HandlerContext, id: string): Promise<FileEncoding> {
  const check = new EncodingCheck()
  for await (const chunk of (await services.attachments.read({ tenantId, id })) ?? []) {
    check.add(chunk as Buffer)
    if (check.found !== undefined) break
  }
  return check.end()
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
