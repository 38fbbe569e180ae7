import { type FileModule, type UpdateImportFileBody, validationFailure } from '@crmkit/core'
import { emailColumnsOf } from '../../connectors/files/column-values.ts'
import { foreignFormatOf } from '../../connectors/files/foreign-format.ts'
import { EncodingCheck, type FileEncoding } from '../../connectors/files/read-text.ts'
import { headBytes, type Sniffed, sniffFile } from '../../connectors/files/sniff-file.ts'
import { sniffWorkbook } from '../../connectors/files/sniff-workbook.ts'
import { withZip } from '../../connectors/files/stored-file.ts'
import { columnsMax } from '../../connectors/files/unique-names.ts'
import { Workbook } from '../../connectors/files/workbook.ts'
import { isZip, UnreadableArchive, type ZipFile } from '../../connectors/files/zip-file.ts'
import {
  type TableOfModule,
  tableOfModule,
  tablesByModule,
  tablesOf,
} from '../../connectors/files/zipped-tables.ts'
import { bytesIdOf, type ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { HandlerContext } from '../handler.ts'

export type FileShape = Pick<
  ImportFileRecord,
  'format' | 'encoding' | 'delimiter' | 'headerRow' | 'headers' | 'emailColumns' | 'sheet' | 'sheets'
>

/** The beginning of a file, as a person sees it. */
export type Beginning = Pick<Sniffed, 'samples' | 'outside'>

interface StoredFile {
  _id: string
  archiveId?: string
  size: number
  filename: string
  module: FileModule
  /** The fields that a person gave; one that is absent or null is found by the content. */
  given: UpdateImportFileBody
}

/** Finds out how a file is to be read, by its beginning. Throws when it holds no rows that an import could read. */
export async function readShape(
  ctx: HandlerContext,
  file: StoredFile,
): Promise<{ shape: FileShape; beginning: Beginning }> {
  const { hasRows, hasTooManyColumns, samples, outside, ...found } = await sniffWhole(ctx, file)
  if (!hasRows) throw refused('empty', 'holds no rows')
  if (found.format === 'vcf' && file.module !== 'Contacts') {
    throw refused('format', 'is a vCard file, which holds contacts alone')
  }
  if (hasTooManyColumns) throw refused('columns', `has more than ${columnsMax} columns`)
  const beginning = { samples, outside }
  return { shape: { ...found, emailColumns: emailColumnsOf(found.headers, samples) }, beginning }
}

/** A text, alone or within an archive. */
interface TextSource {
  filename: string
  size: number
  read(): Promise<AsyncIterable<Buffer> | undefined>
}

type Found = Sniffed & Pick<FileShape, 'sheet' | 'sheets'>

function textOf(
  { services, tenantId }: HandlerContext,
  file: Pick<StoredFile, '_id' | 'archiveId' | 'filename' | 'size'>,
): TextSource {
  const { filename, size } = file
  return { filename, size, read: () => services.attachments.read({ tenantId, id: bytesIdOf(file) }) }
}

async function sniffWhole(ctx: HandlerContext, file: StoredFile): Promise<Found> {
  const text = textOf(ctx, file)
  const archive = isZip(await readHead(text)) ? await sniffArchive(ctx, file) : undefined
  return archive ?? sniffText(text, file.given)
}

/** Whether a text is UTF-8 is decided by its last byte. */
async function sniffText(text: TextSource, given: UpdateImportFileBody): Promise<Sniffed> {
  const { found, isWhole } = await sniffHead(text, given)
  if (isWhole || found.encoding !== 'utf-8') return found
  const encoding = await wholeEncodingOf(text)
  if (encoding === 'utf-8') return found
  if ((given.encoding ?? undefined) !== undefined) {
    throw validationFailure([
      { field: 'encoding', message: 'the file is no UTF-8', rule: 'mismatch', in: 'body' },
    ])
  }
  return (await sniffHead(text, { ...given, encoding })).found
}

async function sniffHead(
  text: TextSource,
  { encoding, delimiter, headerRow }: UpdateImportFileBody,
): Promise<{ found: Sniffed; isWhole: boolean }> {
  const { filename, size } = text
  const head = await readHead(text)
  const format = foreignFormatOf(head)
  if (format !== undefined) throw refused('format', `is ${format}: save it as CSV`)
  const chosen = {
    encoding: encoding ?? undefined,
    delimiter: (delimiter === 'tab' ? '\t' : delimiter) ?? undefined,
    headerRow: headerRow ?? undefined,
  }
  const isWhole = head.length === size
  return { found: await sniffFile(head, { filename, isWhole, given: chosen }), isWhole }
}

/** Returns undefined for what is no archive, and for one that holds neither a workbook nor tables. */
async function sniffArchive(ctx: HandlerContext, file: StoredFile): Promise<Found | undefined> {
  const { services, tenantId } = ctx
  const bytes = { attachments: services.attachments, file: { tenantId, ...file } }
  try {
    return await withZip(bytes, (zip) =>
      Workbook.isIn(zip) ? sniffBook(zip, file.given) : sniffTable(zip, file),
    )
  } catch (error) {
    if (error instanceof UnreadableArchive && error.rule === 'damaged') return undefined
    if (error instanceof UnreadableArchive) throw refused(error.rule, error.message)
    throw error
  }
}

/** Returns the tables of an archive that was uploaded without a module. Throws for a file that is no such archive. */
export async function tablesOfArchive(
  ctx: HandlerContext,
  file: Pick<StoredFile, '_id' | 'size' | 'filename'>,
): Promise<TableOfModule[]> {
  if (!isZip(await readHead(textOf(ctx, file)))) throw noModule()
  const bytes = { attachments: ctx.services.attachments, file: { tenantId: ctx.tenantId, ...file } }
  try {
    return await withZip(bytes, async (zip) => {
      if (Workbook.isIn(zip)) throw noModule()
      return tablesByModule(zip)
    })
  } catch (error) {
    if (!(error instanceof UnreadableArchive)) throw error
    throw refused(error.rule === 'damaged' ? 'format' : error.rule, error.message)
  }
}

function noModule(): Error {
  const message = 'is required for any file but an archive (.zip) of tables'
  return validationFailure([{ field: 'module', message, rule: 'required', in: 'body' }])
}

async function sniffBook(zip: ZipFile, { sheet, headerRow }: UpdateImportFileBody): Promise<Found> {
  const book = await Workbook.open(zip)
  const found = await sniffWorkbook(book, { sheet: sheet ?? undefined, headerRow: headerRow ?? undefined })
  if (found === undefined)
    throw noSheet(
      book.sheets.map(({ name }) => name),
      'mismatch',
    )
  return found
}

async function sniffTable(zip: ZipFile, { module, given }: StoredFile): Promise<Found | undefined> {
  const sheets = tablesOf(zip)
  if (sheets.length === 0) return undefined
  const found = given.sheet ? { table: given.sheet } : tableOfModule(sheets, module)
  if ('rule' in found) throw noSheet(sheets, found.rule)
  const entry = zip.entries.find(({ name }) => name === found.table && sheets.includes(name))
  if (entry === undefined) throw noSheet(sheets, 'mismatch')
  const { name: filename, size } = entry
  const sniffed = await sniffText({ filename, size, read: () => zip.read(filename) }, given)
  return { ...sniffed, sheet: filename, sheets }
}

function noSheet(sheets: readonly string[], rule: string): Error {
  return validationFailure([
    { field: 'sheet', message: `must be one of ${sheets.join(', ')}`, rule, in: 'body' },
  ])
}

/** How a file is read now. */
export function givenOf({ encoding, delimiter, headerRow, sheet }: ImportFileRecord): UpdateImportFileBody {
  return {
    encoding,
    ...(delimiter !== null && { delimiter }),
    ...(headerRow !== null && { headerRow }),
    ...(sheet !== undefined && { sheet }),
  }
}

/** Reads the beginning of a file again, as it is read now. */
export async function readBeginning(ctx: HandlerContext, file: ImportFileRecord): Promise<Beginning> {
  const given = givenOf(file)
  return file.sheet === undefined
    ? (await sniffHead(textOf(ctx, file), given)).found
    : sniffWhole(ctx, { ...file, given })
}

function refused(rule: string, message: string): Error {
  return validationFailure([{ field: 'file', message, rule, in: 'body' }])
}

async function wholeEncodingOf(text: TextSource): Promise<FileEncoding> {
  const check = new EncodingCheck()
  for await (const chunk of (await text.read()) ?? []) {
    check.add(chunk)
    if (check.found !== undefined) break
  }
  return check.end()
}

async function readHead(text: TextSource): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of (await text.read()) ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= headBytes) break
  }
  return Buffer.concat(chunks).subarray(0, headBytes)
}
